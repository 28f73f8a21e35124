import type { ClientRequest } from '../../bank/client-request.js'
import { deviceGrant } from '../../bank/device.js'
import { dressNow } from '../../bank/dress.js'
import { nextRefreshToken } from '../../bank/refresh.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectRefusal } from '../support/client-refusals.js'
import { expectDroppedGrantRefused } from '../support/dropped-grant.js'
import { otherClients } from '../support/other-clients.js'
import { expectDead } from '../support/token-state.js'
import { lookalikesOf } from '../support/unknown-tokens.js'

export const ofAnother = rule({
  id: 'token/refresh-of-another',
  requirement: 'TOK-13',
  places: ['grant=refresh', 'client-auth=client_secret_post grant=refresh', 'grant=refresh use=second-refresh'],
  title:
    'A refresh token used by another client is refused, however that one authenticates, also where a refresh gave it',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const login = await bank.offlineToken.fresh()
    const others = Object.entries(await otherClients(tools))
    const expectRefused = async (refreshToken: string) => {
      for (const [who, client] of others) {
        await inVariation(who, async () => {
          const refusal = await bank.refresh.modified({ login, refreshToken }, () => ({ client }))
          expectRefusal(expect, refusal, 400, 'invalid_grant')
        })
      }
    }
    await expectRefused(login.refreshToken)
    const refreshed = await bank.refresh.try({ login })
    // A bank may take back what another client tried.
    if (refreshed.status >= 300)
      return note('a refresh token that others tried is not taken any more: none that a refresh gave was tried')
    await inVariation('a refresh token that a refresh gave', () =>
      expectRefused(nextRefreshToken(refreshed, login.refreshToken)),
    )
  },
})

export const missingParameter = rule({
  id: 'token/refresh-missing-parameter',
  requirement: 'TOK-41',
  places: ['grant=refresh parameter=refresh_token', 'grant=refresh parameter=grant_type'],
  title: 'A refresh without refresh_token, or without grant_type, is refused with invalid_request',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const refresh = await bank.refresh.variations()
    const name = await bank.refreshParameter()
    for (const missing of [name, 'grant_type']) {
      await inVariation(`no ${missing}`, async () => {
        const refusal = await refresh(({ form }) => ({ form: { ...form, [missing]: undefined } }))
        expectRefusal(expect, refusal, 400, 'invalid_request')
      })
    }
  },
})

export const repeatedParameter = rule({
  id: 'token/refresh-repeated-parameter',
  requirement: 'TOK-41',
  places: [
    'grant=refresh value=empty',
    ...['refresh_token', 'grant_type', 'scope'].map(
      (parameter) => `grant=refresh parameter=${parameter} value=repeated`,
    ),
  ],
  title: 'A refresh with an empty refresh_token is refused as one without, and so is one that sends a parameter twice',
  needs: toLogIn,
  // As published, and by RFC 6749 section 3.2 alone, so that a bank is warned.
  async check({ bank, expect, inVariation, warn }) {
    const login = await bank.offlineToken.fresh()
    const refresh = await bank.refresh.variations({ login })
    const name = await bank.refreshParameter()
    const scope = 'openid'
    const requests: Readonly<Record<string, (request: ClientRequest) => Partial<ClientRequest>>> = {
      [`an empty ${name}`]: ({ form }) => ({ form: { ...form, [name]: '' } }),
      'grant_type twice': () => ({ twice: ['grant_type'] }),
      'scope twice': ({ form }) => ({ form: { ...form, scope }, twice: ['scope'] }),
      [`${name} twice`]: () => ({ twice: [name] }),
    }
    for (const [what, replace] of Object.entries(requests)) {
      await inVariation(what, async () => {
        const refusal = await refresh(replace)
        if (refusal.status < 300) return warn(`a refresh with ${what} is taken (RFC 6749 section 3.2)`)
        expect(refusal).toHaveStatus(400)
        const error = expect(refusal.member('error'), 'error of the refusal', refusal).toBeText()
        if (error !== 'invalid_request') warn(`the error is ${error}, where invalid_request tells what is wrong`)
      })
    }
  },
})

