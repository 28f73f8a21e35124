import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  webcrypto,
  X509Certificate,
} from 'node:crypto'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import type { Extension } from '@peculiar/x509'

const dayMs = 24 * 60 * 60 * 1000
const caLifetimeMs = 3650 * dayMs
const leafLifetimeMs = 825 * dayMs
/** Certificates hold from before they were made: clocks differ. */
const backdatedMs = 60 * 60 * 1000
/** A certificate that ends sooner than this is renewed at the next start. */
const renewBeforeMs = 30 * dayMs

/** A certificate and its private key, both PEM. */
export interface Certificate {
  cert: string
  key: string
}

/** How an end certificate is used (RFC 5280 section 4.2.1.12). */
export type Usage = 'server' | 'client'

interface Leaf {
  commonName: string
  /** Host names and addresses for subjectAltName; none for certificates of keys. */
  hosts?: string[]
  usages?: Usage[]
  /** Milliseconds since the epoch; the machine's time when left out. */
  from?: number
}

/** @peculiar/x509 costs a tenth of a second to load: only when a certificate is to be made. */
async function x509() {
  await import('reflect-metadata')
  const library = await import('@peculiar/x509')
  library.cryptoProvider.set(webcrypto as Crypto)
  return library
}

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const generate = promisify(generateKeyPair)

async function makeRsaKey(): Promise<KeyObject> {
  return (await generate('rsa', { modulusLength: 2048 })).privateKey
}

/** Keys that are being made for whoever needs one next. */
const begun: Promise<KeyObject>[] = []

/** Begins to make RSA keys, in threads of their own, while the process has other things to do. */
export function beginRsaKeys(count: number): void {
  for (let i = 0; i < count; i += 1) begun.push(makeRsaKey())
}

export function generateRsaKey(): Promise<KeyObject> {
  return begun.shift() ?? makeRsaKey()
}

export async function generateEcKey(namedCurve: 'P-256' | 'P-521'): Promise<KeyObject> {
  return (await generate('ec', { namedCurve })).privateKey
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

async function caKey(key: string): Promise<CryptoKey> {
  const pkcs8 = createPrivateKey(key).export({ type: 'pkcs8', format: 'der' })
  return webcrypto.subtle.importKey('pkcs8', pkcs8, ecdsa, false, ['sign']) as Promise<CryptoKey>
}

/** SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7). */
function publicKeyInfo(key: KeyObject): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createPublicKey(key).export({ type: 'spki', format: 'der' }))
}

/** Serial numbers are positive and unique (RFC 5280 section 4.1.2.2). */
function serialNumber(): string {
  return `01${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString('hex')}`
}

/** Certificates of TLS live by the machine's clock: TLS knows no other. */
export function machineTime(): number {
  return Math.floor(performance.timeOrigin + performance.now())
}

function validity(lifetime: number, start = machineTime()) {
  return { notBefore: new Date(start - backdatedMs), notAfter: new Date(start + lifetime) }
}

/**
 * Makes a certificate authority of our own, so that a newcomer needs none.
 *
 * @param from milliseconds since the epoch; the machine's time when left out
 */
export async function makeAuthority(from?: number): Promise<Certificate> {
  const {
    X509CertificateGenerator,
    BasicConstraintsExtension,
    KeyUsagesExtension,
    KeyUsageFlags,
    SubjectKeyIdentifierExtension,
  } = await x509()
  const key = await generateEcKey('P-256')
  const publicKey = publicKeyInfo(key)
  const name = `CN=bank-idp local CA ${Buffer.from(webcrypto.getRandomValues(new Uint8Array(4))).toString('hex')}`
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: name,
    issuer: name,
    ...validity(caLifetimeMs, from),
    signingAlgorithm: ecdsa,
    publicKey,
    signingKey: await caKey(pem(key)),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(publicKey),
    ],
  })
  return { cert: certificate.toString('pem'), key: pem(key) }
}

/** Issues a certificate for a key. */
export async function issueCertificate(authority: Certificate, key: KeyObject, leaf: Leaf): Promise<string> {
  const {
    X509Certificate: Peculiar,
    X509CertificateGenerator,
    AuthorityKeyIdentifierExtension,
    BasicConstraintsExtension,
    ExtendedKeyUsage,
    ExtendedKeyUsageExtension,
    KeyUsagesExtension,
    KeyUsageFlags,
    SubjectAlternativeNameExtension,
  } = await x509()
  const issuer = new Peculiar(authority.cert)
  const extensions: Extension[] = [
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true),
    await AuthorityKeyIdentifierExtension.create(issuer),
  ]
  if (leaf.usages) {
    const oids = { server: ExtendedKeyUsage.serverAuth, client: ExtendedKeyUsage.clientAuth }
    extensions.push(new ExtendedKeyUsageExtension(leaf.usages.map((usage) => oids[usage])))
  }
  if (leaf.hosts) {
    const names = leaf.hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }))
    extensions.push(new SubjectAlternativeNameExtension(names))
  }
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${leaf.commonName}`,
    issuer: issuer.subject,
    ...validity(leafLifetimeMs, leaf.from),
    signingAlgorithm: ecdsa,
    publicKey: publicKeyInfo(key),
    signingKey: await caKey(authority.key),
    extensions,
  })
  return certificate.toString('pem')
}

/** Makes a certificate with its key: of a server an RSA key, which the permitted TLS suites need (specification "Authentication" 8). */
export async function makeCertificate(authority: Certificate, leaf: Leaf): Promise<Certificate> {
  const key = await (leaf.usages?.includes('server') ? generateRsaKey() : generateEcKey('P-256'))
  return { cert: await issueCertificate(authority, key, leaf), key: pem(key) }
}

/** When a certificate was made, in milliseconds since the epoch. */
export function startOf(cert: string): number {
  return Date.parse(new X509Certificate(cert).validFrom) + backdatedMs
}

/** Whether a certificate ends later than a month from now, by the machine's clock. */
export function isFresh(cert: string): boolean {
  return Date.parse(new X509Certificate(cert).validTo) - renewBeforeMs > machineTime()
}

/** Whether a certificate still serves: issued by this authority, for all these hosts, and not about to end. */
export function stillServes(cert: string, authority: Certificate, hosts: string[]): boolean {
  const certificate = new X509Certificate(cert)
  return (
    certificate.verify(new X509Certificate(authority.cert).publicKey) &&
    isFresh(cert) &&
    hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined)
  )
}

/** @throws Error when this is no certificate, no private key, or the two do not belong together */
export function checkPair({ cert, key }: Certificate): void {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error('the private key belongs to another certificate')
  }
}
