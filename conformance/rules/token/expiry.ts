import { userDataEndpoints } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
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

export const inTime = rule({
  id: 'expiry/access-token-in-time',
  requirement: 'TOK-4',
  places: ['use=near-expiry token=access-of-code', 'use=near-expiry token=access-of-refresh'],
  title: 'An access token lives until the end that it was given, one of a refresh too',
  needs: [...toLogIn, 'clock'],
  async check({ bank, expect, inVariation }) {
    const { near } = await bank.expired()
    await inVariation('the access token of a login', async () =>
      expect(near.login.member('active'), 'active of the access token, two minutes before its end', near.login).toBe(
        true,
      ),
    )
    const { refreshed } = near
    if (!refreshed) return
    await inVariation('the access token of a refresh', async () =>
      expect(refreshed.member('active'), 'active of the access token, two minutes before its end', refreshed).toBe(
        true,
      ),
    )
  },
})

export const refreshedInTime = rule({
  id: 'expiry/refresh-token-in-time',
  requirement: 'TOK-5',
  places: ['use=near-expiry'],
  title: 'A refresh token is good for its year, when the access token beside it has long expired',
  needs: [...toLogIn, 'clock'],
  alone: ['clock'],
  async check({ bank, expect }) {
    const response = await bank.refresh.try({ login: await bank.nearYear() })
    expect(response).toHaveStatus(200)
    expect(response.member('access_token'), 'access_token of the refresh response', response).toBeText()
  },
})
