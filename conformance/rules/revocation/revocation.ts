import type { Bank } from '../../bank/bank.js'
import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { frontChannelRequest } from '../../bank/front-channel.js'
import type { OfflineLogin } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister, toSign } from '../../target/needs.js'
import { isUnknownCaller } from '../support/bearer-refusal.js'
import { expectLive } from '../support/client-endpoints.js'
import { bySecret, declaresMethod } from '../support/client-methods.js'
import { expectRefusal } from '../support/client-refusals.js'
import { toHearLogout } from '../support/heard-tokens.js'
import { everybodyAnew } from '../support/kept-session.js'
import { declaresFrontChannel, refreshed } from '../support/known-tokens.js'
import { expectDead, expectInactive, expectTaken, liveToken, type TokenOfClient } from '../support/token-state.js'
import { unknownTokens } from '../support/unknown-tokens.js'

/** The endpoints that give data for an access token, before it is revoked. */
async function servingData({ bank }: Tools, { client, token }: TokenOfClient): Promise<UserData[]> {
  const serving: UserData[] = []
  for (const endpoint of userDataEndpoints) {
    if ((await bank.userData[endpoint].try({ client, accessToken: token })).status === 200) serving.push(endpoint)
  }
  return serving
}

/** That an access token is dead at /token-info, and at the endpoints that gave data for it before. */
async function expectEnded(tools: Tools, { client, token }: TokenOfClient, what: string, serving: readonly UserData[]) {
  const { bank, expect, inVariation } = tools
  await expectDead(tools, { client, token }, what)
  for (const endpoint of serving) {
    await inVariation(`${what} at ${endpoint}`, async () =>
      expect(await bank.userData[endpoint].try({ client, accessToken: token })).toHaveStatus(401, 403, 400),
    )
  }
}

/** The places of a kind of token at each endpoint that knows access tokens. */
function atEndpoints(token: string): string[] {
  return ['token-info', 'userinfo', 'profile'].map((endpoint) => `endpoint=${endpoint} token=${token}`)
}

export const accessToken = rule({
  id: 'revocation/access-token',
  requirement: 'REV-1',
  places: atEndpoints('access-of-code'),
  title: 'A revoked access token is inactive at once at /token-info, /userinfo and /profile',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const revoked = await liveToken(bank)
    const serving = await servingData(tools, revoked)
    expectTaken(expect, await bank.revocation.try(revoked))
    await expectEnded(tools, revoked, 'the revoked access token', serving)
  },
})

export const accessTokenAlone = rule({
  id: 'revocation/access-token-alone',
  requirement: 'REV-1',
  places: ['use=second-login', 'use=second-client'],
  title: 'Revoking an access token leaves those of other logins alone, at the same client and at another',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect } = tools
    const application = applicationOf('access-token')
    const revoked = await liveToken(bank, await bank.token.fresh({ clientMetadata: application.website }))
    const others = await otherLogins(bank, application)
    expectTaken(expect, await bank.revocation.try(revoked))
    for (const other of others) await expectLeftAlone(tools, other)
  },
})

/** Metadata of two clients of one application. */
interface Application {
  website: Metadata
  phone: Metadata
}

/** An application of one rule alone: a bank that wrongly ends the tokens of them all ends none of another rule. */
function applicationOf(name: string): Application {
  const client_uri = `https://${name}.example/`
  return { website: { client_name: 'Website', client_uri }, phone: { client_name: 'Phone', client_uri } }
}

/** Further logins at both clients of the application, seen to be live. */
async function otherLogins(
  bank: Bank,
  { website, phone }: Application,
): Promise<{ what: string; live: TokenOfClient }[]> {
  const login = async (clientMetadata: Metadata) => liveToken(bank, await bank.token.fresh({ clientMetadata }))
  return [
    { what: 'an access token of another login at the client', live: await login(website) },
    { what: 'an access token of a login at another client', live: await login(phone) },
  ]
}

function expectLeftAlone(tools: Tools, { what, live }: { what: string; live: TokenOfClient }): Promise<void> {
  return tools.inVariation(what, () => expectLive(tools, live, what))
}

