import { BankFailure, Skip } from '../harness/failure.js'
import { missing, toRegister } from '../harness/needs.js'
import { type ApplicationKeys, applicationKeys, givenKeys, withNextEncryptionKey } from '../service/application-keys.js'
import { assertionClaims, assertionType, type Signer, signAssertion } from '../service/assertions.js'
import { defaultMetadata, type Metadata } from './application-metadata.js'
import { Conversation, keyOf, type Run } from './conversation.js'
import { discover } from './discovery.js'
import type { HttpRequest, HttpResponse } from './http.js'
import type { Operation } from './operation.js'
import { inStep } from './steps.js'
import type { GivenClient } from './target.js'

/** POST /register, step by step ("Exposed by the bank" 4). */
export interface RegistrationRequest {
  endpoint: string
  record: Metadata
  /** Of RegistrationAuthJWT ("Client assertion JWT claims"). */
  claims: Record<string, string | number>
  signer: Signer
  assertionType: string
  /** Whether the client certificate is shown. */
  certificate: boolean
}

/** An application that the bank has registered. */
export interface Application {
  clientId: string
  /** What the bank gave it; absent when it gave none. */
  clientSecret?: string
  /** The record as it was sent, or as the target file tells it. */
  metadata: Metadata
  redirectUri: string
  /** The scopes it registered, without openid. */
  dataScopes: readonly string[]
  keys: ApplicationKeys
}

/** What came of a registration. */
export interface Registration {
  request: RegistrationRequest
  response: HttpResponse
}

function serviceParts({ run: { service } }: Conversation) {
  const { signer, server } = service
  if (!signer || !server) throw new Error('a rule that registers has to need what is in toRegister')
  return { signer, server, now: service.clock() }
}

function hostKeys(conversation: Conversation, path: string, { signing, encryption }: ApplicationKeys): void {
  serviceParts(conversation).server.host(path, {
    contentType: 'application/jwk-set+json',
    body: JSON.stringify({ keys: [signing.publicJwk, encryption.publicJwk] }),
    evidence: conversation.evidence,
  })
}

/** Puts another key to encrypt to in place of the application's at its jwks_uri; gives the application with that key. */
export async function changeEncryptionKey(conversation: Conversation, owner: Application): Promise<Application> {
  const { server } = serviceParts(conversation)
  const keys = await withNextEncryptionKey(owner.keys)
  hostKeys(conversation, String(owner.metadata.jwks_uri).slice(server.url.length), keys)
  return { ...owner, keys }
}

/**
 * A good registration of a new application.
 * @param changes members in place of the default record's; undefined leaves one out
 */
export async function prepareRegistration(
  conversation: Conversation,
  changes: Metadata = {},
): Promise<RegistrationRequest> {
  const { signer, server, now } = serviceParts(conversation)
  const discovery = await discover(conversation)
  const endpoint = await discovery.registrationEndpoint()
  const keys = await applicationKeys()
  const path = `/${conversation.name()}`
  hostKeys(conversation, `${path}/jwks.json`, keys)
  const record = { ...defaultMetadata(discovery, `${server.url}${path}`, conversation.run.seed), ...changes }
  return {
    endpoint,
    record: Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)),
    claims: assertionClaims({ aud: endpoint }, now),
    signer,
    assertionType,
    certificate: true,
  }
}

/** Sends a registration; whatever comes to be at the bank is taken away at the end of the run. */
export function sendRegistration(conversation: Conversation, request: RegistrationRequest): Promise<HttpResponse> {
  const { run, evidence } = conversation
  const send = async () => {
    const assertion = await signAssertion(request.claims, request.signer, evidence)
    conversation.signal.throwIfAborted()
    // Once begun it is not given up with the run: what is registered unheard of could not be taken away.
    const response = await run.http.send(registrationMessage(request, assertion), { evidence, signal: neverAborted() })
    const clientId = response.member('client_id')
    if (typeof clientId === 'string') {
      const token = response.member('registration_access_token')
      const deletion = { endpoint: request.endpoint, clientId, token: typeof token === 'string' ? token : '' }
      run.registrations.add({ clientId, remove: () => removeRegistration(run, deletion) })
    }
    return response
  }
  return run.registrations.await(send())
}

