import type { Bank } from '../../bank/bank.js'
import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import { authenticatedBy } from '../../bank/client-metadata.js'
import type { Client } from '../../bank/registration.js'
import { revocation } from '../../bank/token-state.js'
import type { Expect } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { assertingClient, expectInvalidClient, expectRefusal } from '../support/client-refusals.js'

/** A revocation was taken: 200 with or without a body, or 204 (AMB-69). */
function expectTaken(expect: Expect, response: HttpResponse): void {
  expect(response).toHaveStatus(200, 204)
}

async function expectDead({ bank, expect }: Tools, client: Client, token: string, what: string) {
  const told = await bank.introspect(client, token)
  expect(told.member('active'), `active of ${what}`, told).toDiffer(true, 'that of a live token')
}

/** A live access token of a login of the rule's own. */
async function liveToken(bank: Bank): Promise<{ client: Client; token: string }> {
  const { client, accessToken } = await bank.freshLogin()
  await bank.introspected(client, accessToken)
  return { client, token: accessToken }
}

export const accessToken = rule({
  id: 'revocation/access-token',
  requirement: 'REV-1',
  title: 'A revoked access token is inactive at once at /token-info, /userinfo and /profile',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const { client, token } = await liveToken(bank)
    const serving: UserData[] = []
    for (const endpoint of userDataEndpoints) {
      if ((await bank.userData(endpoint, { accessToken: token })).status === 200) serving.push(endpoint)
    }
    expectTaken(expect, await bank.revoke(client, token))
    await expectDead(tools, client, token, 'the revoked access token')
    for (const endpoint of serving) {
      expect(await bank.userData(endpoint, { accessToken: token })).toHaveStatus(401, 403, 400)
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
    await bank.expectBaseline(revocation)
    const login = await bank.freshOfflineLogin()
    const { client } = login
    await bank.introspected(client, login.accessToken)
    expectTaken(expect, await bank.revoke(client, login.refreshToken))
    await expectDead(tools, client, login.refreshToken, 'the revoked refresh token')
    await expectDead(tools, client, login.accessToken, 'an access token issued under a revoked refresh token')
    expectRefusal(expect, await bank.refresh(login), 400, 'invalid_grant')
  },
})

export const hint = rule({
  id: 'revocation/hint',
  requirement: 'REV-3',
  title: 'A token is revoked with 200, whatever the hint, however it is spelled',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, reading } = tools
    await bank.expectBaseline(revocation)
    const hints: readonly Record<string, string>[] = [
      { token_type_hint: 'access_token' },
      { token_type_hint: 'refresh_token' },
      { token_type_hin: 'refresh_token' },
    ]
    for (const form of hints) {
      await inVariation(`hint ${JSON.stringify(form)}`, async () => {
        const { client, token } = await liveToken(bank)
        const response = await bank.revoke(client, token, { form })
        expectTaken(expect, response)
        await expectDead(tools, client, token, 'the revoked access token')
        reading('AMB-69', response.status === 204 ? 'no-content' : response.text === '' ? 'ok-empty' : 'ok-json')
      })
    }
    const { client, token } = await liveToken(bank)
    const odd = (name: string) => bank.revoke(client, token, { form: { [name]: 'divining_rod' } })
    const unknown = await odd('token_type_hint')
    if (unknown.status < 300) {
      await expectDead(tools, client, token, 'an access token revoked with a hint of unknown value')
      return reading('AMB-56', 'ignored')
    }
    expect(unknown).toHaveStatus(400)
    expect(unknown.json, 'the refusal', unknown).toFitSchema('error')
    reading('AMB-56', 'refused')
    const misspelled = await odd('token_type_hin')
    reading('AMB-5', misspelled.status === 400 ? 'both-spellings' : 'token-type-hint-only')
    if (misspelled.status < 300) await expectDead(tools, client, token, 'an access token revoked with token_type_hin')
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
    await bank.expectBaseline(revocation)
    const named = await liveToken(bank)
    expectTaken(expect, await bank.revoke(named.client, named.token))
    await expectDead(tools, named.client, named.token, 'an access token revoked with sub and iss')
    const { client, token } = await liveToken(bank)
    const response = await bank.revoke(client, token, {
      authentication: { claims: { sub: undefined, iss: undefined } },
      credentials: { client_id: undefined },
    })
    if (response.status === 400 || response.status === 401) return reading('AMB-23', 'required')
    expectTaken(expect, response)
    await expectDead(tools, client, token, 'an access token revoked without sub and iss')
    reading('AMB-23', 'optional')
  },
})

