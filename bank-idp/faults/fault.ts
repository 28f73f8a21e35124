import type { IncomingHttpHeaders } from 'node:http'
import type { SecureContextOptions } from 'node:tls'
import type { JWK, JWSHeaderParameters, JWTPayload } from 'jose'
import type { Lifetimes } from '../provider/lifetimes.js'
import type { SubjectPlan } from '../provider/subjects.js'
import type { Clients } from '../store/clients.js'

/** An answer as a fault may change it before it leaves. A JSON body is parsed; any other is text. Header names in lower case. */
export interface SeamResponse {
  status: number
  headers: Record<string, string | string[]>
  body: unknown
}

/** What the bank signs and encrypts. */
export type NestedJwtKind = 'id_token' | 'userinfo' | 'profile' | 'logout_token' | 'notification_token'

/** A reply with user data that is going to be signed, then encrypted: a nested JWT (RFC 7519 section 11.2). */
export interface NestedJwt {
  claims: JWTPayload
  /** 'none' leaves the JWT unsecured (RFC 7519 section 6). */
  signing: { alg: string; key: JWK } | 'none'
  encryption?: { alg: string; enc: string; key: JWK }
}

/** What a fault may know of a reply that is going to be signed and encrypted. */
export interface NestedJwtFacts {
  /** Absent when the reply is for no client alone. */
  clientId?: string
  /** The bank's current signing key for an algorithm. */
  bankKey(alg: 'PS512' | 'ES512'): JWK
}

/** What stands in for methods of the store of clients: each is given the store as it is, and the method's parameters. */
export type ClientsSeam = {
  [Method in keyof Clients]?: (
    store: Clients,
    ...parameters: Parameters<Clients[Method]>
  ) => ReturnType<Clients[Method]>
}

/** METHOD /path, with the path of the specification's endpoint table; /auth covers where it resumes after the pages. */
export type Route =
  | 'GET /.well-known/openid-configuration'
  | 'GET /.well-known/jwks.json'
  | 'GET /healthcheck'
  | 'POST /register'
  | 'GET /register/{client_id}'
  | 'PUT /register/{client_id}'
  | 'DELETE /register/{client_id}'
  | 'GET /auth'
  | 'PUT /auth'
  | 'DELETE /auth'
  | 'POST /token'
  | 'POST /token-info'
  | 'POST /revoke'
  | 'GET /userinfo'
  | 'GET /profile'
  | 'POST /ros'
  | 'GET /authorize'
  | 'GET /interaction'

/** What POST /ros was sent. */
export interface OpenedRequest {
  header: JWSHeaderParameters
  claims: Record<string, unknown>
  headers: IncomingHttpHeaders
}

/** A kept record: the members that oidc-provider gives it. */
export type StoredRecord = Record<string, unknown>

/** What a fault does to the records of one kind. */
export interface RecordSeam {
  model: 'AccessToken' | 'AuthorizationCode' | 'Grant' | 'RefreshToken' | 'Session'
  /** Changes a record that was found; undefined: it is not found. */
  found?: (record: StoredRecord) => StoredRecord | undefined
  /** Changes a record before it is kept, and those of the same client that were kept before. */
  kept?: (
    record: StoredRecord,
    earlier: readonly StoredRecord[],
  ) => { record?: StoredRecord; changed?: readonly StoredRecord[]; ended?: readonly StoredRecord[] }
  /** Seconds for which a record is still good past the expiry that is told of it. */
  graceSeconds?: number
  /** Operations that have no effect: the use of a record, its end, the end of all that rest on a grant. */
  ignores?: readonly ('consume' | 'destroy' | 'revokeByGrantId')[]
}

/**
 * A deviation from the specification that can be switched on. It wraps seams of the bank; the answer stays well-formed and plausible in
 * all but the sentence it breaks.
 */
export interface Fault {
  /** topic/slug; stable. */
  id: string
  /** Ids of the requirements it breaks. */
  breaks: string[]
  title: string
  /** Rules of other requirements that it turns red too, each with the reason why that cannot be otherwise. */
  collateral?: Record<string, string>
  response?: Partial<Record<Route, (response: SeamResponse, bank: BankFacts) => SeamResponse>>
  nestedJwt?: Partial<
    Record<NestedJwtKind, (nestedJwt: NestedJwt, facts: NestedJwtFacts) => NestedJwt | Promise<NestedJwt>>
  >
  /** Stands in for methods of the store of clients. */
  clients?: ClientsSeam
  /** How a person is going to be known at a client. */
  subject?: (plan: SubjectPlan) => SubjectPlan
  /** The versions and suites of TLS that the bank agrees to. */
  tls?: (options: SecureContextOptions) => SecureContextOptions
  /** Changes the parameters of a request before the bank looks at them, so that it is permissive. */
  request?: Partial<Record<Route, (parameters: URLSearchParams, bank: Pick<BankFacts, 'issuer'>) => void>>
  /** Changes the claims of a request object, or the headers beside it, before the bank looks at them. */
  requestObject?: (request: OpenedRequest) => void
  /** The scopes that a person is taken to have consented to, from those consented to. */
  consented?: (scopes: readonly string[]) => readonly string[]
  /** Changes what the bank keeps of codes, tokens, grants and sessions. */
  records?: RecordSeam[]
  /** The value of an access token in place of 256 random bits. */
  accessToken?: (random: string, record: StoredRecord) => string
  /** Lifetimes in seconds in place of those in force. */
  lifetimes?: (inForce: Lifetimes) => Partial<Lifetimes>
  /** Further paths at which the bank answers as at another of its paths. */
  paths?: Record<string, string>
  /** Named checks that are not asked. */
  without?: string[]
}

/** What a fault may know of the bank it lives in. */
export interface BankFacts {
  issuer: string
  /** The query of the request that is answered. */
  query: URLSearchParams
  /** For `response`: a header of the request, by its name in lower case. */
  requestHeader?(name: string): string | undefined
}

/** Declares a fault. */
export function fault(definition: Fault): Fault {
  return Object.freeze(definition)
}

/** For `response`: asks for a Bearer token, where none is to be asked for. */
export function unauthorized(): SeamResponse {
  return {
    status: 401,
    headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
    body: { error: 'invalid_token', error_description: 'a token is required' },
  }
}

/** For `response`: changes the JSON object of an answer of success, and leaves refusals alone. */
export function body(change: (members: Record<string, unknown>, bank: BankFacts) => unknown) {
  return (response: SeamResponse, bank: BankFacts): SeamResponse =>
    response.status < 300 && isObject(response.body) ? { ...response, body: change(response.body, bank) } : response
}

/** The members of an object without some of them. */
export function omit(members: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
