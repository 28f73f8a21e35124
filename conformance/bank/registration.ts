import { isDeepStrictEqual } from 'node:util'
import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { type ClientKeys, clientKeys, givenKeys, keysOfOne, withNextEncryptionKey } from '../service/client-keys.js'
import type { ServiceServer } from '../service/server.js'
import { missing, toRegister } from '../target/needs.js'
import type { GivenClient } from '../target/target.js'
import { anotherClient, defaultMetadata, type Metadata } from './client-metadata.js'
import { Conversation, keyOf, type Run } from './conversation.js'
import { discover } from './discovery.js'
import { outOfDress } from './dress.js'
import { dressing } from './dressing.js'
import { hostKeySet } from './hosted-keys.js'
import { operation } from './operation.js'
import { bearer, goodCall, messageOf, type RegistrationCall } from './registration-call.js'
import type { SeenRecord } from './seen-records.js'
import { inStep } from './steps.js'

/** POST /register. */
export interface RegistrationRequest extends RegistrationCall {
  record: Metadata
  /** Those of the client, where it has others than every client of ours. */
  keys?: ClientKeys
}

/** A client that the bank has registered. */
export interface Client {
  clientId: string
  /** What the bank gave it; absent when it gave none. */
  clientSecret?: string
  /** The record as it was sent, or as the target file tells it. */
  metadata: Metadata
  redirectUri: string
  /** The scopes it registered, without openid and offline_access. */
  dataScopes: readonly string[]
  keys: ClientKeys
}

/** A client of one rule's own, to be changed and deleted. */
export interface OwnClient extends Client {
  /** The address of POST /register. */
  endpoint: string
  /** The registration access token. */
  token: string
  /** The answer to its registration. */
  response: HttpResponse
}

/** What came of a registration. */
export interface Registration {
  request: RegistrationRequest
  response: HttpResponse
}

/** Claims of a good RegistrationAuthJWT. */
export async function assertionClaims(conversation: Conversation): Promise<Record<string, unknown>> {
  return goodCall(conversation, await (await discover(conversation)).registrationEndpoint()).claims
}

/** Where banks fetch from. */
function hostOf({ run: { service } }: Conversation): ServiceServer {
  if (service.server) return service.server
  throw new Error('a rule that registers has to need what is in toRegister')
}

function hostClientKeys(conversation: Conversation, path: string, keys: ClientKeys): void {
  const published = Object.values(keys).map(({ publicJwk }) => publicJwk)
  hostKeySet(hostOf(conversation), path, published, conversation.evidence)
}

/** Keys of single clients, by the jwks_uri that they are at. */
const ofOne = new WeakMap<Run, Map<string, ClientKeys>>()

/** Hosts keys that no other client of the run has, and gives the jwks_uri for the client that is to have them. */
export async function hostKeysOfOne(conversation: Conversation, alg: string): Promise<string> {
  const keys = await keysOfOne(alg)
  const path = `/${conversation.name()}/jwks.json`
  hostClientKeys(conversation, path, keys)
  const known = ofOne.get(conversation.run) ?? new Map<string, ClientKeys>()
  ofOne.set(conversation.run, known)
  const uri = `${hostOf(conversation).url}${path}`
  known.set(uri, keys)
  return uri
}

/** Puts another key to encrypt to in place of the client's at its jwks_uri; gives the client with that key. */
export async function changeEncryptionKey(conversation: Conversation, owner: Client): Promise<Client> {
  const { url } = hostOf(conversation)
  const keys = await withNextEncryptionKey(owner.keys)
  hostClientKeys(conversation, String(owner.metadata.jwks_uri).slice(url.length), keys)
  return { ...owner, keys }
}

/** Of the default record what is required as published, and may not be otherwise: the specification does not show it (AMB-58). */
export const withoutPublished: Metadata = Object.fromEntries(
  ['request_uris', 'require_auth_time', 'default_max_age', 'tos_uri', 'logo_uri'].map((field) => [field, undefined]),
)

/** Those that this bank does not ask for, found out once in a run. */
async function sparedMembers(conversation: Conversation): Promise<Metadata> {
  const { response } = await outOfDress(() => registration(conversation, withoutPublished))
  return response.status < 400 ? withoutPublished : {}
}