export const refreshedAccessToken = rule({
  id: 'revocation/refreshed-access-token',
  requirement: 'REV-1',
  places: [...atEndpoints('access-of-refresh'), 'endpoint=token-info use=second-refresh token=access-of-refresh'],
  title:
    'A revoked access token of a refresh, whole or narrowed, is inactive at once at /token-info, /userinfo and /profile',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const login = await bank.offlineToken.fresh()
    const { client, second, refreshToken } = await refreshed(bank, login)
    const narrowed = await refreshed(bank, { ...login, refreshToken }, 'openid')
    const live = [second, narrowed.second].map((token) => ({ client, token }))
    for (const one of live) await bank.introspection.fresh(one)
    const serving = await Promise.all(live.map((one) => servingData(tools, one)))
    // The later one first: with one of them a bank may take back the other (RFC 7009 section 2.1).
    for (const [index, what] of [
      [1, 'the revoked access token of a second refresh'],
      [0, 'the revoked access token of a refresh'],
    ] as const) {
      const token = live[index]
      if (!token) continue
      await inVariation(what, async () => {
        expectTaken(expect, await bank.revocation.try(token))
        await expectEnded(tools, token, what, serving[index] ?? [])
      })
    }
  },
})

export const frontChannelToken = rule({
  id: 'revocation/front-channel-token',
  requirement: 'REV-1',
  places: ['endpoint=token-info token=access-of-front-channel'],
  title: 'A revoked access token of the front channel is inactive at once',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, skip } = tools
    if (!(await declaresFrontChannel(bank)))
      return skip('the bank does not declare response type token and grant implicit')
    const { client, callback } = await bank.authorization.fresh(frontChannelRequest)
    const revoked = await liveToken(bank, { client, accessToken: callback.fragment.get('access_token') ?? '' })
    expectTaken(expect, await bank.revocation.try(revoked))
    await expectDead(tools, revoked, 'the revoked access token of the front channel')
  },
})

export const signingToken = rule({
  id: 'revocation/signing-token',
  requirement: 'REV-1',
  places: ['endpoint=token-info token=access-of-signing'],
  title: 'A revoked access token of the signing flow is inactive at once',
  needs: toSign,
  async check(tools) {
    const { bank, expect } = tools
    const revoked = await liveToken(bank, await bank.signing.result.fresh())
    expectTaken(expect, await bank.revocation.try(revoked))
    await expectDead(tools, revoked, 'the revoked access token of the signing flow')
  },
})