function registrationMessage({ endpoint, record, ...request }: RegistrationRequest, assertion: string): HttpRequest {
  return {
    method: 'POST',
    url: endpoint,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      client_assertion: assertion,
      client_assertion_type: request.assertionType,
    },
    body: JSON.stringify(record),
    certificate: request.certificate,
  }
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}

/** DELETE /register/{client_id} ("Exposed by the bank" 5). @throws Error with the reason when the bank does not do it */
async function removeRegistration(
  run: Run,
  { endpoint, clientId, token }: { endpoint: string; clientId: string; token: string },
): Promise<void> {
  const conversation = new Conversation(run, `removal of ${clientId}`, neverAborted())
  const { signer, now } = serviceParts(conversation)
  const claims = assertionClaims({ aud: endpoint }, now)
  const { status } = await conversation.send({
    method: 'DELETE',
    url: `${endpoint}/${encodeURIComponent(clientId)}`,
    headers: {
      client_assertion: await signAssertion(claims, signer, conversation.evidence),
      client_assertion_type: assertionType,
      authorization: `Bearer ${token}`,
    },
    certificate: true,
  })
  if (status !== 204 && status !== 200) throw new Error(`the bank answers DELETE with status ${status}`)
}

/** Registers an application with these changes of the default record, once in a run, and tells how the bank answered. */
export function registerOnce(conversation: Conversation, changes: Metadata = {}): Promise<Registration> {
  return conversation.shared(keyOf('registration', changes), async (own) => {
    const request = await prepareRegistration(own, changes)
    return { request, response: await inStep('registration', () => sendRegistration(own, request)) }
  })
}

/**
 * The application registered with these changes of the default record; without changes the one that the target file gives, if any.
 * @throws StepFailure when the bank gave no client_id
 * @throws Skip when it cannot be registered, for the target file gives a client in place of registration
 */
export async function application(conversation: Conversation, changes: Metadata = {}): Promise<Application> {
  const { client } = conversation.run.target
  if (client && Object.keys(changes).length === 0) return givenApplication(conversation, client)
  const lacking = client && toRegister.map((need) => missing(need, conversation.run.target)).find(Boolean)
  if (lacking) throw new Skip(`a client like the one given cannot be registered: ${lacking}`)
  const { request, response } = await registerOnce(conversation, changes)
  return inStep('registration', async () => {
    const clientId = response.member('client_id')
    const clientSecret = response.member('client_secret')
    if (response.status < 300 && typeof clientId === 'string') {
      const keys = await applicationKeys()
      const given = typeof clientSecret === 'string' && { clientSecret }
      return { clientId, ...given, ...partsOf(request.record), keys }
    }
    const sentence = `POST /register gave no client_id (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

function givenApplication(conversation: Conversation, client: GivenClient): Promise<Application> {
  return conversation.shared('given client', async () => ({
    clientId: client.clientId,
    ...(client.clientSecret && { clientSecret: client.clientSecret }),
    ...partsOf(client.record),
    keys: await givenKeys(client.keys),
  }))
}

function partsOf(metadata: Metadata): Pick<Application, 'metadata' | 'redirectUri' | 'dataScopes'> {
  const [redirectUri] = Array.isArray(metadata.redirect_uris) ? metadata.redirect_uris : []
  const dataScopes = String(metadata.scope)
    .split(' ')
    .filter((scope) => scope !== 'openid')
  return { metadata, redirectUri: String(redirectUri), dataScopes }
}

/** The registration of an application as the default record has it, to be replaced in one step. */
export const registration: Operation<RegistrationRequest> = {
  succeeds: application,
  prepare: prepareRegistration,
  send: sendRegistration,
}