export const caller = rule({
  id: 'revocation/caller',
  requirement: 'REV-5',
  title: 'Client credentials, or an access token of the client, authenticate the revocation',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, reading } = tools
    await bank.expectBaseline(revocation)
    const declared = (await bank.discovery()).declared('token_endpoint_auth_methods_supported') ?? []
    if (declared.includes('client_secret_post')) {
      const bySecret = await bank.freshLogin({ clientMetadata: authenticatedBy('client_secret_post') })
      expectTaken(expect, await bank.revoke(bySecret.client, bySecret.accessToken))
      await expectDead(tools, bySecret.client, bySecret.accessToken, 'an access token revoked by client_secret')
    }
    const { client, token } = await liveToken(bank)
    const byToken = await bank.revoke(client, token, { authentication: { bearer: token } })
    if (byToken.status === 400 || byToken.status === 401) return reading('AMB-47', 'credentials-only')
    expectTaken(expect, byToken)
    await expectDead(tools, client, token, 'an access token that revoked itself as Bearer')
    reading('AMB-47', 'access-token-too')
  },
})

export const audience = rule({
  id: 'revocation/audience',
  requirement: 'REV-6',
  title: 'An assertion made out to /revoke is taken, one made out to a foreign address refused',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, note } = tools
    await assertingClient(tools)
    await bank.expectBaseline(revocation)
    const { client, token } = await liveToken(bank)
    const foreign = { claims: { aud: 'https://elsewhere.example/revoke' } }
    expectInvalidClient(expect, await bank.revoke(client, token, { authentication: foreign }))
    await bank.introspected(client, token)
    expectTaken(expect, await bank.revoke(client, token))
    await expectDead(tools, client, token, 'the revoked access token')
    // That the token is dead is no error (RFC 7009 section 2.2): what is refused from here on is the assertion.
    for (const aud of [bank.issuer, await (await bank.discovery()).endpoint('token_endpoint')]) {
      const response = await bank.revoke(client, token, { authentication: { claims: { aud } } })
      if (response.status < 300) note(`${aud} is taken as aud as well`)
    }
  },
})

export const unauthenticated = rule({
  id: 'revocation/unauthenticated',
  requirement: 'REV-8',
  title: 'POST /revoke without client authentication is refused, and the token stays active',
  needs: toLogIn,
  async check({ bank, expect, note, reading }) {
    const sendVariation = await bank.variations(revocation)
    const { client, token } = await liveToken(bank)
    const refusal = await sendVariation(() => ({ authentication: 'none', form: { token } }))
    expect(refusal).toHaveStatus(401, 400)
    if (refusal.status === 400) note('the refusal is 400')
    reading('AMB-32', refusal.status === 400 ? 'bad-request' : refusal.text === '' ? 'challenge-only' : 'unauthorized')
    const told = await bank.introspect(client, token)
    expect(told.member('active'), 'active of a token that nobody revoked', told).toBe(true)
  },
})

export const tokenOfAnother = rule({
  id: 'revocation/token-of-another',
  requirement: 'REV-9',
  title: "POST /revoke of another client's token leaves it active",
  needs: toLogIn,
  async check({ bank, expect }) {
    const other = await bank.client({ client_name: 'Another client' })
    const { client, token } = await liveToken(bank)
    await bank.revoke(other, token)
    const told = await bank.introspect(client, token)
    expect(told.member('active'), 'active of a token that another client revoked', told).toBe(true)
  },
})

export const unknownToken = rule({
  id: 'revocation/unknown-token',
  requirement: 'REV-10',
  title: 'POST /revoke of an unknown token answers 200',
  needs: toLogIn,
  async check({ bank, expect }) {
    await bank.expectBaseline(revocation)
    const { client, accessToken: token } = await bank.login()
    expectTaken(expect, await bank.revoke(client, `${token.slice(0, -8)}${[...token.slice(-8)].reverse().join('')}x`))
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
    await bank.expectBaseline(revocation)
    const session = bank.session({ clientMetadata })
    const { client, response } = await session.signIn(request)
    const token = response.member('refresh_token')
    if (typeof token !== 'string') return skip('the login gave no refresh token (see TOK-3)')
    expectTaken(expect, await bank.revoke(client, token))
    const { callback } = await session.ask({ ...request, parameters: { prompt: 'none' } })
    const error = callback.query.get('error')
    if (error !== null) expect(error, 'error of the callback', callback.response).toBe('login_required')
    reading('AMB-44', error === null ? 'grant-only' : 'grant-and-session')
  },
})
