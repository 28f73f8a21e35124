import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import { authenticatedBy, type Metadata } from '../../bank/client-metadata.js'
import { nextRefreshToken } from '../../bank/refresh.js'
import { inStep } from '../../bank/steps.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { asserts, declaresMethod } from '../support/client-methods.js'
import { expectRefusal } from '../support/client-refusals.js'
import { hintInWords, hints } from '../support/token-hints.js'
import { expectInactive } from '../support/token-state.js'
import { expectNothingOfThePerson } from '../user-data/checks.js'

export const expiryKept = rule({
  id: 'token/refresh-expiry-kept',
  requirement: 'TOK-22',
  places: ['use=first', 'use=second-refresh'],
  title: 'A new refresh token has the expiry of the old one',
  needs: toLogIn,
  waits: true,
  async check({ bank, expect, inVariation, reading }) {
    const { told: before, refreshes } = await bank.laterRefreshes()
    await inStep('introspection', async () =>
      expect(before.json, 'the introspection response', before).toHaveMembers(['exp']),
    )
    for (const { what, response, next } of refreshes) {
      await inVariation(what, async () => {
        expect(response).toHaveStatus(200)
        if (!next) return
        expect(next.told.member('exp'), 'exp of the new refresh token', next.told).toBe(before.member('exp'))
        reading('AMB-42', next.rotated ? 'rotated' : 'kept')
      })
    }
  },
})

export const oldDiscarded = rule({
  id: 'token/refresh-old-discarded',
  requirement: 'TOK-44',
  places: ['use=first', 'use=second-call', 'parameter=token_type_hint value=wrong'],
  title: 'When a new refresh token is issued the old one is discarded, whatever the hint at introspection',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const login = await bank.offlineToken.fresh()
    const old = { client: login.client, token: login.refreshToken }
    // Seen while it is live, by whoever may remember what was said of it.
    await bank.introspection.try(old)
    const response = await bank.refresh.try({ login })
    expect(response).toHaveStatus(200)
    const next = nextRefreshToken(response, login.refreshToken)
    if (next === login.refreshToken) skip('the bank issues no new refresh token on refresh (AMB-42)')
    for (const form of hints) {
      await inVariation(hintInWords(form), async () =>
        expectInactive(tools, await bank.introspection.try({ ...old, form }), 'the old refresh token'),
      )
    }
    expectRefusal(expect, await bank.refresh.try({ login }), 400, 'invalid_grant')
  },
})

export const parameter = rule({
  id: 'token/refresh',
  requirement: 'TOK-24',
  title: 'The refresh token is taken from the parameter refresh_token',
  needs: toLogIn,
  async check({ bank, expect, reading }) {
    reading('AMB-4', (await bank.refreshParameter()) === 'refresh_token' ? 'refresh-token' : 'code')
    const response = await bank.refresh.try({})
    expect(response).toHaveStatus(200)
  },
})

export const asListed = rule({
  id: 'token/refresh-as-listed',
  requirement: 'TOK-29',
  places: [
    'parameter=redirect_uri',
    'parameter=client_id value=missing',
    'client-auth=client_secret_jwt',
    'use=second-refresh parameter=redirect_uri',
  ],
  title:
    'A refresh with redirect_uri, and without client_id beside the assertion, is served, a first and a second time',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const bySecret = authenticatedBy('client_secret_jwt')
    const isTried = (await declaresMethod(tools, 'client_secret_jwt')) && bank.client.canBe(bySecret)
    const records: Record<string, Metadata> = {
      'a client as it is': {},
      ...(isTried && {
        'a client of client_secret_jwt': { client_name: 'Conformance refresh by secret', ...bySecret },
      }),
    }
    for (const [who, clientMetadata] of Object.entries(records)) {
      await inVariation(who, async () => {
        const login = await bank.offlineToken.fresh({ clientMetadata })
        const expectServed = async (refreshToken: string) => {
          const response = await bank.refresh.modified({ login, refreshToken }, ({ form, client }) => ({
            form: { ...form, redirect_uri: client.redirectUri },
            // Without an assertion it is the client_id that says who asks.
            ...(asserts(client) && { credentials: { client_id: undefined } }),
          }))
          expect(response).toHaveStatus(200)
          expect(response.member('access_token'), 'access_token of the refresh response', response).toBeText()
          return nextRefreshToken(response, login.refreshToken)
        }
        const refreshToken = await expectServed(login.refreshToken)
        await inVariation('with what that gave', () => expectServed(refreshToken))
      })
    }
  },
})

/** The claims of a refresh's access token at an endpoint. */
async function dataOf({ bank, expect }: Tools, endpoint: UserData, response: HttpResponse) {
  const { client } = (await bank.refreshChain()).login
  const accessToken = expect(
    response.member('access_token'),
    'access_token of the refresh response',
    response,
  ).toBeText()
  const data = await bank.userData[endpoint].try({ client, accessToken })
  expect(data).toHaveStatus(200)
  const { content } = await bank.open(endpoint, data, client)
  return { data, claims: bank.read(content, endpoint, data).payload }
}

export const leastData = rule({
  id: 'token/refresh-openid-data',
  requirement: 'TOK-23',
  places: userDataEndpoints.map((endpoint) => `endpoint=${endpoint}`),
  title: 'A refresh narrowed to openid gives an access token whose data holds only sub and txn',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { least } = await bank.refreshChain()
    expect(least).toHaveStatus(200)
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const { data, claims } = await dataOf(tools, endpoint, least)
        await expectNothingOfThePerson(tools, `${endpoint} of a token narrowed to openid`, { claims, response: data })
      })
    }
  },
})

export const unknownParameter = rule({
  id: 'token/refresh-unknown-parameter',
  requirement: 'TOK-46',
  places: ['grant=refresh'],
  title: 'POST /token ignores a parameter that it does not know, where a refresh token is exchanged',
  needs: toLogIn,
  async check({ bank, expect }) {
    const tokens = await bank.refresh.modified({}, ({ form }) => ({ form: { ...form, conformance_unknown: 'x' } }))
    expect(tokens).toHaveStatus(200)
    expect(tokens.member('access_token'), 'access_token of the refresh response', tokens).toBeText()
  },
})

export const subsetData = rule({
  id: 'token/refresh-subset-data',
  requirement: 'TOK-42',
  places: userDataEndpoints.map((endpoint) => `endpoint=${endpoint}`),
  title: 'A refresh narrowed to a subset gives data of that subset only',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const { login, subset, narrowed: response } = await bank.refreshChain()
    const left = login.scopes.find((scope) => scope.startsWith('profile.') && !subset.includes(scope))
    if (!left) return skip('the login has no data scope beyond the subset')
    expect(response).toHaveStatus(200)
    const own = await bank.token({ scope: subset.join(' ') })
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const { data, claims } = await dataOf(tools, endpoint, response)
        const expected = Object.keys((await bank.userData[endpoint](own)).claims)
        const where = `the claims at ${endpoint} of a token narrowed to ${subset.join(' ')}`
        expect(Object.keys(claims), where, data).toBeSetOf(expected)
      })
    }
  },
})