/** A good registration of a new client. */
async function prepare(conversation: Conversation, changes: Metadata): Promise<RegistrationRequest> {
  const { url } = hostOf(conversation)
  const discovery = await discover(conversation)
  const keys = await clientKeys()
  const path = `/${conversation.name()}`
  hostClientKeys(conversation, `${path}/jwks.json`, keys)
  const base = `${url}${path}`
  const record = {
    ...defaultMetadata(discovery, base, conversation.run.seed),
    ...(await dressing()?.metadata(conversation, base, changes)),
    ...(dressing()?.ofFewest && (await sparedMembers(conversation))),
    ...changes,
  }
  const own = ofOne.get(conversation.run)?.get(String(changes.jwks_uri))
  return {
    ...goodCall(conversation, await discovery.registrationEndpoint()),
    ...(own && { keys: own }),
    record: Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)),
  }
}

/** Sends a registration; whatever comes to be at the bank is taken away at the end of the run. */
function send(conversation: Conversation, request: RegistrationRequest): Promise<HttpResponse> {
  const { run } = conversation
  const sent = async () => {
    const message = await messageOf(conversation, 'POST', request.endpoint, request, request.record)
    conversation.signal.throwIfAborted()
    // Once begun it is not given up with the run: what is registered unheard of could not be taken away.
    const response = await conversation.send(message, neverAborted())
    // A certificate that nobody vouches for is refused by what ends TLS before the bank, which may have a page for it (nginx: 400).
    if (response.status === 400 && request.certificate === true) run.seen.note({ kind: 'direct error', response })
    const clientId = response.member('client_id')
    if (typeof clientId === 'string') {
      const token = response.member('registration_access_token')
      const deletion = { endpoint: request.endpoint, clientId, token: typeof token === 'string' ? token : '' }
      run.registrations.add({ clientId, remove: (deleted) => removeRegistration(run, deletion, deleted) })
    }
    return response
  }
  return run.registrations.await(sent())
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}

/** DELETE /register/{client_id} ("Exposed by the bank" 5). @throws Error with the reason when the bank does not do it */
async function removeRegistration(
  run: Run,
  { endpoint, clientId, token }: { endpoint: string; clientId: string; token: string },
  deleted: boolean,
): Promise<void> {
  const conversation = new Conversation(run, `removal of ${clientId}`, neverAborted())
  const url = `${endpoint}/${encodeURIComponent(clientId)}`
  const call = goodCall(conversation, endpoint)
  const held = run.registrations.tokens.current(clientId, token)
  const { status } = await conversation.send(
    await messageOf(conversation, 'DELETE', url, call, undefined, bearer(held)),
  )
  const gone = status === 204 || status === 200 || (deleted && (status === 401 || status === 404))
  if (gone) return
  const why = status === 401 ? run.registrations.whyRefused(clientId) : ''
  throw new Error(`the bank answers DELETE with status ${status}${why}`)
}

/**
 * POST /register, whatever the bank answers. Its options are members in place of the default record's; undefined leaves one out. To be
 * replaced in one step is the registration of a client as the default record has it.
 */
export const registration = operation({
  step: 'registration',
  key: (_conversation, changes: Metadata) => keyOf('registration', changes),
  prepare,
  send,
  read: (_conversation, response, request): Registration => ({ request, response }),
  baseline: async (conversation): Promise<Client> => {
    const good = await registration(conversation)
    return inStep('registration', () => registered(good))
  },
})

/** The one that the target file gives in place of a client with these changes of the default record. */
function givenFor({ run: { target } }: Conversation, changes: Metadata): GivenClient | undefined {
  if (Object.keys(changes).length === 0) return target.client
  return isDeepStrictEqual(changes, anotherClient) ? target.otherClient : undefined
}

/** Why no client can be had with these changes of the default record; undefined where one can. */
function lackingFor(conversation: Conversation, changes: Metadata): string | undefined {
  const { target } = conversation.run
  if (!target.client || givenFor(conversation, changes)) return undefined
  return toRegister.map((need) => missing(need, target)).find((reason) => reason !== undefined)
}

/**
 * The client registered with these changes of the default record; without changes, or as {@link anotherClient}, the one that the target
 * file gives, if any.
 * @throws StepFailure when the bank gave no client_id
 * @throws Skip when it cannot be registered, for the target file gives a client in place of registration
 */
