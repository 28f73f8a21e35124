import type { JWK } from 'jose'
import type { Attachment, Attestations } from './attestations.js'
import type { ClientCertificate } from './client-certificate.js'
import type { LoginSettings, Page } from './login-settings.js'

export interface Person {
  login: string
  /** '' where nobody but the person needs it. */
  password: string
  kinds: readonly string[]
  /** Runs that examine the bank at the same time take people of a pool each; who has none is for all of them. */
  pool?: string
  /** What the bank knows of them, by the names of "User data scopes and claims", as far as the target file tells. */
  claims?: object
}

/** A client that the bank has registered already; rules use it in place of one that they would register. */
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
  /** The address as the bank sees it; {port} stands for the listening port. */
  url: string
  certificate: ClientCertificate
}

/** The bank to examine and who examines it, with everything read that the target file names. */
export interface Target {
  /** The target file, and the file of `ca`; absent when the target was not read from a file. */
  files?: { target: string; ca?: string }
  /** What the bank calls itself, which may end in a slash; {@link addressOf} is what paths follow. */
  issuer: string
  /** Id of the edition of the specification that the bank is held to; the default one when left out. */
  edition?: string
  /** PEM. */
  ca?: string
  /** The address that asks for client certificates, where it is not the issuer (AMB-65). */
  mutualTls?: string
  /** Which of its two addresses is the audience of assertions for an endpoint that is called there; the issuer's when left out. */
  mutualTlsAudience?: 'issuer' | 'mutual_tls'
  control?: { url: string; token: string }
  /** By which the service knows the bank at /user-stat-data. */
  idpId?: string
  /** The service's private keys. */
  keys?: JWK[]
  clientCertificate?: ClientCertificate
  /** Of somebody else whom the bank trusts as well. */
  otherClientCertificate?: ClientCertificate
  /** Whether every connection shows the client certificate, since the bank's whole host asks for it (AMB-65). */
  certificateEverywhere?: boolean
  server?: ServerSettings
  client?: GivenClient
  /** A second one that the bank has registered, beside `client`. */
  otherClient?: GivenClient
  /**
   * Whether the signing flow is offered (AMB-38), where, if not at /ros and /authorize below the issuer (AMB-30), and whose key signs good
   * request objects: the client's when left out (AMB-72).
   */
  signing?: { offered?: boolean; ros?: string; authorize?: string; signed_by?: 'client' | 'service' }
  people: Person[]
  /** In the order they are tried; empty when the file does not say how a person logs in. */
  pages: ReadonlyMap<string, Page>
  /** How people get through them; by forms over HTTP when left out. */
  login?: LoginSettings
  /** Places of the file that are still to be filled in, such as people.0.login; absent where there are none. */
  unfilled?: readonly string[]
  /** What the bank attests of itself, and what the attestations have attached. */
  attestations?: Attestations
  attachments?: ReadonlyMap<Attachment, Buffer>
  /** Patterns of rules that cannot be examined at this bank, each with the reason. */
  notExamined?: readonly { rules: readonly string[]; reason: string }[]
  /** Whether a run may wait, an hour or more, for what the clock of a bank without a control door has to show. */
  slow?: boolean
  concurrency: number
  timeoutSeconds: number
  /** How long is waited for what the bank sends by itself; {@link eventSecondsOf} when left out. */
  eventSeconds?: number
}

/** Seconds in which a bank has to send what it was given cause for: logout and notification tokens. */
export function eventSecondsOf({ eventSeconds = 10 }: Pick<Target, 'eventSeconds'>): number {
  return eventSeconds
}

/** The first person of a kind. */
export function personOf(people: readonly Person[], kind: string): Person | undefined {
  return people.find(({ kinds }) => kinds.includes(kind))
}

/**
 * What keeps the data of a kind of person from being compared in a login like any other: those of `full` are compared by rules of their
 * own, `changing` and `second-changing` are changed while the run goes on, some cannot log in, and some choose whose data they give.
 */
const comparedApart = ['full', 'changing', 'second-changing', 'not-eligible', 'switched-off', 'several-accounts']

/** The other people whose data the target file tells, by the first kind that leads to each. */
export function peopleKnown(people: readonly Person[]): ReadonlyMap<string, Person> {
  const found = people.flatMap((person) => {
    if (person.claims === undefined || person.kinds.some((kind) => comparedApart.includes(kind))) return []
    const kind = person.kinds.find((one) => personOf(people, one) === person)
    return kind === undefined ? [] : [[kind, person] as const]
  })
  return new Map(found)
}

/** The address that the paths of the endpoint table follow: an issuer has no slash at its end there (OpenID Connect Discovery section 4.1). */
export function addressOf({ issuer }: Pick<Target, 'issuer'>): string {
  return issuer.replace(/\/$/, '')
}

/** Where the bank's pages may lead: its own addresses, the one asked for among them. */
export function originsOf({ issuer, login }: Target, address: string): string[] {
  return [new URL(issuer).origin, new URL(address).origin, ...(login?.origins ?? [])]
}
