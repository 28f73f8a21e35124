import { BankFailure, StepFailure } from '../evidence/failure.js'
import { assertionClaims, assertionType, recordAssertion, type Signer, signAssertion } from '../service/assertions.js'
import { TargetError } from '../target/target-error.js'
import { secretSignature } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import type { Client } from './registration.js'
import { ruleAboutStep } from './steps.js'

/** What a request to the token endpoint and its like carries to show which client sends it. */
export interface ClientAuthentication {
  headers: Record<string, string>
  form: Record<string, string>
}

/** What a rule changes of a good assertion. */
export interface AssertionChanges {
  /** Claims in place of the good ones; undefined leaves one out. */
  claims?: Record<string, unknown>
  /** `typ` of its header in place of JWT; null leaves it out. */
  typ?: string | null
  signer?: Signer
  /** As of a signer, whichever it is. */
  critical?: string
  /** A JWT in place of the one that would be made. */
  jwt?: string
  /** What is sent of the JWT that was made. */
  presented?(jwt: string): string
}

type Method = (
  client: Client,
  endpoint: string,
  conversation: Conversation,
  changes: AssertionChanges,
) => Promise<ClientAuthentication> | ClientAuthentication

const noSecret = 'POST /register gave a client of client_secret_jwt no client_secret, or an empty one'

/** By the registered token_endpoint_auth_method (OpenID Connect Core section 9). */
const methods: Record<string, Method> = {
  client_secret_basic: ({ clientId, clientSecret = '' }) => ({
    headers: {
      authorization: `Basic ${Buffer.from([clientId, clientSecret].map(formEncoded).join(':')).toString('base64')}`,
    },
    form: {},
  }),
  client_secret_post: ({ clientId, clientSecret = '' }) => ({
    headers: {},
    form: { client_id: clientId, client_secret: clientSecret },
  }),
  client_secret_jwt: async ({ clientId, clientSecret, metadata }, endpoint, conversation, changes) => {
    // Nothing can be signed with it: no request can be made that the bank could judge.
    if (!clientSecret) throw new StepFailure(ruleAboutStep.registration, new BankFailure({ sentence: noSecret }))
    const alg = String(metadata.token_endpoint_auth_signing_alg ?? secretSignature(await discover(conversation)))
    const signer = { alg, privateKey: new TextEncoder().encode(clientSecret) }
    return asserted(clientId, endpoint, { signer, ...changes }, conversation)
  },
  private_key_jwt: async (client, endpoint, conversation, changes) =>
    asserted(client.clientId, endpoint, { signer: await signerOf(client, conversation), ...changes }, conversation),
  none: ({ clientId }) => ({ headers: {}, form: { client_id: clientId } }),
}

/** What signs the assertions of a client: the key that goes with the algorithm it registered, else with one that the bank declares. */
async function signerOf({ metadata, keys }: Client, conversation: Conversation): Promise<Signer> {
  const { signing, ecSigning } = keys
  const registered = metadata.token_endpoint_auth_signing_alg
  if (!ecSigning) return signing
  if (registered !== undefined) return ecSigning.alg === registered ? ecSigning : signing
  const declared = (await discover(conversation)).declared('token_endpoint_auth_signing_alg_values_supported')
  return declared?.includes(ecSigning.alg) && !declared.includes(signing.alg) ? ecSigning : signing
}

/**
 * Authenticates a client by the method it registered.
 * @param endpoint the address asked, which is the audience of an assertion
 * @param changes of the assertion, where the method has one
 * @throws TargetError when a given client has a method that nobody can use
 */
export async function authenticateClient(
  conversation: Conversation,
  client: Client,
  endpoint: string,
  changes: AssertionChanges = {},
): Promise<ClientAuthentication> {
  // RFC 7591 section 2: what a client uses that registered no method.
  const method = String(client.metadata.token_endpoint_auth_method ?? 'client_secret_basic')
  const authenticate = methods[method]
  if (authenticate) return authenticate(withCurrentSecret(client, conversation), endpoint, conversation, changes)
  throw new TargetError([
    `client.record.token_endpoint_auth_method: ${method} is none of ${Object.keys(methods).join(', ')}`,
  ])
}

/** A client with the secret that holds now, where a PUT brought it another. */
function withCurrentSecret(client: Client, { run }: Conversation): Client {
  const { clientId, clientSecret } = client
  if (clientSecret === undefined) return client
  return { ...client, clientSecret: run.registrations.secrets.current(clientId, clientSecret) }
}

async function asserted(
  clientId: string,
  aud: string,
  { signer, critical, claims, typ, jwt, presented = (made) => made }: AssertionChanges & { signer: Signer },
  { evidence, run }: Conversation,
): Promise<ClientAuthentication> {
  const good = assertionClaims({ iss: clientId, sub: clientId, aud }, run.service.clock())
  const changed = Object.entries({ ...good, ...claims }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  const signing = critical === undefined ? signer : { ...signer, critical }
  const assertion = jwt ?? presented(await signAssertion(Object.fromEntries(changed), signing, typ))
  recordAssertion(assertion, evidence)
  return {
    headers: {},
    form: { client_id: clientId, client_assertion: assertion, client_assertion_type: assertionType },
  }
}

/** RFC 6749 section 2.3.1: both parts of Basic credentials are form-encoded first. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
