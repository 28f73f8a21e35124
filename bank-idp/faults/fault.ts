import type { SecureContextOptions } from 'node:tls'
import type { Client, ClientStore, RegisteredClient, RegistrationRecord } from '../client.js'
import type { Lifetimes } from '../lifetimes.js'
import type {
  AssertionFacts,
  BankFacts,
  ConsentFacts,
  EventForm,
  EventNotice,
  FaultDescription,
  JudgedAssertion,
  JudgedObject,
  NestedJwt,
  NestedJwtFacts,
  NestedJwtKind,
  ObjectFacts,
  OpenedRequest,
  RecordChange,
  RecordFacts,
  RecordModel,
  RecordOperation,
  RequestFacts,
  ResponseFacts,
  Route,
  SeamResponse,
  ServiceAssertionFacts,
  StoredRecord,
  SubjectPlan,
} from '../seams.js'

/** Changes what stands at a seam. `bank` is what is known there, `memory` what the fault remembers since it was switched on. */
type Change<Value, Facts, Memory, Changed = Value> = (value: Value, bank: BankFacts & Facts, memory: Memory) => Changed

/** What is done to the records of one kind. */
export interface RecordDeviation<Memory> {
  model: RecordModel
  /** Changes a record that was found; undefined: it is not found. */
  found?: Change<StoredRecord, object, Memory, StoredRecord | undefined>
  /** Changes a record before it is kept, and those of the same client that were kept before. */
  kept?: Change<StoredRecord, { earlier: readonly StoredRecord[] }, Memory, RecordChange>
  /** Seconds for which a record is still good past its stated expiry. */
  graceSeconds?: number
  /** Operations that have no effect. */
  ignores?: readonly RecordOperation[]
}

/** What stands in for methods of the store of clients; `store` is the store as it is. */
interface ClientsDeviation<Memory> {
  find?: Change<string, { store: ClientStore }, Memory, Promise<Client | undefined>>
  /** Whether a registration access token is a client's. */
  authorizes?: Change<string, { store: ClientStore; clientId: string }, Memory, Promise<boolean>>
  create?: Change<RegistrationRecord, { store: ClientStore }, Memory, Promise<RegisteredClient>>
  replace?: Change<RegistrationRecord, { store: ClientStore; clientId: string }, Memory, Promise<void>>
  remove?: Change<string, { store: ClientStore }, Memory, Promise<void>>
}

/** What a fault changes at the seams of a bank. */
export interface Deviation<Memory = unknown> {
  response?: Partial<Record<Route, Change<SeamResponse, ResponseFacts, Memory>>>
  nestedJwt?: Partial<Record<NestedJwtKind, Change<NestedJwt, NestedJwtFacts, Memory, NestedJwt | Promise<NestedJwt>>>>
  /** Changes members of a registration record as the checks see them, by name; undefined hides one, so that it is let through as it came. */
  judgedRecord?: Readonly<Record<string, Change<unknown, RecordFacts, Memory>>>
  /** Changes members of a registration record as it is kept, and then holds, by name; undefined leaves one out. */
  keptRecord?: Readonly<Record<string, Change<unknown, RecordFacts, Memory>>>
  /** Changes members of a registration record as it is answered, by name; undefined leaves one out. */
  answeredRecord?: Readonly<Record<string, Change<unknown, RecordFacts, Memory>>>
  /** Whom an event goes to, and what each is told. */
  notices?: <Notice extends EventNotice>(
    planned: readonly Notice[],
    bank: BankFacts,
    memory: Memory,
  ) => readonly Notice[]
  /** How the token of an event is posted. */
  eventForm?: Change<EventForm, object, Memory>
  /** Changes a client assertion as the checks see it, which lets through what it hides from them. */
  judgedAssertion?: Change<JudgedAssertion, AssertionFacts, Memory>
  /** Changes a RegistrationAuthJWT as the checks see it, likewise. */
  judgedServiceAssertion?: Change<JudgedAssertion, ServiceAssertionFacts, Memory>
  /** Changes a request object at request_uri as the checks see it, which lets through what it hides from them. */
  judgedObject?: Change<JudgedObject, ObjectFacts, Memory>
  /** Stands in for methods of the store of clients. */
  clients?: ClientsDeviation<Memory>
  /** How a person is going to be known at a client. */
  subject?: Change<SubjectPlan, object, Memory>
  /** The versions and suites of TLS that the bank agrees to. */
  tls?: Change<SecureContextOptions, object, Memory>
  /** Changes the parameters of a request before the bank looks at them, so that it is permissive. */
  request?: Partial<Record<Route, Change<URLSearchParams, RequestFacts, Memory, void>>>
  /** Changes the claims of a request object, or the headers beside it, before the bank looks at them. */
  requestObject?: Change<OpenedRequest, object, Memory, void>
  /** The scopes that a person is taken to have consented to, from those consented to. */
  consented?: Change<readonly string[], ConsentFacts, Memory>
  /** Changes what the bank keeps of codes, tokens, grants and sessions. */
  records?: readonly RecordDeviation<Memory>[]
  /** The value of an access token in place of 256 random bits. */
  accessToken?: Change<string, { record: StoredRecord }, Memory>
  /** Lifetimes in seconds in place of those in force. */
  lifetimes?: Change<Lifetimes, object, Memory, Partial<Lifetimes>>
  /** Further paths at which the bank answers as at another of its paths. */
  paths?: Readonly<Record<string, string>>
  /** Named steps and checks that are left out. */
  without?: readonly string[]
}

