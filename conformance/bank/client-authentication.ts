import { TargetError } from '../harness/failure.js'
import { assertionClaims, assertionType, type Signer, signAssertion } from '../service/assertions.js'
import type { Conversation } from './conversation.js'
import type { Application } from './registration.js'

/** What a request to the token endpoint and its like carries to show which application sends it. */
export interface ClientAuthentication {
  headers: Record<string, string>
  form: Record<string, string>
}

type Method = (
  application: Application,
  endpoint: string,
  conversation: Conversation,
) => Promise<ClientAuthentication> | ClientAuthentication

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
  client_secret_jwt: ({ clientId, clientSecret = '', metadata }, endpoint, conversation) => {
    const alg = String(metadata.token_endpoint_auth_signing_alg ?? 'HS512')
    return asserted(clientId, endpoint, { alg, privateKey: new TextEncoder().encode(clientSecret) }, conversation)
  },
  private_key_jwt: ({ clientId, keys }, endpoint, conversation) =>
    asserted(clientId, endpoint, keys.signing, conversation),
  none: ({ clientId }) => ({ headers: {}, form: { client_id: clientId } }),
}

/**
 * Authenticates an application by the method it registered.
 * @param endpoint the address asked, which is the audience of an assertion
 * @throws TargetError when a given client has a method that nobody can use
 */
export async function authenticateClient(
  conversation: Conversation,
  application: Application,
  endpoint: string,
): Promise<ClientAuthentication> {
  // RFC 7591 section 2: what an application uses that registered no method.
  const method = String(application.metadata.token_endpoint_auth_method ?? 'client_secret_basic')
  const authenticate = methods[method]
  if (authenticate) return authenticate(application, endpoint, conversation)
  throw new TargetError([
    `client.record.token_endpoint_auth_method: ${method} is none of ${Object.keys(methods).join(', ')}`,
  ])
}

async function asserted(
  clientId: string,
  aud: string,
  signer: Signer,
  { evidence, run }: Conversation,
): Promise<ClientAuthentication> {
  const claims = assertionClaims({ iss: clientId, sub: clientId, aud }, run.service.clock())
  const form = {
    client_id: clientId,
    client_assertion: await signAssertion(claims, signer, evidence),
    client_assertion_type: assertionType,
  }
  return { headers: {}, form }
}

/** RFC 6749 section 2.3.1: both parts of Basic credentials are form-encoded first. */
function formEncoded(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1)
}
