import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { claimsOfHint } from '../provider/id-token-hint.js'
import { withParameters } from '../provider/with-parameters.js'

/** A request to log out. OpenID Connect RP-Initiated Logout 1.0 section 2. */
export interface EndSessionRequest {
  /** The client that asks, when it says which it is. */
  client?: Client
  /** The person as the hint knows them: sub at the client. */
  subject?: string
  /** Where the person goes afterwards, with state; it is registered. */
  returnTo?: string
}

function refuseHint(cause: unknown): never {
  throw new BankError('invalid_request', 'id_token_hint is not an id_token that this bank signed', {
    cause,
  }).refusedBy('end-session/id-token-hint')
}

/**
 * Reads a request to log out.
 *
 * @throws {BankError} invalid_request naming the parameter
 */
export async function readEndSession(
  context: Pick<BankContext, 'clients' | 'config' | 'keys' | 'policy' | 'seams'>,
  parameters: URLSearchParams,
): Promise<EndSessionRequest> {
  const one = (name: string) => {
    const values = parameters.getAll(name)
    if (values.length > 1) {
      throw new BankError('invalid_request', `${name} is given more than once`).refusedBy('end-session/repeated')
    }
    return values[0] || undefined
  }
  const hint = one('id_token_hint')
  const claims = hint === undefined ? undefined : await claimsOfHint(context, hint).catch(refuseHint)
  const audience = claims && [claims.aud ?? []].flat()[0]
  const clientId = one('client_id') ?? audience
  if (audience !== undefined && audience !== clientId) {
    throw new BankError('invalid_request', 'client_id differs from the client of id_token_hint').refusedBy(
      'end-session/client-of-hint',
    )
  }
  const client = clientId === undefined ? undefined : await context.clients.find(clientId)
  if (clientId !== undefined && !client) {
    throw new BankError('invalid_request', 'client_id is unknown').refusedBy('end-session/client-known')
  }
  // AMB-52: a bank that registers no such address stays on its own page.
  const offered = context.policy.frontChannelLogout === 'offered'
  const returnTo = offered ? one('post_logout_redirect_uri') : undefined
  const registered = client?.record.post_logout_redirect_uris
  if (returnTo !== undefined && !(Array.isArray(registered) && registered.includes(returnTo))) {
    throw new BankError('invalid_request', 'post_logout_redirect_uri is not registered').refusedBy(
      'end-session/redirect-uri-registered',
    )
  }
  const state = one('state')
  return {
    ...(client && { client }),
    ...(claims?.sub !== undefined && { subject: claims.sub }),
    ...(returnTo !== undefined && { returnTo: withParameters(returnTo, state === undefined ? {} : { state }) }),
  }
}