/** Looks at what a fault changes, together with what it remembers. */
export type Use<Result> = <Memory>(deviation: Deviation<Memory>, memory: Memory) => Result

/** A fault that was switched on, with a memory of its own. */
export type Activated = <Result>(use: Use<Result>) => Result

/**
 * A deviation from the specification that can be switched on. It wraps seams of the bank; the answer stays well-formed and plausible in
 * all but the sentence it breaks.
 */
export interface Fault extends FaultDescription {
  /** Rules of other requirements that it turns red too, each with the reason why that cannot be otherwise. */
  collateral?: Readonly<Record<string, string>>
  /** Switches the fault on once: what it remembers from then on belongs to this activation alone. */
  activate(): Activated
}

type Definition<Memory> = Omit<Fault, 'activate'> & Deviation<Memory>

/** Declares a fault. */
export function fault(definition: Definition<unknown> & { memory?: never }): Fault
/**
 * Declares a fault that remembers something.
 *
 * @param definition `memory` makes what one activation remembers; it is bounded, since a fault may be on for as long as a bank runs
 */
export function fault<Memory>(definition: Definition<Memory> & { memory: () => Memory }): Fault
export function fault<Memory>({
  id,
  breaks,
  places,
  title,
  collateral,
  memory,
  ...deviation
}: Definition<Memory | undefined> & { memory?: () => Memory }): Fault {
  const description = {
    id,
    breaks,
    ...(places && { places }),
    title,
    ...(collateral && { collateral }),
  }
  return Object.freeze({
    ...description,
    activate(): Activated {
      const own = memory?.()
      return (use) => use(deviation, own)
    },
  })
}

/** For `response`: asks for a Bearer token, where none is to be asked for. */
export function unauthorized(): SeamResponse {
  return {
    status: 401,
    headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
    body: { error: 'invalid_token', error_description: 'a token is required' },
  }
}

/** For `response`: refuses a Bearer token under a scheme in small letters, which is the same one (RFC 9110 section 11.1). */
export function bySchemeAlone(
  response: SeamResponse,
  { requestHeader }: Pick<ResponseFacts, 'requestHeader'>,
): SeamResponse {
  return requestHeader('authorization')?.startsWith('bearer ') ? unauthorized() : response
}

/** For `response`: serves JSON to who asks for it by its name alone. */
export function byNameAlone(
  response: SeamResponse,
  { requestHeader }: Pick<ResponseFacts, 'requestHeader'>,
): SeamResponse {
  if (/json/.test(requestHeader('accept') ?? '')) return response
  return { ...response, status: 406, body: { error: 'not_acceptable', error_description: 'ask for JSON' } }
}

/** For `response`: takes the challenge out of a 401 to who tried the Authorization header. */
export function withoutChallenge(
  response: SeamResponse,
  { requestHeader }: Pick<ResponseFacts, 'requestHeader'>,
): SeamResponse {
  if (response.status !== 401 || requestHeader('authorization') === undefined) return response
  const { 'www-authenticate': _, ...headers } = response.headers
  return { ...response, headers }
}

/** For `response`: changes the JSON object of an answer of success, and leaves refusals alone. */
export function body(change: (members: Record<string, unknown>, bank: BankFacts & ResponseFacts) => unknown) {
  return (response: SeamResponse, bank: BankFacts & ResponseFacts): SeamResponse =>
    response.status < 300 && isObject(response.body) ? { ...response, body: change(response.body, bank) } : response
}

/** For `judgedAssertion` and `judgedServiceAssertion`: an assertion that is refused, as one made out to nobody. */
export function madeOutToNobody(assertion: JudgedAssertion): JudgedAssertion {
  return { ...assertion, claims: { ...assertion.claims, aud: '' } }
}

/** The members of an object without some of them. */
export function omit(members: Record<string, unknown>, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
