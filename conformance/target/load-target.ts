import { X509Certificate } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defaultEdition, openEdition } from '../../schemas/editions/index.js'
import { loadAttestations } from './attestations.js'
import type { ClientCertificate } from './client-certificate.js'
import { FileReading } from './file-reading.js'
import { type LoginFile, readLogin, readPages } from './login-settings.js'
import type { GivenClient, Person, Target } from './target.js'
import { TargetError } from './target-error.js'
import { certificatePem, oneLine, privateKeyPem, privateKeys, readText } from './target-files.js'
import { FileMistakes, parseYaml, schemaMistakes } from './yaml-file.js'

/** The members of a target file, as schemas/target.schema.json has them. */
interface TargetFile {
  issuer: string
  edition?: string
  ca?: string
  mutual_tls?: string
  mutual_tls_audience?: 'issuer' | 'mutual_tls'
  control?: { url: string; token_file: string }
  idp_id?: string
  service?: {
    keys?: string
    client_certificate?: { cert: string; key: string }
    other_client_certificate?: { cert: string; key: string }
    certificate_everywhere?: boolean
    server?: { listen: string; url: string; cert: string; key: string }
  }
  client?: ClientFile
  clients?: [ClientFile]
  signing?: Target['signing']
  people?: (Omit<Person, 'password'> & { password?: string })[]
  login?: LoginFile
  attestations?: string
  not_examined?: { rules: string[]; reason: string }[]
  concurrency?: number
  timeout_seconds?: number
  event_seconds?: number
}

/** A client that is registered already. */
interface ClientFile {
  client_id: string
  client_secret_file?: string
  keys?: string
  record: GivenClient['record']
}

/** What `conformance init` writes where somebody has to fill in a value. */
export const fillIn = 'FILL-IN'

/**
 * Reads a target file and what it names.
 * @param draft whether it may still hold what has to be filled in, or in which of its members
 * @throws TargetError with every mistake found, one line each, first what is not filled in
 */
export function loadTarget(path: string, { draft = [] }: { draft?: true | readonly string[] } = {}): Target {
  const file = readTargetFile(path)
  const reading = new FileReading(file, schemaMistakes('target', file))
  const named = readNamed(reading, dirname(path))
  const unfilled = unfilledIn(file)
  const refused = unfilled.filter((place) => draft !== true && !draft.includes(place.split('.')[0] ?? ''))
  const wrong = [
    ...refused.map((place) => `${place} is still ${fillIn}`),
    ...[...reading.mistakes.values()].flatMap((lines) => lines.split('\n')),
  ]
  if (wrong.length > 0) throw new TargetError(wrong)
  return { ...targetOf(file as TargetFile, named, path), ...(unfilled.length > 0 && { unfilled }) }
}

/** The target that a file without mistakes describes. @param path of the file */
function targetOf(checked: TargetFile, named: Named, path: string): Target {
  const {
    ca,
    token,
    keys,
    clientCertificate,
    otherClientCertificate,
    serverCertificate,
    listen,
    client,
    otherClient,
    login,
    pages,
    edition,
  } = named
  return {
    files: { target: path, ...(checked.ca && { ca: resolve(dirname(path), checked.ca) }) },
    issuer: checked.issuer,
    ...(edition && { edition }),
    ...(ca && { ca }),
    ...(checked.mutual_tls !== undefined && { mutualTls: checked.mutual_tls }),
    ...(checked.mutual_tls_audience !== undefined && { mutualTlsAudience: checked.mutual_tls_audience }),
    ...(checked.control && token && { control: { url: checked.control.url, token } }),
    ...(checked.idp_id !== undefined && { idpId: checked.idp_id }),
    ...(keys && { keys }),
    ...(clientCertificate && { clientCertificate }),
    ...(otherClientCertificate && { otherClientCertificate }),
    ...(checked.service?.certificate_everywhere && { certificateEverywhere: true }),
    ...(checked.service?.server &&
      listen &&
      serverCertificate && {
        server: { ...listen, url: checked.service.server.url, certificate: serverCertificate },
      }),
    ...(client && { client }),
    ...(otherClient && { otherClient }),
    ...(checked.signing && { signing: checked.signing }),
    people: (checked.people ?? []).map(({ password = '', ...person }) => ({ ...person, password })),
    pages: pages ?? new Map(),
    ...(login && { login }),
    ...named.attested,
    ...(checked.not_examined && { notExamined: checked.not_examined }),
    concurrency: checked.concurrency ?? 8,
    timeoutSeconds: checked.timeout_seconds ?? 10,
    ...(checked.event_seconds !== undefined && { eventSeconds: checked.event_seconds }),
  }
}

/** What the files and texts lead to that a target file names. */
type Named = ReturnType<typeof readNamed>

