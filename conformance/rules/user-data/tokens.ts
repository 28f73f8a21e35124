import { emptyPlaces, isObject, type UserData, userDataEndpoints } from '../../bank/claims.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { expectNothingBeyond, expectNothingOfThePerson, expectTransaction } from './checks.js'
import { expectKnown } from './known-claims.js'
import { accessTokenIn, dataUnder, forEach, narrowest, type OtherToken, origins, refreshed } from './token-origins.js'

/** User data under access tokens that are not the first of a code: what they hold depends on the token's scopes, however it came to be. */

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
          expectNothingBeyond(tools, endpoint, token.scopes, await dataUnder(tools, token, endpoint)),
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
          const person = token.person ?? tools.bank.anybody()
          const { claims: known = {} } = tools.bank.person(person)
          const answer = await dataUnder(tools, token, endpoint)
          expectKnown(tools, endpoint, {
            known,
            scopes: token.scopes,
            whose: token.what,
            hasAll: person === 'full',
            ...answer,
          })
        }),
    }),
  ]),
)

/** The tokens of an origin, and of refreshes the one of least as well. */
function withNarrowest(tokens: (tools: Tools) => Promise<OtherToken[]>) {
  return tokens === refreshed ? async (tools: Tools) => [...(await tokens(tools)), await narrowest(tools)] : tokens
}

/** Whom the data under the tokens of each origin are about, who made them, and for whom. */
export const subjectByOrigin: readonly Rule[] = origins.map(({ slug, words, place, needs, tokens }) =>
  rule({
    id: `user-data/${slug}-subject`,
    requirement: 'DATA-9',
    places: [place],
    title: `userinfo and profile ${words} name the id_token's sub, and userinfo the issuer and the client`,
    needs,
    check: (tools) =>
      forEach(tools, userDataEndpoints, withNarrowest(tokens), async (token, endpoint) => {
        const { bank, expect, warn } = tools
        const { claims, response } = await dataUnder(tools, token, endpoint)
        expect(claims.sub, `sub of ${endpoint}`, response).toBe(token.sub)
        if (endpoint === 'profile') return
        // A SHOULD up to OpenID Connect Core 1.0, errata set 1.
        for (const name of ['iss', 'aud'])
          if (claims[name] === undefined) warn(`userinfo for ${token.what} has no ${name}`)
        const { clientId } = token.client
        expect(claims.iss ?? bank.issuer, 'iss of userinfo', response).toBe(bank.issuer)
        expect([claims.aud ?? clientId].flat(), 'aud of userinfo', response).toContain(clientId)
      }),
  }),
)

export const refreshedVerification = rule({
  id: 'profile/refreshed-verification',
  requirement: 'DATA-6',
  places: ['token=access-of-refresh member=verification'],
  title: 'profile.verification yields verified_claims.verification under a refreshed access token too',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const verified = async () =>
      (await refreshed(tools)).filter(({ scopes }) => scopes.includes('profile.verification'))
    await forEach(tools, ['profile'], verified, async (token) => {
      const { claims, response } = await bank.userData.profile(token)
      const { verified_claims } = claims
      const found = isObject(verified_claims) ? verified_claims.verification : undefined
      expect(found, 'verified_claims.verification of profile', response).toBeObject()
    })
  },
})

export const refreshedFilled = rule({
  id: 'user-data/refreshed-filled',
  requirement: 'DATA-10',
  places: ['token=access-of-refresh'],
  title: 'No claim is null or an empty string under a refreshed access token',
  needs: toLogIn,
  check: (tools) =>
    forEach(tools, userDataEndpoints, refreshed, async (token, endpoint) => {
      const { claims, response } = await tools.bank.userData[endpoint](token)
      tools.expect(emptyPlaces(claims), `the claims of ${endpoint} that are null or empty`, response).toEqual([])
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
        await expectTransaction(tools, endpoint, answer)
        await expectNothingOfThePerson(tools, `${endpoint} for openid`, answer)
      })
    }
  },
})
