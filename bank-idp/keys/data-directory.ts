import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { JWK } from 'jose'
import { UsageError } from '../errors.js'
import type { Log } from '../log.js'
import type { SealCopy } from '../store/audit-seal.js'
import { EncryptedValues } from '../store/encrypted-values.js'
import { storeKeyIn } from '../store-key.js'
import {
  beginRsaKeys,
  type Certificate,
  checkPair,
  isFresh,
  makeAuthority,
  makeCertificate,
  stillServes,
} from './certificates.js'
import { type Identity, makeServiceKeys, serviceHosts } from './identity.js'

/** Files of a data directory, by their paths below it. The private ones are readable by their owner alone. */
export const files = {
  store: 'bank.sqlite',
  storeKey: 'store.key',
  auditSeal: 'audit.seal',
  lock: 'bank.lock',
  authority: 'ca.pem',
  authorityKey: 'ca-key.pem',
  tls: 'tls.pem',
  tlsKey: 'tls-key.pem',
  serviceCertificate: 'service/certificate.pem',
  serviceCertificateKey: 'service/certificate-key.pem',
  otherCertificate: 'service/other-certificate.pem',
  otherCertificateKey: 'service/other-certificate-key.pem',
  serviceKeys: 'service/jwks.json',
  target: 'target.yaml',
  attestations: 'attestations.yaml',
  control: 'control.json',
  controlToken: 'control.token',
} as const

/** The second line of the file of the key, once the audit log was sealed under it. */
const sealedMark = 'The audit log is sealed under this key.'

