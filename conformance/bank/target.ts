import { existsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { JWK } from 'jose'
import { TargetError } from '../harness/failure.js'
import type { ClientCertificate } from './connections.js'
import { type LoginFile, type LoginSettings, type Page, readLogin, readPages } from './login-settings.js'
import { type Attachment, loadStatements, type Statements } from './statements.js'
import { certificatePem, oneLine, privateKeyPem, privateKeys, readText } from './target-files.js'
import { dotted, FileMistakes, parseYaml, schemaMistakes } from './yaml-file.js'

export interface Person {
  login: string
  /** '' where nobody but the person needs it. */
  password: string
  kinds: readonly string[]
  /** What the bank knows of them, by the names of "User data scopes and claims", as far as the target file tells. */
  claims?: object
}

/** An application that the bank has registered already; rules use it in place of one that they would register. */
export interface GivenClient {
  clientId: string
  clientSecret?: string
  /** Private: they sign its assertions and open what the bank encrypts to it. */
  keys: JWK[]
  /** The record as it was registered ("Client registration record"). */
  record: { redirect_uris: string[]; scope: string; [member: string]: unknown }
}

/** Where the bank reaches the service over https. */
export interface ServerSettings {
  host: string
  /** 0 = any free port. */
  port: number
  /** The address as the bank sees it; {port} stands for the port listened on. */
  url: string
  certificate: ClientCertificate
}

/** The bank to examine and who examines it, with everything read that the target file names. */
export interface Target {
  /** The target file, and the file of `ca`; absent when the target was not read from a file. */
  files?: { target: string; ca?: string }
  issuer: string
  /** PEM. */
  ca?: string
  /** The address that asks for client certificates, where it is not the issuer (AMB-65). */
  mutualTls?: string
  control?: { url: string; token: string }
  /** By which the service knows the bank at /user-stat-data. */
  idpId?: string
  /** The service's private keys. */
  keys?: JWK[]
  clientCertificate?: ClientCertificate
  /** Whether every connection shows the client certificate, since the bank's whole host asks for it (AMB-65). */
  certificateEverywhere?: boolean
  server?: ServerSettings
  client?: GivenClient
  /** Whether the signing flow is offered (AMB-38), and where, if not at /ros and /authorize below the issuer (AMB-30). */
  signing?: { offered?: boolean; ros?: string; authorize?: string }
  people: Person[]
  /** In the order they are tried; empty when the file does not say how a person logs in. */
  pages: ReadonlyMap<string, Page>
  /** How people get through them; by forms over HTTP when left out. */
  login?: LoginSettings
  /** What the bank states of itself, and what the statements have attached. */
  statements?: Statements
  attachments?: ReadonlyMap<Attachment, Buffer>
  /** Patterns of rules that cannot be examined at this bank, each with the reason. */
  notExamined?: readonly { rules: readonly string[]; reason: string }[]
  /** Whether a run may wait, an hour or more, for what the clock of a bank without a control door has to show. */
  slow?: boolean
  concurrency: number
  timeoutSeconds: number
}

/** The first person of a kind. */
export function personOf(people: readonly Person[], kind: string): Person | undefined {
  return people.find(({ kinds }) => kinds.includes(kind))
}

/** Where the bank's pages may lead: its own addresses, the one asked for among them. */
export function originsOf({ issuer, login }: Target, address: string): string[] {
  return [new URL(issuer).origin, new URL(address).origin, ...(login?.origins ?? [])]
}

/** The members of a target file, as schemas/target.schema.json has them. */
interface TargetFile {
  issuer: string
  ca?: string
  mutual_tls?: string
  control?: { url: string; token_file: string }
  idp_id?: string
  service?: {
    keys?: string
    client_certificate?: { cert: string; key: string }
    certificate_everywhere?: boolean
    server?: { listen: string; url: string; cert: string; key: string }
  }
  client?: { client_id: string; client_secret_file?: string; keys?: string; record: GivenClient['record'] }
  signing?: Target['signing']
  people?: (Omit<Person, 'password'> & { password?: string })[]
  login?: LoginFile
  statements?: string
  not_examined?: { rules: string[]; reason: string }[]
  concurrency?: number
  timeout_seconds?: number
}

/** What `conformance init` writes where somebody has to fill in a value. */
export const fillIn = 'FILL-IN'

/**
 * Reads a target file and what it names.
 * @param draft whether it may still hold what has to be filled in
 * @throws TargetError with every mistake found, one line each, first what is not filled in
 */
export function loadTarget(path: string, { draft = false } = {}): Target {
  const file = readTargetFile(path)
  const directory = dirname(path)
  const mistakes = schemaMistakes('target', file)
  const unfilled = draft ? [] : unfilledIn(file)

  /** Reads a value of the file further; what is already known to be wrong, or is not there, is passed over. */
  function read<Value, Found>(place: string, further: (value: Value) => Found): Found | undefined {
    const value = valueAt(file, place)
    if (value === undefined || [...mistakes.keys()].some((known) => covers(known, place))) return undefined
    try {
      return further(value as Value)
    } catch (error) {
      const found = error instanceof FileMistakes ? error.mistakes : [error instanceof Error ? error.message : error]
      mistakes.set(place, found.map((mistake) => `${dotted(place)}: ${mistake}`).join('\n'))
      return undefined
    }
  }
  const text = (name: string) => readText(resolve(directory, name))
  const certificate = (place: string): ClientCertificate | undefined => {
    const cert = read(`${place}/cert`, (name: string) => certificatePem(text(name)))
    const key = read(`${place}/key`, (name: string) => privateKeyPem(text(name), cert))
    return cert && key ? { cert, key } : undefined
  }

  const ca = read('/ca', (name: string) => certificatePem(text(name)))
  const token = read('/control/token_file', (name: string) => oneLine(text(name)))
  const keys = read('/service/keys', (name: string) => privateKeys(text(name)))
  const clientCertificate = certificate('/service/client_certificate')
  const serverCertificate = certificate('/service/server')
  const listen = read('/service/server/listen', hostAndPort)
  const clientSecret = read('/client/client_secret_file', (name: string) => oneLine(text(name)))
  const clientKeys = read('/client/keys', (name: string) => privateKeys(text(name)))
  read('/client', (client: NonNullable<TargetFile['client']>) => checkCredentials(client))
  const login = read('/login', readLogin)
  const pages = read('/login/pages', () => readPages(valueAt(file, '/login') as LoginFile))
  read('/people', (people: NonNullable<TargetFile['people']>) => {
    for (const [i, { password }] of people.entries()) {
      if (password !== undefined || login?.by === 'person') continue
      const message = `people.${i}.password: password is missing; it can be left out with login.by: person alone`
      mistakes.set(`/people/${i}/password`, message)
    }
  })
  const stated = read('/statements', (name: string) => loadStatements(resolve(directory, name)))

  const wrong = [...unfilled, ...[...mistakes.values()].flatMap((lines) => lines.split('\n'))]
  if (wrong.length > 0) throw new TargetError(wrong)
  const checked = file as TargetFile
  return {
    files: { target: path, ...(checked.ca && { ca: resolve(directory, checked.ca) }) },
    issuer: checked.issuer,
    ...(ca && { ca }),
    ...(checked.mutual_tls !== undefined && { mutualTls: checked.mutual_tls }),
    ...(checked.control && token && { control: { url: checked.control.url, token } }),
    ...(checked.idp_id !== undefined && { idpId: checked.idp_id }),
    ...(keys && { keys }),
    ...(clientCertificate && { clientCertificate }),
    ...(checked.service?.certificate_everywhere && { certificateEverywhere: true }),
    ...(checked.service?.server &&
      listen &&
      serverCertificate && {
        server: { ...listen, url: checked.service.server.url, certificate: serverCertificate },
      }),
    ...(checked.client && {
      client: {
        clientId: checked.client.client_id,
        ...(clientSecret && { clientSecret }),
        keys: clientKeys ?? [],
        record: checked.client.record,
      },
    }),
    ...(checked.signing && { signing: checked.signing }),
    people: (checked.people ?? []).map(({ password = '', ...person }) => ({ ...person, password })),
    pages: pages ?? new Map(),
    ...(login && { login }),
    ...stated,
    ...(checked.not_examined && { notExamined: checked.not_examined }),
    concurrency: checked.concurrency ?? 8,
    timeoutSeconds: checked.timeout_seconds ?? 10,
  }
}

/** What is still to be filled in, one line for each place; `above` are the values that a place lies in, for aliases may close a circle. */
function unfilledIn(value: unknown, path: readonly string[] = [], above: readonly unknown[] = []): string[] {
  if (typeof value === 'string') return value.includes(fillIn) ? [`${path.join('.')} is still ${fillIn}`] : []
  if (typeof value !== 'object' || value === null || above.includes(value)) return []
  return Object.entries(value).flatMap(([name, part]) => unfilledIn(part, [...path, name], [...above, value]))
}

function readTargetFile(path: string): unknown {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new TargetError([`there is no file ${path}; conformance init makes one`])
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

/** Whether a mistake at `known` makes what is at `place`, or a part of it, unfit to be read further. */
function covers(known: string, place: string): boolean {
  return place === known || place.startsWith(`${known}/`) || known.startsWith(`${place}/`)
}

function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), value)
}

/** What a client authenticates and decrypts with has to be there, or every result of it would be about the target file. */
function checkCredentials({ client_secret_file, keys, record }: NonNullable<TargetFile['client']>): void {
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