async function sharedClient(conversation: Conversation, changes: Metadata = {}): Promise<Client> {
  const given = givenFor(conversation, changes)
  if (given) return givenClient(conversation, given)
  const lacking = lackingFor(conversation, changes)
  if (lacking) throw new Skip(`a client like the one given cannot be registered: ${lacking}`)
  const answered = await registration(conversation, changes)
  const client = await inStep('registration', () => registered(answered))
  noteRecord(conversation, answered)
  return dressing()?.replaced
    ? conversation.shared(`${keyOf('put', changes)}`, (own) => putAgain(own, answered, client))
    : client
}

/** A client once a PUT replaced its record by the same; as it was where the bank takes no such PUT, which the rules about it tell. */
async function putAgain(
  conversation: Conversation,
  { request, response }: Registration,
  client: Client,
): Promise<Client> {
  const token = response.member('registration_access_token')
  if (typeof token !== 'string') return client
  const url = `${request.endpoint}/${encodeURIComponent(client.clientId)}`
  const call = goodCall(conversation, request.endpoint)
  const record = { ...request.record, client_id: client.clientId }
  const message = await messageOf(conversation, 'PUT', url, call, record, bearer(token))
  const answer = await inStep('registrationReplacement', () => conversation.send(message))
  const { secrets, tokens } = conversation.run.registrations
  const { clientId, clientSecret } = client
  if (answer.status >= 300) return client
  // Which one answers with no content tells nothing (AMB-31).
  if (answer.status !== 204)
    conversation.run.registrations.records.note({ method: 'PUT', sent: request.record, response: answer })
  tokens.note(clientId, token, answer.member('registration_access_token'))
  secrets.note(clientId, clientSecret, answer.member('client_secret'))
  return clientSecret === undefined ? client : { ...client, clientSecret: secrets.current(clientId, clientSecret) }
}

/** The client of a registration, with what its owner needs to change or delete it. @throws StepFailure when it was not registered */
export function asOwn(registration: Registration): Promise<OwnClient> {
  const { request, response } = registration
  return inStep('registration', async () => {
    const client = await registered(registration)
    const token = response.member('registration_access_token')
    if (typeof token === 'string') return { ...client, endpoint: request.endpoint, token, response }
    const sentence = 'POST /register gave no registration_access_token'
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

/** A client, to look at, or of one's own with `fresh`. */
export const client = Object.assign(sharedClient, {
  /** Whether there is one, registered or given. */
  canBe: (conversation: Conversation, changes: Metadata) => lackingFor(conversation, changes) === undefined,
  async fresh(conversation: Conversation, changes: Metadata = {}): Promise<OwnClient> {
    const answered = await registration.fresh(conversation, changes)
    const own = await asOwn(answered)
    noteRecord(conversation, answered)
    return own
  },
})

/** What came back of the records of this run's clients so far: those of which nothing is told apart, once each. */
export function seenRecords({ run }: Conversation): readonly SeenRecord[] {
  return run.registrations.records.all()
}

function noteRecord({ run }: Conversation, { request, response }: Registration): void {
  run.registrations.records.note({ method: 'POST', sent: request.record, response })
}

/** Whether a client was registered in this run, by this rule or another. */
export function hasRegistered({ run }: Conversation, clientId: string): boolean {
  return run.registrations.has(clientId)
}

async function registered({ request, response }: Registration): Promise<Client> {
  const clientId = response.member('client_id')
  const clientSecret = response.member('client_secret')
  if (response.status < 300 && typeof clientId === 'string') {
    const given = typeof clientSecret === 'string' && { clientSecret }
    return { clientId, ...given, ...partsOf(request.record), keys: request.keys ?? (await clientKeys()) }
  }
  const sentence = `POST /register gave no client_id (status ${response.status})`
  throw new BankFailure({ sentence, evidence: response.evidence })
}

function givenClient(conversation: Conversation, clientMetadata: GivenClient): Promise<Client> {
  return conversation.shared(`given client ${clientMetadata.clientId}`, async () => ({
    clientId: clientMetadata.clientId,
    ...(clientMetadata.clientSecret && { clientSecret: clientMetadata.clientSecret }),
    ...partsOf(clientMetadata.record),
    keys: await givenKeys(clientMetadata.keys),
  }))
}

function partsOf(metadata: Metadata): Pick<Client, 'metadata' | 'redirectUri' | 'dataScopes'> {
  const registered = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : []
  const redirectUri = dressing()?.redirectUri(registered) ?? registered[0]
  const dataScopes = String(metadata.scope)
    .split(' ')
    .filter((scope) => !['openid', 'offline_access'].includes(scope))
  return { metadata, redirectUri: String(redirectUri), dataScopes }
}
