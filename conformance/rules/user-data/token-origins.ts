import { parameterOf } from '../../bank/authorization.js'
import { claimsOf, type UserData } from '../../bank/claims.js'
import { inStep } from '../../bank/steps.js'
import type { Login } from '../../bank/token.js'
import { BankFailure } from '../../evidence/failure.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { type Need, toLogIn, toRegister } from '../../target/needs.js'

/** Access tokens by how they came to be. */

/** An access token that did not come from a code, and the login that it came of. */
export interface OtherToken extends Pick<Login, 'client' | 'accessToken'> {
  what: string
  /** Its data scopes. */
  scopes: string[]
  /** The sub of an id_token for the same person at the client; absent where it is not compared. */
  sub?: unknown
}

export function accessTokenIn(response: HttpResponse): Promise<string> {
  return inStep('refresh', async () => {
    const token = response.member('access_token')
    if (response.status < 300 && typeof token === 'string' && token !== '') return token
    const sentence = `POST /token gave no access token for the refresh token (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

const dataOf = (scopes: readonly string[]) => scopes.filter((scope) => scope.startsWith('profile.'))

/** Those of a refresh with all scopes of the refresh token, and of one with fewer. */
export async function refreshed({ bank }: Tools): Promise<OtherToken[]> {
  const { login, subset, narrowed, whole } = await bank.refreshChain()
  const { sub } = await bank.idTokenClaims(login)
  const { client } = login
  return [
    { what: 'of a narrowed refresh', client, sub, scopes: dataOf(subset), accessToken: await accessTokenIn(narrowed) },
    { what: 'of a refresh', client, sub, scopes: dataOf(login.scopes), accessToken: await accessTokenIn(whole) },
  ]
}

/** That of response_type token, in the fragment of the callback (AMB-11). */
async function frontChannel({ bank, skip }: Tools): Promise<OtherToken[]> {
  const declared = (await bank.discovery()).declared('response_types_supported') ?? []
  if (!declared.includes('token')) return skip('the bank does not declare response_type token')
  const clientMetadata = {
    client_name: 'Conformance, data by the front channel',
    response_types: ['code', 'token'],
    grant_types: ['authorization_code', 'implicit'],
  }
  const scopes = (await bank.client(clientMetadata)).dataScopes.slice(0, 2)
  const asked = await bank.authorization({
    clientMetadata,
    scope: ['openid', ...scopes].join(' '),
    parameters: { response_type: 'token' },
  })
  const accessToken = parameterOf(asked, 'access_token')
  if (accessToken === null) return skip('response_type token gives no access token (see AUTH-38)')
  // No id_token comes with it; one by a code, at the same client, names the person for it.
  const { sub } = await bank.idTokenClaims(await bank.token({ clientMetadata, scope: ['openid', ...scopes].join(' ') }))
  return [{ what: 'of the front channel', client: asked.client, sub, scopes, accessToken }]
}

/** Looks at what each of some tokens gives at endpoints where one of its scopes has claims (else see DATA-8), or which is for openid alone. */
export async function forEach(
  tools: Tools,
  endpoints: readonly UserData[],
  tokens: (tools: Tools) => Promise<OtherToken[]>,
  look: (token: OtherToken, endpoint: UserData) => Promise<void>,
): Promise<void> {
  const pairs = (await tokens(tools)).flatMap((token) =>
    endpoints
      .filter((endpoint) => token.scopes.length === 0 || claimsOf(endpoint, token.scopes).length > 0)
      .map((endpoint) => ({ token, endpoint })),
  )
  if (pairs.length === 0) tools.skip(`the tokens have no scope with claims at ${endpoints.join(' or ')}`)
  for (const { token, endpoint } of pairs)
    await tools.inVariation(`an access token ${token.what} at ${endpoint}`, () => look(token, endpoint))
}

/** How tokens came to be. */
export interface Origin {
  slug: string
  words: string
  place: string
  needs: readonly Need[]
  tokens: (tools: Tools) => Promise<OtherToken[]>
}

/** Tokens that are not the first of a code. */
export const origins: readonly Origin[] = [
  {
    slug: 'refreshed',
    words: 'under a refreshed access token',
    place: 'token=access-of-refresh',
    needs: toLogIn,
    tokens: refreshed,
  },
  {
    slug: 'front-channel',
    words: 'under an access token of the front channel',
    place: 'token=access-of-front-channel',
    needs: [...toLogIn, ...toRegister, 'redirect'],
    tokens: frontChannel,
  },
]
