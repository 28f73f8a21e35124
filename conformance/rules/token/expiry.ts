import { type Parameters, parameterOf } from '../../bank/authorization.js'
import { userDataEndpoints } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { expectTokenRefused } from '../support/bearer-refusal.js'
import { expectRefusal } from '../support/client-refusals.js'

export const expiredCode = rule({
  id: 'expiry/code',
  requirement: 'TOK-37',
  title: 'A code past its expiry is refused',
  needs: [...toLogIn, 'clock'],
  async check({ bank, expect }) {
    const { unused } = await bank.expired()
    expectRefusal(expect, await bank.token.send(unused), 400, 'invalid_grant')
  },
})

export const expiredToken = rule({
  id: 'expiry/introspection',
  requirement: 'INTR-7',
  places: ['token=access-of-code'],
  title: 'An expired access token is answered with 200 and active false',
  needs: [...toLogIn, 'clock'],
  async check({ bank, expect }) {
    const { login } = await bank.expired()
    const response = await bank.introspection.try({ client: login.client, token: login.accessToken })
    expect(response).toHaveStatus(200)
    expect(response.member('active'), 'active of an expired token', response).toBe(false)
  },
})

export const expiredRefused = rule({
  id: 'expiry/user-data',
  requirement: 'DATA-20',
  places: ['endpoint=userinfo', 'endpoint=profile'],
  title: 'An expired access token is refused at userinfo and profile',
  needs: [...toLogIn, 'clock'],
  async check(tools) {
    const { bank, inVariation } = tools
    const { login } = await bank.expired()
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        // What came before it expired.
        await bank.userData[endpoint](login)
        expectTokenRefused(tools, await bank.userData[endpoint].try(login), 'expired')
      })
    }
  },
})

export const expiredHint = rule({
  id: 'expiry/id-token-hint',
  requirement: 'AUTH-28',
  places: ['part=exp'],
  title: 'id_token_hint with prompt none for another user than the session’s gives no code, once it has expired either',
  needs: [...toLogIn, 'person:sparse', 'redirect', 'clock'],
  alone: ['clock'],
  async check({ bank, service, expect, skip }) {
    const { login } = await bank.expired()
    const { exp } = await bank.idTokenClaims(login)
    if (Number(exp) > service.clock()) return skip('the id_token is valid for longer than the access token')
    const session = bank.session({ person: bank.somebodyElse('sparse') })
    // One more than what is asked for then: a bank may show consent to the same scopes each time (AMB-46).
    const [first, second] = login.client.dataScopes
    if (!first || !second) return skip('the bank declares fewer than two data scopes')
    await session.signIn({ scope: `openid ${first} ${second}` })
    const ask = (parameters: Parameters) =>
      session.ask({ scope: `openid ${first}`, parameters: { prompt: 'none', ...parameters } })
    if (parameterOf(await ask({}), 'code') === null) return skip('prompt=none gives no code without a hint either')
    const asked = await ask({ id_token_hint: await bank.hint(login) })
    // Which error it is may be about the hint, which is old.
    const code = parameterOf(asked, 'code')
    expect(code, 'code for another person than the one whom id_token_hint names', asked.callback.response).toBe(null)
  },
})

export const inTime = rule({
  id: 'expiry/access-token-in-time',
  requirement: 'TOK-4',
  places: [
    ...['access-of-code', 'access-of-refresh', 'access-of-signing', 'access-of-front-channel'].map(
      (token) => `use=near-expiry token=${token}`,
    ),
    ...userDataEndpoints.map((endpoint) => `endpoint=${endpoint} use=near-expiry`),
  ],
  title: 'An access token lives, and gives the data that it gave, until the end that it was given, whatever gave it',
  needs: [...toLogIn, 'clock'],
  async check({ bank, expect, inVariation, note }) {
    const { near, unseen } = await bank.expired()
    for (const { what, introspected, data } of near) {
      await inVariation(what, async () =>
        expect(
          introspected.member('active'),
          'active of the access token, two minutes before its end',
          introspected,
        ).toBe(true),
      )
      for (const [endpoint, response] of data)
        await inVariation(`${what} at ${endpoint}`, async () => expect(response).toHaveStatus(200))
    }
    for (const sentence of unseen) note(sentence)
  },
})

export const refreshedInTime = rule({
  id: 'expiry/refresh-token-in-time',
  requirement: 'TOK-5',
  places: ['use=near-expiry', 'grant=refresh use=near-expiry'],
  title:
    'A refresh token is good for its year, when the access token beside it has long expired, and so is one that a refresh gave',
  needs: [...toLogIn, 'clock'],
  alone: ['clock'],
  async check({ bank, expect, inVariation, note }) {
    const { login, ofRotated } = await bank.nearYear()
    const expectRefreshed = (response: HttpResponse) => {
      expect(response).toHaveStatus(200)
      expect(response.member('access_token'), 'access_token of the refresh response', response).toBeText()
    }
    await inVariation('the refresh token of a login', async () => expectRefreshed(await bank.refresh.try({ login })))
    if ('lacking' in ofRotated) return note(`no refresh token that a refresh gave was looked at: ${ofRotated.lacking}`)
    await inVariation('a refresh token that a refresh gave', async () => expectRefreshed(ofRotated.thing))
  },
})

export const replacedForGood = rule({
  id: 'expiry/replaced-refresh-token',
  requirement: 'TOK-44',
  places: ['use=near-expiry'],
  title: 'A refresh token that gave way to another is refused long after that, as it is at once',
  needs: [...toLogIn, 'clock'],
  async check({ bank, expect, skip }) {
    const { login, refreshes } = await bank.laterRefreshes()
    if (!refreshes.some(({ next }) => next?.rotated)) skip('the bank issued no new refresh token on refresh (AMB-42)')
    await bank.expired()
    expectRefusal(expect, await bank.refresh.try({ login }), 400, 'invalid_grant')
  },
})