/** Reads what a target file names; what is wrong is left in the reading's mistakes. */
function readNamed(reading: FileReading, directory: string) {
  const text = (name: string) => readText(resolve(directory, name))
  const certificate = (place: string): ClientCertificate | undefined => {
    const cert = reading.read(`${place}/cert`, (name: string) => certificatePem(text(name)))
    const key = reading.read(`${place}/key`, (name: string) => privateKeyPem(text(name), cert))
    return cert && key ? { cert, key } : undefined
  }
  const client = (place: string): GivenClient | undefined => {
    const clientSecret = reading.read(`${place}/client_secret_file`, (name: string) => oneLine(text(name)))
    const keys = reading.read(`${place}/keys`, (name: string) => privateKeys(text(name)))
    return reading.read(place, (file: ClientFile) => {
      checkCredentials(file)
      return { clientId: file.client_id, ...(clientSecret && { clientSecret }), keys: keys ?? [], record: file.record }
    })
  }
  const named = {
    edition: reading.read('/edition', (id: string) => openEdition(id).id),
    ca: reading.read('/ca', (name: string) => certificatePem(text(name))),
    token: reading.read('/control/token_file', (name: string) => oneLine(text(name))),
    keys: reading.read('/service/keys', (name: string) => privateKeys(text(name))),
    clientCertificate: certificate('/service/client_certificate'),
    otherClientCertificate: certificate('/service/other_client_certificate'),
    serverCertificate: certificate('/service/server'),
    listen: reading.read('/service/server/listen', hostAndPort),
    client: client('/client'),
    otherClient: client('/clients/0'),
    login: reading.read('/login', readLogin),
    pages: reading.read('/login/pages', () => readPages(reading.valueAt('/login') as LoginFile)),
  }
  // YAML takes 1.2 for a number, and 1.10 for 1.1.
  if (typeof reading.valueAt('/edition') === 'number')
    reading.mistakes.set('/edition', `edition has to stand in quotation marks, such as "${defaultEdition}"`)
  const { clientCertificate: own, otherClientCertificate: other } = named
  if (own && other && new X509Certificate(own.cert).fingerprint256 === new X509Certificate(other.cert).fingerprint256)
    reading.mistakes.set(
      '/service/other_client_certificate',
      'service.other_client_certificate is the same certificate as service.client_certificate; it has to be of somebody else',
    )
  if (reading.valueAt('/mutual_tls') !== undefined && reading.valueAt('/mutual_tls') === reading.valueAt('/issuer'))
    reading.mistakes.set(
      '/mutual_tls',
      'mutual_tls is the issuer itself; leave it out, unless the bank asks for client certificates at another address',
    )
  if (reading.valueAt('/mutual_tls_audience') !== undefined && reading.valueAt('/mutual_tls') === undefined)
    reading.mistakes.set(
      '/mutual_tls_audience',
      'mutual_tls_audience is about the address that mutual_tls names, which is left out',
    )
  reading.read('/people', (people: NonNullable<TargetFile['people']>) => {
    for (const [i, { login, password }] of people.entries()) {
      const earlier = people.findIndex((one) => one.login === login)
      if (earlier !== i) {
        const message = `people.${i}.login is that of people.${earlier}; a person stands there once, with each of their kinds`
        reading.mistakes.set(`/people/${i}/login`, message)
      }
      if (password !== undefined || named.login?.by === 'person') continue
      const message = `people.${i}.password is missing; it can be left out only with login.by: person`
      reading.mistakes.set(`/people/${i}/password`, message)
    }
  })
  return {
    ...named,
    attested: reading.read('/attestations', (name: string) => loadAttestations(resolve(directory, name))),
  }
}

/** The places that are still to be filled in, such as people.0.login; `above` are the values that a place lies in, for aliases may close a circle. */
function unfilledIn(value: unknown, path: readonly string[] = [], above: readonly unknown[] = []): string[] {
  if (typeof value === 'string') return value.includes(fillIn) ? [path.join('.')] : []
  if (typeof value !== 'object' || value === null || above.includes(value)) return []
  return Object.entries(value).flatMap(([name, part]) => unfilledIn(part, [...path, name], [...above, value]))
}

function readTargetFile(path: string): unknown {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new TargetError([`the file ${path} does not exist; conformance init makes one`])
  if (stats.isDirectory()) {
    const inside = join(path, 'target.yaml')
    throw new TargetError([`${path} is a folder${existsSync(inside) ? `; did you mean ${inside}?` : ''}`])
  }
  try {
    return parseYaml(readText(path))
  } catch (error) {
    if (error instanceof FileMistakes) throw new TargetError(error.mistakes)
    throw new TargetError([error instanceof Error ? error.message : String(error)])
  }
}

/** What a client authenticates and decrypts with has to be there, or every result of it would be about the target file. */
function checkCredentials({ client_secret_file, keys, record }: ClientFile): void {
  const method = String(record.token_endpoint_auth_method ?? 'client_secret_basic')
  if (method.startsWith('client_secret') && client_secret_file === undefined)
    throw new Error(`${method} needs client_secret_file`)
  if (method === 'private_key_jwt' && keys === undefined) throw new Error('private_key_jwt needs keys')
  const encrypted = Object.keys(record).find((member) => member.endsWith('_encrypted_response_alg'))
  if (encrypted && keys === undefined) throw new Error(`${encrypted} of the record needs keys to decrypt with`)
}

function hostAndPort(listen: string): { host: string; port: number } {
  const colon = listen.lastIndexOf(':')
  const port = Number(listen.slice(colon + 1))
  if (port > 65535) throw new Error(`there is no port ${port}`)
  return { host: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port }
}