/** Makes a directory and those above it. Node's own recursion never ends where a parent cannot be made (such as in /proc). */
function makeDirectory(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error(`${path} is a file: name a directory`)
    return
  }
  makeDirectory(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** The directory in which a bank keeps all that it keeps. */
export class DataDirectory {
  readonly path: string
  readonly #log: Log

  constructor(path: string, log: Log = () => {}) {
    this.path = path
    this.#log = log
  }

  /**
   * Makes the directory when it is missing.
   *
   * @throws {UsageError} when it cannot be made, read or written
   */
  make(): void {
    try {
      makeDirectory(resolve(this.path, 'service'))
      accessSync(this.path, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      throw new UsageError(`the data directory ${this.path} cannot be written: ${(error as Error).message}`, {
        cause: error,
      })
    }
  }

  resolve(file: string): string {
    return join(this.path, file)
  }

  /** @returns undefined when the file does not exist */
  read(file: string): string | undefined {
    const path = this.resolve(file)
    try {
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined
    } catch (error) {
      throw new UsageError(`${path} cannot be read: ${(error as Error).message}`, { cause: error })
    }
  }

  /**
   * Writes a file in one step: whoever reads it sees the old content or the new, after a failure of the power too.
   *
   * @param secret for its owner alone to read
   * @param isMadeAnew each start writes it, so that one after a failure of the power need not find it: the disk is not waited for
   */
  write(file: string, content: string, { secret = false, isMadeAnew = false } = {}): void {
    const path = this.resolve(file)
    const draft = `${path}.${process.pid}.new`
    try {
      writeFileSync(draft, content, { mode: secret ? 0o600 : 0o644, flush: !isMadeAnew })
      renameSync(draft, path)
    } catch (error) {
      rmSync(draft, { force: true })
      throw new UsageError(`${path} cannot be written: ${(error as Error).message}`, { cause: error })
    }
  }

  /** Has what takes longest of a first start begin, where this will be one: RSA keys. Three of five: a thread stays free for what is read meanwhile. */
  beginKeys(): void {
    if (!existsSync(this.resolve(files.tlsKey))) beginRsaKeys(3)
  }

  /**
   * The identity kept here. What is missing is made; a certificate that is about to end, or was made for other hosts, is made anew.
   *
   * @param hosts names and addresses under which the bank is reached
   */
  async identity(hosts: string[]): Promise<Identity> {
    const authority = await this.#authority()
    const [tls, certificate, otherCertificate, jwks] = await Promise.all([
      this.#certificate(authority, files.tls, files.tlsKey, { commonName: 'bank-idp', hosts, usages: ['server'] }),
      this.#certificate(authority, files.serviceCertificate, files.serviceCertificateKey, {
        commonName: 'federated service',
        hosts: serviceHosts,
        usages: ['client', 'server'],
      }),
      this.#certificate(authority, files.otherCertificate, files.otherCertificateKey, {
        commonName: 'somebody else',
        hosts: serviceHosts,
        usages: ['client'],
      }),
      this.#serviceKeys(),
    ])
    return { authority, tls, service: { certificate, otherCertificate, jwks } }
  }

  /**
   * The key that secrets in the store are encrypted under; made when it is missing.
   *
   * @throws {UsageError} when the file holds no key
   */
  storeKey(): Buffer {
    const kept = this.readStoreKey()
    if (kept) return kept
    const made = EncryptedValues.makeKey()
    this.write(files.storeKey, made.toString('base64url'), { secret: true })
    return made
  }

  /** The same, to read what is there alone. @returns undefined when there is none */
  readStoreKey(): Buffer | undefined {
    const [kept] = this.#keyLines()
    if (kept === undefined) return undefined
    const key = storeKeyIn(kept)
    if (!key) throw new UsageError(`${this.resolve(files.storeKey)} contains no key of 256 bits: restore it`)
    return key
  }

  /**
   * Where the seal of the audit log is copied to.
   *
   * @param keyIsElsewhere the key of the store is not in this directory, which then cannot tell whether there was a copy before
   */
  auditSeal(keyIsElsewhere = false): SealCopy {
    return {
      name: files.auditSeal,
      read: () => this.read(files.auditSeal)?.trim(),
      write: (seal) => this.write(files.auditSeal, seal, { secret: true }),
      isMarked: () => (keyIsElsewhere ? undefined : this.#keyLines()[1] === sealedMark),
      mark: () => {
        if (keyIsElsewhere) return
        this.write(files.storeKey, `${this.#keyLines()[0]}\n${sealedMark}\n`, { secret: true })
      },
      failed: ({ message }) => this.#log({ event: 'error', message }),
    }
  }

  #keyLines(): (string | undefined)[] {
    return this.read(files.storeKey)?.trim().split(/\s*\n/) ?? []
  }

  async #authority(): Promise<Certificate> {
    const kept = this.#pair(files.authority, files.authorityKey)
    if (kept && isFresh(kept.cert)) return kept
    const made = await makeAuthority()
    this.#keep(made, files.authority, files.authorityKey)
    if (kept)
      this.#tell(
        `${files.authority} was about to expire, or had expired, and was replaced: whoever trusted it needs the new one`,
      )
    return made
  }

  async #certificate(
    authority: Certificate,
    file: string,
    keyFile: string,
    leaf: { commonName: string; hosts: string[]; usages: ('server' | 'client')[] },
  ): Promise<Certificate> {
    const kept = this.#pair(file, keyFile)
    if (kept && stillServes(kept.cert, authority, leaf.hosts)) return kept
    const made = await makeCertificate(authority, leaf)
    this.#keep(made, file, keyFile)
    if (kept) this.#tell(`${file} was about to expire, had expired, or was for other hosts, and was replaced`)
    return made
  }

  /** @throws {UsageError} when the files do not hold a certificate and its private key */
  #pair(file: string, keyFile: string): Certificate | undefined {
    const cert = this.read(file)
    const key = this.read(keyFile)
    if (!cert || !key) return undefined
    try {
      checkPair({ cert, key })
      return { cert, key }
    } catch (error) {
      const advice = 'remove both, and the bank makes new ones'
      throw new UsageError(
        `${this.resolve(file)} and ${keyFile} are not a certificate and its key (${(error as Error).message}): ${advice}`,
        { cause: error },
      )
    }
  }

  async #serviceKeys(): Promise<{ keys: JWK[] }> {
    const kept = this.read(files.serviceKeys)
    if (kept) return this.#keySet(kept)
    const jwks = await makeServiceKeys()
    this.write(files.serviceKeys, JSON.stringify(jwks, null, 2), { secret: true })
    return jwks
  }

  #keySet(text: string): { keys: JWK[] } {
    try {
      const { keys } = JSON.parse(text) as { keys?: unknown }
      if (Array.isArray(keys)) return { keys }
    } catch {}
    throw new UsageError(
      `${this.resolve(files.serviceKeys)} contains no key set: remove it, and the bank makes a new one`,
    )
  }

  #tell(message: string): void {
    this.#log({ event: 'notice', message: `${this.path}: ${message}` })
  }

  #keep({ cert, key }: Certificate, file: string, keyFile: string): void {
    this.write(keyFile, key, { secret: true })
    this.write(file, cert)
  }
}