export const refreshToken = rule({
  id: 'revocation/refresh-token',
  requirement: 'REV-2',
  places: [
    ...['token-info', 'token'].map((endpoint) => `endpoint=${endpoint} token=refresh`),
    ...['token-info', 'token'].map((endpoint) => `endpoint=${endpoint} use=second-refresh token=refresh`),
    ...['access-of-code', 'access-of-refresh'].flatMap(atEndpoints),
    'endpoint=token-info use=second-refresh token=access-of-refresh',
    'endpoint=token-info token=access-of-refresh value=subset',
    'endpoint=token-info token=access-of-code parameter=token_type_hint',
    'endpoint=token-info token=access-of-code parameter=token_type_hint value=wrong',
  ],
  title:
    'Revoking a refresh token, the first or a later one, whatever its hint, ends it and the access tokens issued under it',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation } = tools
    await bank.revocation.expectBaseline()
    // All before the first revocation, which may end the session, and with it what is left of the others.
    const [plain, chain] = [await bank.offlineToken.fresh(), await bank.offlineToken.fresh()]
    const misnamed = await bank.offlineToken.fresh()
    const { client, first, second, refreshToken: next } = await refreshed(bank, chain)
    const { second: third, refreshToken: last } = await refreshed(bank, { ...chain, refreshToken: next })
    const { second: narrowed, refreshToken } = await refreshed(bank, { ...chain, refreshToken: last }, 'openid')
    const lesser = { client, token: narrowed }
    const tokens = {
      'an access token of the code': first,
      'an access token of the refresh': second,
      'an access token of the second refresh': third,
    }
    // Seen while they are live, by whoever may remember what was said of them.
    for (const token of [...Object.values(tokens), narrowed]) await bank.introspection.try({ client, token })
    const serving = await Promise.all(Object.values(tokens).map((token) => servingData(tools, { client, token })))
    await inVariation('a refresh token of a refresh', async () => {
      await expectRefreshTokenEnds(tools, { ...chain, refreshToken })
      for (const [index, [what, token]] of Object.entries(tokens).entries()) {
        await expectEnded(tools, { client, token }, `${what}, its refresh token revoked,`, serving[index] ?? [])
      }
      await expectDead(tools, lesser, 'an access token of a refresh narrowed to openid, its refresh token revoked,')
    })
    for (const { client: owner, accessToken: token } of [plain, misnamed])
      await bank.introspection.try({ client: owner, token })
    await inVariation('the refresh token of a code', async () => {
      await expectRefreshTokenEnds(tools, plain, { token_type_hint: 'refresh_token' })
      const { client: owner, accessToken: token } = plain
      await expectDead(tools, { client: owner, token }, 'an access token issued under a revoked refresh token')
    })
    // A bank that looks for access tokens first finds it among the others (RFC 7009 section 2.1).
    await inVariation('the refresh token of a code, with the hint of an access token', async () => {
      const { client: owner, accessToken: token, refreshToken: revoked } = misnamed
      const form = { token_type_hint: 'access_token' }
      expectTaken(tools.expect, await bank.revocation.try({ client: owner, token: revoked, form }))
      await expectDead(tools, { client: owner, token }, 'an access token issued under a refresh token of a wrong hint')
    })
  },
})

export const signingRefreshToken = rule({
  id: 'revocation/signing-refresh-token',
  requirement: 'REV-2',
  places: ['access-of-signing', 'refresh'].map((token) => `endpoint=token-info grant=signing token=${token}`),
  title: 'Revoking a refresh token of the signing flow ends it and the access token that came with it',
  // In one browser the session that others go on with ends with it.
  needs: [...toSign, 'browsers'],
  async check(tools) {
    const { bank, expect, inVariation, skip } = tools
    const { metadata } = await bank.client(await bank.signing.metadata())
    if (!String(metadata.scope).split(' ').includes('offline_access'))
      return skip('the bank does not declare grant refresh_token and scope offline_access')
    const claims = { scope: 'openid authorization offline_access' }
    const { client, response, accessToken } = await bank.signing.result.fresh({ claims })
    const token = response.member('refresh_token')
    if (typeof token !== 'string') return skip('an authorized object gives no refresh token')
    await bank.revocation.expectBaseline()
    const tokens = { 'the revoked refresh token': token, 'the access token that came with it': accessToken }
    // Seen while they are live, by whoever may remember what was said of them.
    for (const one of Object.values(tokens)) await bank.introspection.try({ client, token: one })
    expectTaken(expect, await bank.revocation.try({ client, token }))
    for (const [what, one] of Object.entries(tokens))
      await inVariation(what, () => expectDead(tools, { client, token: one }, what))
  },
})

/** Revokes the refresh token of a login: it is dead, and nothing comes of it any more. @param form of the revocation, beside the token */
async function expectRefreshTokenEnds(tools: Tools, login: OfflineLogin, form = {}): Promise<void> {
  const { bank, expect } = tools
  const { client, refreshToken: token } = login
  const hinted = { client, token, form: { token_type_hint: 'refresh_token' } }
  await bank.introspection.try(hinted)
  expectTaken(expect, await bank.revocation.try({ client, token, form }))
  await expectDead(tools, { client, token }, 'the revoked refresh token')
  await expectInactive(tools, await bank.introspection.try(hinted), 'the revoked refresh token, with its hint,')
  expectRefusal(expect, await bank.refresh.try({ login }), 400, 'invalid_grant')
}

