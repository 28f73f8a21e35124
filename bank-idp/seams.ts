import type { IncomingHttpHeaders } from 'node:http'
import type { SecureContextOptions } from 'node:tls'
import type { JWK, JWSHeaderParameters, JWTPayload } from 'jose'
import type { ClientStore, RegistrationRecord } from './client.js'
import type { Lifetimes } from './lifetimes.js'
import type { People } from './people.js'

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
  | 'PATCH /auth'
  | 'DELETE /auth'
  | 'GET /token'
  | 'POST /token'
  | 'POST /device_authorization'
  | 'POST /token-info'
  | 'POST /revoke'
  | 'GET /userinfo'
  | 'GET /profile'
  | 'POST /ros'
  | 'GET /authorize'
  | 'GET /interaction'
  | 'GET /session/end'
  | 'POST /session/end'

/** An answer as it may be changed before it leaves. A JSON body is parsed; any other is text. Header names in lower case. */
export interface SeamResponse {
  status: number
  headers: Record<string, string | string[]>
  body: unknown
}

/** What is known of the request that is answered. */
export interface ResponseFacts {
  issuer: string
  /** The query of the request; the form in its place where an authorization request came as one. */
  query: URLSearchParams
  /** Whether an authorization request came as a form. */
  posted: boolean
  /** The form that the request carried; empty where it carried none. */
  form: URLSearchParams
  /** A header of the request, by its name in lower case. */
  requestHeader(name: string): string | undefined
}

/** What is known where the parameters of a request are changed. */
export interface RequestFacts {
  issuer: string
  /** Whether an authorization request came as a form; left out elsewhere. */
  posted?: boolean
  /** The query of the address to which a client sent its form; left out elsewhere. */
  query?: URLSearchParams
}

/** What the bank signs and encrypts. */
export type NestedJwtKind = 'id_token' | 'userinfo' | 'profile' | 'logout_token' | 'notification_token'

/** A reply with user data that is going to be signed, then encrypted: a nested JWT (RFC 7519 section 11.2). */
export interface NestedJwt {
  claims: JWTPayload
  /** 'none' leaves the JWT unsecured (RFC 7519 section 6). */
  signing: { alg: string; key: JWK } | 'none'
  /** Leaves the claims as they are, in no JWT. */
  bare?: true
  /** What its header says it is (RFC 7515 section 4.1.9). */
  typ: string
  encryption?: {
    alg: string
    enc: string
    key: JWK
    /** Leaves out of its header that a JWT is in it (RFC 7519 section 5.2). */
    untyped?: true
  }
}

/** What is known of a reply that is going to be signed and encrypted. */
export interface NestedJwtFacts {
  /** Absent when the reply is for no client alone. */
  clientId?: string
  /** What an id_token is issued for at /token: its grant_type; absent at /auth, and for what is no id_token. */
  grant?: string
  /** The bank's current signing key for an algorithm. */
  bankKey(alg: 'PS512' | 'ES512'): JWK
}

/** What is known of a registration record of which a member is judged or answered. */
export interface RecordFacts {
  method: 'POST' | 'GET' | 'PUT'
  record: Readonly<Record<string, unknown>>
  /** Of a PUT: the record that it replaces. */
  replaced?: Readonly<Record<string, unknown>>
}

/** A client assertion as the checks see it. */
export interface JudgedAssertion {
  /** As it came. */
  jwt: string
  header: { alg?: string; kid?: string; typ?: string; b64?: boolean }
  claims: JWTPayload
  /** Whether its signature is taken for good unseen. */
  believed?: boolean
}

/** What is known of a client assertion that is judged. */
export interface AssertionFacts {
  clientId: string
  /** The path that it was sent to. */
  endpoint: string
  /** The token_endpoint_auth_method that the client registered. */
  method: string
  /** The algorithms that are allowed, and the values of `aud` that are. */
  algorithms: readonly string[]
  audience: readonly string[]
}

/** What is known of a RegistrationAuthJWT that is judged. */
export interface ServiceAssertionFacts {
  /** Of the call that it came with. */
  method: string
  /** The values of `aud` that are allowed. */
  audience: readonly string[]
}

/** A request object at request_uri as the checks see it. */
export interface JudgedObject {
  /** As it came; of an encrypted one, what was in it. */
  jws: string
  header: JWSHeaderParameters & { alg: string }
  claims: JWTPayload
  /** Whether its signature is taken for good unseen. */
  believed?: boolean
}

/** What is known of a request object that is judged. */
export interface ObjectFacts {
  clientId: string
  /** The algorithms that are allowed. */
  algorithms: readonly string[]
}

/** What POST /ros was sent. */
export interface OpenedRequest {
  header: JWSHeaderParameters
  claims: Record<string, unknown>
  headers: IncomingHttpHeaders
  /** Whether its signature is taken for good unseen. */
  believed?: boolean
}

/** How a person is going to be known at a client. */
export interface SubjectPlan {
  record: RegistrationRecord
  personId: string
  /** The sector identifier; undefined where the client registered subject_type public. */
  sector: string | undefined
}

/** Whose consent it is, and for whom. */
export interface ConsentFacts {
  clientId: string
  personId: string
}

/** What one client is told of an event. */
export interface EventNotice {
  /** Address that it is posted to. */
  receiver: string
  clientId: string
  personId: string
  content: { kind: 'logout'; sub: string } | { kind: 'notification'; sub: string; claims: string[] }
}

/** How the token of an event is posted. */
export interface EventForm {
  /** Name of the form field. */
  field: string
  contentType: string
}

/** A kept record: the members that oidc-provider gives it. */
export type StoredRecord = Record<string, unknown>