export const refusalForm = rule({
  id: 'token/refresh-refusal-form',
  requirement: 'TOK-17',
  places: [
    ...['invalid_grant', 'invalid_request', 'invalid_scope'].map((error) => `grant=refresh error=${error}`),
    ...['long', 'prefix', 'superset', 'upper-case'].map((value) => `grant=refresh error=invalid_grant value=${value}`),
    'grant=refresh error=invalid_client',
  ],
  title: 'Refusals of a refresh are 400 JSON with error and error_description',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const login = await bank.offlineToken.fresh()
    const refresh = await bank.refresh.variations({ login })
    const name = await bank.refreshParameter()
    const alike = Object.entries(lookalikesOf(login.refreshToken, 'a refresh token'))
    const changes: Readonly<Record<string, Record<string, string | undefined>>> = {
      'an unknown refresh token': { [name]: 'a-token-of-nobody' },
      'a refresh token of 2000 characters': { [name]: 'x'.repeat(2000) },
      ...(dressNow() === undefined && Object.fromEntries(alike.map(([what, token]) => [what, { [name]: token }]))),
      'no refresh token': { [name]: undefined },
      'a scope that nobody has': { scope: 'openid profile.of.nobody' },
    }
    for (const [what, change] of Object.entries(changes)) {
      await inVariation(what, async () => {
        const refusal = await refresh(({ form }) => ({ form: { ...form, ...change } }))
        expect(refusal).toHaveStatus(400)
        expect(refusal).toHaveMediaType('application/json')
        expect(refusal.told, 'the refusal', refusal).toFitSchema('error')
      })
    }
    await inVariation('client_id alone', async () => {
      const refusal = await refresh(({ client }) => ({
        client: { ...client, metadata: { ...client.metadata, token_endpoint_auth_method: 'none' } },
      }))
      expect(refusal).toHaveStatus(400, 401)
      expect(refusal).toHaveMediaType('application/json')
      expect(refusal.told, 'the refusal', refusal).toFitSchema('error')
    })
  },
})

export const grantDropped = rule({
  id: 'token/dropped-grant',
  requirement: 'TOK-28',
  places: ['grant=refresh use=after-put'],
  title: 'A grant that the client has registered no longer is refused, though the refresh token was good before',
  needs: [...toRegister, ...toLogIn],
  check: (tools) => expectDroppedGrantRefused(tools, 'Conformance with a grant that is dropped'),
})

export const unregisteredDevice = rule({
  id: 'token/unregistered-device-grant',
  requirement: 'TOK-28',
  places: ['grant=device'],
  title: 'The device grant is refused with unauthorized_client where the client has not registered it',
  needs: toLogIn,
  async check({ bank, expect, note, skip }) {
    const declared = (await bank.discovery()).declared('grant_types_supported') ?? []
    if (!declared.includes(deviceGrant)) return skip('the bank does not declare the device authorization grant')
    const refusal = await bank.token.modified({}, () => ({
      form: { grant_type: deviceGrant, device_code: 'a-code-of-nobody' },
    }))
    if (refusal.member('error') === 'unsupported_grant_type') note('the bank calls the grant unsupported')
    expectRefusal(expect, refusal, 400, 'unauthorized_client', 'unsupported_grant_type')
  },
})

export const codeReuse = rule({
  id: 'token/code-reuse-ends-refresh-token',
  requirement: 'TOK-33',
  places: ['token=refresh', 'token=access-of-refresh'],
  title: 'A second exchange of a code ends the refresh token of the first, and what it gave',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const login = await bank.offlineToken.fresh()
    const { client, authorization } = login
    const refreshed = await bank.refresh.try({ login })
    const refreshToken = nextRefreshToken(refreshed, login.refreshToken)
    const accessToken = expect(
      refreshed.member('access_token'),
      'access_token of the refresh response',
      refreshed,
    ).toBeText()
    await bank.introspection.fresh({ client, token: refreshToken })
    await bank.introspection.fresh({ client, token: accessToken })
    await bank.token.try({ authorization })
    await expectDead(tools, { client, token: refreshToken }, 'a refresh token whose code was used again')
    await expectDead(tools, { client, token: accessToken }, 'the access token of a refresh whose code was used again')
  },
})