export const refreshTokenAlone = rule({
  id: 'revocation/refresh-token-alone',
  requirement: 'REV-2',
  places: ['use=second-login', 'use=second-client'],
  title: 'Revoking a refresh token leaves other logins alone, at the same client and at another',
  // In one browser the logins are one session, which ends with the refresh token.
  needs: [...toLogIn, ...toRegister, 'browsers'],
  async check(tools) {
    const { bank, expect } = tools
    await bank.revocation.expectBaseline()
    const application = applicationOf('refresh-token')
    const login = await bank.offlineToken.fresh({ clientMetadata: application.website })
    const { client, refreshToken: token } = login
    const others = await otherLogins(bank, application)
    expectTaken(expect, await bank.revocation.try({ client, token }))
    for (const other of others) await expectLeftAlone(tools, other)
  },
})

export const unknownToken = rule({
  id: 'revocation/unknown-token',
  requirement: 'REV-10',
  places: [
    ...['unknown', 'long', 'encoded', 'lower-bound', 'prefix', 'superset'].map((value) => `value=${value}`),
    'member=jwt',
    'use=after-revocation',
    'parameter=token_type_hint value=unknown',
    'caller=bearer value=unknown',
    ...['client_secret_post', 'client_secret_jwt'].map((method) => `client-auth=${method} value=unknown`),
  ],
  title: 'POST /revoke of an unknown token, or of one that was revoked before, answers 200, whoever asks',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await bank.revocation.expectBaseline()
    const live = await liveToken(bank)
    const { client } = live
    for (const [what, token] of Object.entries(unknownTokens(live.token))) {
      await inVariation(what, async () => {
        expectTaken(expect, await bank.revocation.try({ client, token }))
        await expectLive(tools, live, `the token beside ${what}`)
      })
    }
    const [unknown = ''] = Object.values(unknownTokens(live.token))
    await inVariation('an unknown token with a hint', async () => {
      const form = { token_type_hint: 'refresh_token' }
      expectTaken(expect, await bank.revocation.try({ client, token: unknown, form }))
    })
    for (const [method, clientMetadata] of Object.entries(bySecret)) {
      if (!(await declaresMethod(tools, method)) || !bank.client.canBe(clientMetadata)) continue
      const caller = { client: await bank.client(clientMetadata), token: unknown }
      await inVariation(`an unknown token, by ${method}`, async () =>
        expectTaken(expect, await bank.revocation.try(caller)),
      )
    }
    await inVariation('an unknown token, as Bearer', async () => {
      const authentication = { bearer: live.token }
      const response = await bank.revocation.try({ client, token: unknown }, () => ({ authentication }))
      if (!isUnknownCaller(response)) expectTaken(expect, response)
    })
    await bank.revocation.try(live)
    await inVariation('a token that was revoked before', async () =>
      expectTaken(expect, await bank.revocation.try(live)),
    )
  },
})

export const loggedOutToken = rule({
  id: 'revocation/logged-out-token',
  requirement: 'REV-10',
  places: ['use=after-logout'],
  title: 'POST /revoke of a token that a logout ended answers 200',
  needs: [...toHearLogout, 'redirect'],
  async check({ bank, expect, inVariation, skip }) {
    await bank.revocation.expectBaseline()
    const [first] = (await bank.logout()).clients
    if (!first) return skip('no client had a login that a logout could end')
    const { login, refreshed } = first
    const ended = { 'the access token of a code': login, ...(refreshed && { 'that of a refresh': refreshed }) }
    for (const [what, { accessToken: token }] of Object.entries(ended)) {
      await inVariation(what, async () =>
        expectTaken(expect, await bank.revocation.try({ client: login.client, token })),
      )
    }
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
    const scope = ['openid', ...dataScopes.slice(0, 1), 'offline_access'].join(' ')
    const request = { scope, parameters: await bank.offlineParameters() }
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
    if (error === 'login_required' && (await bank.signsInAnew())) skip(everybodyAnew)
    reading('AMB-44', grantOnly.includes(error) ? 'grant-only' : 'grant-and-session')
  },
})