/** What becomes of a record that is going to be kept, and of those of the same client that were kept before. */
export interface RecordChange {
  record?: StoredRecord
  changed?: readonly StoredRecord[]
  ended?: readonly StoredRecord[]
}

export type RecordModel = 'AccessToken' | 'AuthorizationCode' | 'Grant' | 'RefreshToken' | 'Session'

/** What is done to the records of one kind. */
export interface RecordSeam {
  /** The client whose records are meant; undefined: everybody's. */
  clientId: string | undefined
  /** Changes a record that was found; undefined: it is not found. */
  found(record: StoredRecord): StoredRecord | undefined
  /** Changes a record before it is kept, and those of the same client that were kept before; undefined where nothing is to be changed. */
  kept: ((record: StoredRecord, earlier: readonly StoredRecord[]) => RecordChange) | undefined
  /** Seconds for which a record is still good past its stated expiry. */
  graceSeconds: number
  /** Operations that have no effect: the use of a record, its end, the end of all that rest on a grant. */
  ignores: readonly RecordOperation[]
}

export type RecordOperation = 'consume' | 'destroy' | 'revokeByGrantId'

/**
 * The places of a bank where a deviation from the specification may be switched on. Without one each gives back what it is given. The bank
 * knows this interface alone; what implements it is joined to the bank where it is created.
 */
export interface Seams {
  /** Whether a named step or check is left out for a client. */
  leavesOut(step: string, clientId?: string): boolean
  /** What changes the answers of a route; undefined when nothing does, so that answers are not held back for nothing. */
  responses(
    route: Route,
  ): ((response: SeamResponse, facts: ResponseFacts, clientId?: string) => SeamResponse) | undefined
  /** The path of the bank that is meant by a path of a request. */
  path(requested: string): string
  /** A client assertion as the checks are to see it: they let through what it hides from them. */
  judgedAssertion(assertion: JudgedAssertion, facts: AssertionFacts): JudgedAssertion
  /** A RegistrationAuthJWT as the checks are to see it, likewise. */
  judgedServiceAssertion(assertion: JudgedAssertion, facts: ServiceAssertionFacts): JudgedAssertion
  /** A request object at request_uri as the checks are to see it: they let through what it hides from them. */
  judgedObject(object: JudgedObject, facts: ObjectFacts): JudgedObject
  /** How a reply is signed and encrypted. */
  nestedJwt(kind: NestedJwtKind, planned: NestedJwt, facts: NestedJwtFacts): Promise<NestedJwt>
  /**
   * A registration record as the checks are to see it; what is kept, if they take it, is the record that came.
   *
   * @param replaced of a PUT: the one before
   */
  judgedRecord(
    record: Record<string, unknown>,
    method: RecordFacts['method'],
    replaced?: RegistrationRecord,
  ): Record<string, unknown>
  /** A registration record as it is kept and then holds. @param replaced of a PUT: the one before */
  keptRecord(
    record: RegistrationRecord,
    method: RecordFacts['method'],
    replaced?: RegistrationRecord,
  ): RegistrationRecord
  /** A registration record as it is answered. */
  answeredRecord(record: Record<string, unknown>, method: RecordFacts['method']): Record<string, unknown>
  /** Whom an event goes to, and what each is told. */
  notices<Notice extends EventNotice>(planned: readonly Notice[]): readonly Notice[]
  /** How the token of an event is posted. */
  eventForm(planned: EventForm): EventForm
  /** The store of clients as the rest of the bank has it. */
  clients(store: ClientStore): ClientStore
  /** How a person is going to be known at a client. */
  subject(plan: SubjectPlan, clientId: string): SubjectPlan
  /** The versions and suites of TLS; a connection has no client yet. */
  tls(options: SecureContextOptions): SecureContextOptions
  /** Changes the parameters of a request to a route before the bank looks at them. */
  request(route: Route, parameters: URLSearchParams, facts: RequestFacts, clientId?: string): void
  /** Changes a request object that was opened, or the headers beside it, before the bank looks at them. */
  requestObject(request: OpenedRequest): void
  /** The scopes that a person is taken to have consented to, from those consented to. */
  consented(scopes: readonly string[], consent: ConsentFacts): readonly string[]
  /** What is done to the records of one kind. */
  records(model: string): readonly RecordSeam[]
  /** The value of a new access token. */
  accessToken(random: string, record: StoredRecord): string
  /** The lifetimes for a client, in seconds. */
  lifetimes(inForce: Lifetimes, clientId: string): Lifetimes
}

/** What a fault may know of the bank that it is switched on in. */
export interface BankFacts {
  /** Who can log in. */
  people: Pick<People, 'byId' | 'identities'>
  /** All scopes that the bank declares; those of user data in the order of the specification's tables. */
  scopes: readonly string[]
  /** The scopes that are granted with every document to sign. */
  documentScopes: readonly string[]
}

/** A deviation from the specification that can be switched on. */
export interface FaultDescription {
  /** topic/slug; stable. */
  id: string
  /** Ids of the requirements it breaks. */
  breaks: readonly string[]
  /** Names of the places of those requirements at which it breaks them; left out where each has one place alone. */
  places?: readonly string[]
  title: string
}

/** By which the faults of a running bank are switched. */
export interface FaultSwitchboard {
  /** Every fault there is. */
  readonly known: readonly FaultDescription[]
  /**
   * Switches a fault on, for one client or for all.
   *
   * @throws {UsageError} when no fault has the id, or at a bank no client the client_id; the message names the one that comes nearest
   */
  on(id: string, clientId?: string): void
  /** @throws {UsageError} when no fault has the id */
  off(id: string, clientId?: string): void
  /** The faults that are on, each for every client or for one. */
  list(): readonly { fault: FaultDescription; clientId?: string }[]
}
