import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { assertingClient, expectRefusal } from '../support/client-refusals.js'
import { expectDead, expectTaken, liveToken } from '../support/token-state.js'

export const accessToken = rule({
  id: 'revocation/access-token',
  requirement: 'REV-1',
  title: 'A revoked access token is inactive at once at /token-info, /userinfo and /profile',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { client, token } = await liveToken(bank)
    const serving: UserData[] = []
    for (const endpoint of userDataEndpoints) {
      if ((await bank.userData[endpoint].try({ client, accessToken: token })).status === 200) serving.push(endpoint)
    }
    expectTaken(expect, await bank.revocation.try({ client, token }))
    await expectDead(tools, { client, token }, 'the revoked access token')
    for (const endpoint of serving) {
      await inVariation(endpoint, async () =>
        expect(await bank.userData[endpoint].try({ client, accessToken: token })).toHaveStatus(401, 403, 400),
      )
    }
  },
})

export const refreshToken = rule({
  id: 'revocation/refresh-token',
  requirement: 'REV-2',
  title: 'Revoking a refresh token ends it and the access tokens issued under it',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    await bank.revocation.expectBaseline()
    const login = await bank.offlineToken.fresh()
    const { client } = login
    await bank.introspection.fresh({ client, token: login.accessToken })
    expectTaken(expect, await bank.revocation.try({ client, token: login.refreshToken }))
    await expectDead(tools, { client, token: login.refreshToken }, 'the revoked refresh token')
    await expectDead(
      tools,
      { client, token: login.accessToken },
      'an access token issued under a revoked refresh token',
    )
    expectRefusal(expect, await bank.refresh.try({ login }), 400, 'invalid_grant')
  },
})

export const hint = rule({
  id: 'revocation/hint',
  requirement: 'REV-3',
  title: 'A token is revoked with 200, whatever the hint, however it is spelled',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    await bank.revocation.expectBaseline()
    const hints: readonly Record<string, string>[] = [
      { token_type_hint: 'access_token' },
      { token_type_hint: 'refresh_token' },
      { token_type_hin: 'refresh_token' },
    ]
    for (const form of hints) {
      await inVariation(`hint ${JSON.stringify(form)}`, async () => {
        const { client, token } = await liveToken(bank)
        const response = await bank.revocation.try({ client, token, form })
        expectTaken(expect, response)
        await expectDead(tools, { client, token }, 'the revoked access token')
        reading('AMB-69', response.status === 204 ? 'no-content' : response.text === '' ? 'ok-empty' : 'ok-json')
      })
    }
    const { client, token } = await liveToken(bank)
    const odd = (name: string) => bank.revocation.try({ client, token, form: { [name]: 'divining_rod' } })
    const unknown = await odd('token_type_hint')
    if (unknown.status < 300) {
      await expectDead(tools, { client, token }, 'an access token revoked with a hint of unknown value')
      return reading('AMB-56', 'ignored')
    }
    expect(unknown).toHaveStatus(400)
    expect(unknown.json, 'the refusal', unknown).toFitSchema('error')
    reading('AMB-56', 'refused')
    const misspelled = await odd('token_type_hin')
    reading('AMB-5', misspelled.status === 400 ? 'both-spellings' : 'token-type-hint-only')
    if (misspelled.status < 300)
      await expectDead(tools, { client, token }, 'an access token revoked with token_type_hin')
  },
})

export const namelessAssertion = rule({
  id: 'revocation/nameless-assertion',
  requirement: 'REV-4',
  title: 'An assertion for /revoke with neither sub nor iss authenticates the client that signed it',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, reading } = tools
    await assertingClient(tools)
    await bank.revocation.expectBaseline()
    const named = await liveToken(bank)
    expectTaken(expect, await bank.revocation.try(named))
    await expectDead(tools, named, 'an access token revoked with sub and iss')
    const { client, token } = await liveToken(bank)
    const response = await bank.revocation.try({ client, token }, () => ({
      authentication: { claims: { sub: undefined, iss: undefined } },
      credentials: { client_id: undefined },
    }))
    if (response.status === 400 || response.status === 401) return reading('AMB-23', 'required')
    expectTaken(expect, response)
    await expectDead(tools, { client, token }, 'an access token revoked without sub and iss')
    reading('AMB-23', 'optional')
  },
})

export const unknownToken = rule({
  id: 'revocation/unknown-token',
  requirement: 'REV-10',
  title: 'POST /revoke of an unknown token answers 200',
  needs: toLogIn,
  async check({ bank, expect }) {
    await bank.revocation.expectBaseline()
    const { client, accessToken: token } = await bank.token()
    expectTaken(
      expect,
      await bank.revocation.try({ client, token: `${token.slice(0, -8)}${[...token.slice(-8)].reverse().join('')}x` }),
    )
  },
})

export const sessionEnded = rule({
  id: 'revocation/session-ended',
  requirement: 'REV-7',
  title: 'After the refresh token is revoked, prompt=none in the same browser gives login_required',
  needs: toLogIn,
  async check({ bank, expect, reading, skip }) {
    const clientMetadata = { client_name: 'A client whose session is ended' }
    const { metadata, dataScopes } = await bank.client(clientMetadata)
    if (!String(metadata.scope).split(' ').includes('offline_access')) {
      return skip('the bank does not declare grant refresh_token and scope offline_access')
    }
    const request = { scope: ['openid', ...dataScopes.slice(0, 1), 'offline_access'].join(' ') }
    await bank.revocation.expectBaseline()
    const session = bank.session({ clientMetadata })
    const { client, response } = await session.signIn(request)
    const token = response.member('refresh_token')
    if (typeof token !== 'string') return skip('the login gave no refresh token (see TOK-3)')
    expectTaken(expect, await bank.revocation.try({ client, token }))
    const { callback } = await session.ask({ ...request, parameters: { prompt: 'none' } })
    // Where the session goes on, the consent may have ended with the grant.
    const grantOnly = [null, 'consent_required']
    const error = expect(callback.query.get('error'), 'error of the callback', callback.response).toBeOneOf([
      'login_required',
      ...grantOnly,
    ])
    reading('AMB-44', grantOnly.includes(error) ? 'grant-only' : 'grant-and-session')
  },
})
