import { Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import type { ClientCertificate } from '../target/client-certificate.js'
import { scopesOfBoth } from './claims.js'
import type { ClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { nextRefreshToken, refreshParameter } from './refresh.js'
import { client } from './registration.js'
import { signingMetadata } from './ros.js'
import { signingResult } from './signing.js'

/** An authorized object whose tokens were refreshed with the certificate of the service. */
export interface RefreshedSigning {
  /** What the code gave. */
  first: HttpResponse
  response: HttpResponse
  accessToken: string
  /** A further refresh. */
  refresh(certificate: boolean | ClientCertificate): Promise<HttpResponse>
}

/**
 * What is asked for with a text, so that the access token leads to claims at both endpoints of user data: one of whose scopes none has claims there
 * may be refused (DATA-8).
 */
export async function readableScope(conversation: Conversation): Promise<string> {
  const [data] = scopesOfBoth((await client(conversation)).dataScopes)
  return ['openid', 'authorization', ...(data === undefined ? [] : [data])].join(' ')
}

/** @throws Skip where an authorized object leads to nothing that could be refreshed */
async function fresh(conversation: Conversation): Promise<RefreshedSigning> {
  const { metadata, redirectUri: redirect_uri } = await client(conversation, await signingMetadata(conversation))
  const { scope, grant_types } = metadata
  const registered =
    String(scope).split(' ').includes('offline_access') && [grant_types].flat().includes('refresh_token')
  if (!registered) throw new Skip('the bank does not declare grant refresh_token and scope offline_access')
  const claims = { scope: `${await readableScope(conversation)} offline_access` }
  const send = await signingResult.variations(conversation, { claims })
  const given = await send()
  const first = given.member('refresh_token')
  if (typeof first !== 'string') throw new Skip('an authorized object gives no refresh token')
  const parameter = await refreshParameter(conversation)
  const refreshing =
    (further: Pick<Partial<ClientRequest>, 'authentication'>) =>
    (token: string, certificate: boolean | ClientCertificate): Promise<HttpResponse> =>
      send(() => ({ form: { grant_type: 'refresh_token', [parameter]: token, redirect_uri }, certificate, ...further }))
  const byFlow = refreshing({})
  const tried = await byFlow(first, true)
  // A refresh is not of the flow everywhere: a bank may hold it to the algorithm that the client registered for its assertions.
  const isOtherAlgorithm = tried.member('error') === 'invalid_client'
  const refreshWith = isOtherAlgorithm ? refreshing({ authentication: {} }) : byFlow
  const good = isOtherAlgorithm ? await refreshWith(first, true) : tried
  const accessToken = good.member('access_token')
  if (typeof accessToken !== 'string') {
    const answer = [good.status, good.member('error')].filter((part) => part !== undefined).join(' ')
    throw new Skip(`a refresh token of the signing flow gives no access token, but ${answer}`)
  }
  return {
    first: given,
    response: good,
    accessToken,
    refresh: (certificate) => refreshWith(nextRefreshToken(good, first), certificate),
  }
}

/** Such an object that is only looked at, once in a run; one of one's own, to be used up, with `fresh`. */
export const refreshedSigning = Object.assign(
  (conversation: Conversation): Promise<RefreshedSigning> => conversation.shared('refreshed signing', fresh),
  { fresh },
)
