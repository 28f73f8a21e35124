import { parameterOf } from '../../bank/authorization.js'
import { claimsOf, type UserData, userDataEndpoints } from '../../bank/claims.js'
import { inStep } from '../../bank/steps.js'
import type { Login } from '../../bank/token.js'
import { BankFailure } from '../../evidence/failure.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { type Need, toLogIn, toRegister } from '../../target/needs.js'
import { expectNothingBeyond, expectNothingOfThePerson } from './checks.js'
import { expectKnown } from './known-claims.js'

/** User data under access tokens that are not the first of a code: what they hold depends on the token's scopes, however it came to be. */

/** An access token that did not come from a code, and the login that it came of. */
interface OtherToken extends Pick<Login, 'client' | 'accessToken'> {
  what: string
  /** Its data scopes. */
  scopes: string[]
  /** The sub of the id_token of the same login; absent where there is none. */
  sub?: unknown
}

function accessTokenIn(response: HttpResponse): Promise<string> {
  return inStep('refresh', async () => {
    const token = response.member('access_token')
    if (response.status < 300 && typeof token === 'string' && token !== '') return token
    const sentence = `POST /token gave no access token for the refresh token (status ${response.status})`
    throw new BankFailure({ sentence, evidence: response.evidence })
  })
}

const dataOf = (scopes: readonly string[]) => scopes.filter((scope) => scope.startsWith('profile.'))

/** Those of a refresh with all scopes of the refresh token, and of one with fewer. */
async function refreshed({ bank }: Tools): Promise<OtherToken[]> {
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
  return [{ what: 'of the front channel', client: asked.client, scopes, accessToken }]
}

/** Looks at what each of some tokens gives at endpoints where one of its scopes has claims (else see DATA-8). */
async function forEach(
  tools: Tools,
  endpoints: readonly UserData[],
  tokens: (tools: Tools) => Promise<OtherToken[]>,
  look: (token: OtherToken, endpoint: UserData) => Promise<void>,
): Promise<void> {
  const pairs = (await tokens(tools)).flatMap((token) =>
    endpoints.flatMap((endpoint) => (claimsOf(endpoint, token.scopes).length > 0 ? [{ token, endpoint }] : [])),
  )
  if (pairs.length === 0) tools.skip(`the tokens have no scope with claims at ${endpoints.join(' or ')}`)
  for (const { token, endpoint } of pairs)
    await tools.inVariation(`an access token ${token.what} at ${endpoint}`, () => look(token, endpoint))
}

const origins: readonly {
  slug: string
  words: string
  place: string
  needs: readonly Need[]
  tokens: (tools: Tools) => Promise<OtherToken[]>
}[] = [
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

const requirements: Readonly<Record<UserData, { else: string; known: string }>> = {
  userinfo: { else: 'DATA-3', known: 'DATA-15' },
  profile: { else: 'DATA-4', known: 'DATA-16' },
}

/** For each endpoint, what it holds under the tokens of each origin. */
export const byOrigin: readonly Rule[] = origins.flatMap(({ slug, words, place, needs, tokens }) =>
  userDataEndpoints.flatMap((endpoint) => [
    rule({
      id: `${endpoint}/${slug}-nothing-else`,
      requirement: requirements[endpoint].else,
      places: [place],
      title: `${endpoint} ${words} holds the claims of its scopes and nothing else of the person`,
      needs,
      check: (tools) =>
        forEach(tools, [endpoint], tokens, async (token) =>
          expectNothingBeyond(tools, endpoint, token.scopes, await tools.bank.userData[endpoint](token)),
        ),
    }),
    rule({
      id: `${endpoint}/${slug}-known`,
      requirement: requirements[endpoint].known,
      places: [place],
      title: `${endpoint} ${words} holds every claim of its scopes that the person is known to have`,
      needs: [...needs, 'data'],
      check: (tools) =>
        forEach(tools, [endpoint], tokens, async (token) => {
          const known = tools.bank.person().claims ?? {}
          const answer = await tools.bank.userData[endpoint](token)
          expectKnown(tools, endpoint, { known, scopes: token.scopes, whose: token.what, ...answer })
        }),
    }),
  ]),
)

export const refreshedSubject = rule({
  id: 'user-data/refreshed-subject',
  requirement: 'DATA-9',
  places: ['token=access-of-refresh'],
  title:
    "userinfo and profile under a refreshed access token name the id_token's sub, and userinfo the issuer and the client",
  needs: toLogIn,
  check: (tools) =>
    forEach(tools, userDataEndpoints, refreshed, async (token, endpoint) => {
      const { bank, expect } = tools
      const { claims, response } = await bank.userData[endpoint](token)
      expect(claims.sub, `sub of ${endpoint}`, response).toBe(token.sub)
      if (endpoint === 'profile') return
      const { clientId } = token.client
      expect(claims.iss ?? bank.issuer, 'iss of userinfo', response).toBe(bank.issuer)
      expect([claims.aud ?? clientId].flat(), 'aud of userinfo', response).toContain(clientId)
    }),
})

export const refreshedOpenid = rule({
  id: 'user-data/refreshed-openid-only',
  requirement: 'DATA-5',
  places: userDataEndpoints.map((endpoint) => `endpoint=${endpoint} token=access-of-refresh`),
  title: 'An access token of a refresh narrowed to openid yields sub and txn alone',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { login, least } = await bank.refreshChain()
    const token = { client: login.client, accessToken: await accessTokenIn(least) }
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const answer = await bank.userData[endpoint](token)
        expect(answer.claims.sub, `sub of ${endpoint}`, answer.response).toBeText()
        expect(answer.claims.txn, `txn of ${endpoint}`, answer.response).toBeText()
        await expectNothingOfThePerson(tools, `${endpoint} for openid`, answer)
      })
    }
  },
})
