import { nextRefreshToken } from '../../bank/refresh.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { OfflineLogin } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectRefusal } from '../support/client-refusals.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { expectNothingOfThePerson } from '../user-data/checks.js'

/** The access token of a refresh response, with the scopes that the bank says it has: in the response, else by introspection. */
async function grantedBy({ bank, expect }: Tools, { client }: OfflineLogin, response: HttpResponse) {
  expect(response).toHaveStatus(200)
  const accessToken = expect(
    response.member('access_token'),
    'access_token of the refresh response',
    response,
  ).toBeText()
  const introspected = await bank.introspection.fresh({ client, token: accessToken })
  return { accessToken, scopes: parseSpaceDelimited(introspected.member('scope')), introspected }
}

export const narrowed = rule({
  id: 'token/refresh-narrowed',
  requirement: 'TOK-19',
  title: 'A refresh with fewer scopes gives a new access token of exactly those',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, reading } = tools
    const { login, subset, narrowed: response } = await bank.refreshChain()
    const { accessToken, scopes, introspected } = await grantedBy(tools, login, response)
    expect(response.json, 'the refresh response', response).toFitSchema('refresh-response')
    expect(accessToken, 'access_token of the refresh response', response).toDiffer(
      login.accessToken,
      'that of the login',
    )
    expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(subset)
    const listed = response.member('scope')
    if (listed !== undefined) {
      expect(parseSpaceDelimited(listed), 'scope of the refresh response', response).toBeSetOf(subset)
    }
    reading('AMB-17', listed === undefined ? 'absent' : 'present')
    reading('AMB-67', response.member('id_token') === undefined ? 'absent' : 'when-openid')
  },
})

export const whole = rule({
  id: 'token/refresh-whole',
  requirement: 'TOK-21',
  title: 'A refresh without scope gives the scopes of the refresh token',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, reading } = tools
    const login = await bank.offlineToken.fresh()
    const response = await bank.refresh.try({ login })
    const { scopes, introspected } = await grantedBy(tools, login, response)
    expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(login.scopes)
    reading('AMB-67', response.member('id_token') === undefined ? 'absent' : 'when-openid')
  },
})

export const droppedScope = rule({
  id: 'token/refresh-dropped-scope',
  requirement: 'TOK-21',
  title: 'A refresh without scope gives the scopes of the refresh token; one that a PUT dropped since may be missing',
  needs: [...toRegister, ...toLogIn],
  async check(tools) {
    const { bank, expect, reading, skip } = tools
    const clientMetadata = { client_name: 'Conformance with a scope that is dropped' }
    const login = await bank.offlineToken.fresh({ clientMetadata })
    const dropped = login.scopes.findLast((scope) => login.client.dataScopes.includes(scope))
    if (dropped === undefined) return skip('the bank declares no data scope')
    const client = await asOwn(await bank.registration(clientMetadata))
    const kept = parseSpaceDelimited(client.metadata.scope).filter((scope) => scope !== dropped)
    await bank.replaceRecord(client, replacement(client, { scope: kept.join(' ') }))
    const response = await bank.refresh.try({ login })
    const { scopes, introspected } = await grantedBy(tools, login, response)
    const given = scopes.includes(dropped)
    expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(
      login.scopes.filter((scope) => given || scope !== dropped),
    )
    reading('AMB-79', given ? 'refresh-token' : 'registered')
  },
})

export const widenedAgain = rule({
  id: 'token/refresh-widened-again',
  requirement: 'TOK-43',
  title: 'After a narrowed refresh a later one has all scopes of the refresh token again',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const { login, whole: response } = await bank.refreshChain()
    const { scopes, introspected } = await grantedBy(tools, login, response)
    expect(scopes, 'the scopes of the new access token', introspected).toBeSetOf(login.scopes)
  },
})

export const widened = rule({
  id: 'token/refresh-widened',
  requirement: 'TOK-20',
  title: 'A refresh with a scope that the refresh token does not have is refused',
  needs: toLogIn,
  async check({ bank, expect, warn, skip }) {
    const login = await bank.offlineToken.fresh()
    const further = login.client.dataScopes.find((scope) => !login.scopes.includes(scope))
    if (!further) return skip('the client has no scope beyond those of the login')
    const refusal = await bank.refresh.try({ login, form: { scope: `openid ${further}` } })
    expect(refusal).toHaveStatus(400)
    const { error } = expect(refusal.json, 'the refusal', refusal).toHaveMembers(['error'])
    const documented = ['invalid_request', 'invalid_grant', 'invalid_client', 'unauthorized_client']
    if (documented.includes(String(error))) warn(`the error is ${error}, where invalid_scope tells what is wrong`)
    else expectRefusal(expect, refusal, 400, 'invalid_scope')
  },
})

export const widenedKeeps = rule({
  id: 'token/refresh-widened-keeps',
  requirement: 'TOK-45',
  title: 'A refresh refused for its scope leaves the refresh token usable',
  needs: toLogIn,
  async check({ bank, expect, skip }) {
    const login = await bank.offlineToken.fresh()
    const further = login.client.dataScopes.find((scope) => !login.scopes.includes(scope))
    if (!further) return skip('the client has no scope beyond those of the login')
    const refusal = await bank.refresh.try({ login, form: { scope: `openid ${further}` } })
    if (refusal.status < 300) return skip('the wider refresh was not refused (see TOK-20)')
    const again = await bank.refresh.try({ login })
    expect(again).toHaveStatus(200)
  },
})

export const expiryKept = rule({
  id: 'token/refresh-expiry-kept',
  requirement: 'TOK-22',
  title: 'A new refresh token has the expiry of the old one',
  needs: toLogIn,
  async check({ bank, expect, reading }) {
    const login = await bank.offlineToken.fresh()
    const { client } = login
    const before = await bank.introspection.fresh({ client, token: login.refreshToken })
    const response = await bank.refresh.try({ login })
    expect(response).toHaveStatus(200)
    const next = nextRefreshToken(response, login.refreshToken)
    const after = await bank.introspection.fresh({ client, token: next })
    expect(after.member('exp'), 'exp of the new refresh token', after).toBe(before.member('exp'))
    reading('AMB-42', next === login.refreshToken ? 'kept' : 'rotated')
  },
})

export const oldDiscarded = rule({
  id: 'token/refresh-old-discarded',
  requirement: 'TOK-44',
  title: 'When a new refresh token is issued the old one is discarded',
  needs: toLogIn,
  async check({ bank, expect, note }) {
    const login = await bank.offlineToken.fresh()
    const response = await bank.refresh.try({ login })
    expect(response).toHaveStatus(200)
    const next = nextRefreshToken(response, login.refreshToken)
    if (next === login.refreshToken) return note('the bank issues no new refresh token on refresh')
    const introspected = await bank.introspection.try({ client: login.client, token: login.refreshToken })
    expect(introspected.member('active'), 'active of the old refresh token', introspected).toDiffer(
      true,
      'that of a live token',
    )
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
  title: 'A refresh with redirect_uri, and without client_id beside the assertion, is served',
  needs: toLogIn,
  async check({ bank, expect }) {
    const response = await bank.refresh.modified({}, ({ form, client }) => ({
      form: { ...form, redirect_uri: client.redirectUri },
      credentials: { client_id: undefined },
    }))
    expect(response).toHaveStatus(200)
    expect(response.member('access_token'), 'access_token of the refresh response', response).toBeText()
  },
})

/** The claims at userinfo under an access token. */
async function userdata({ bank, expect }: Tools, response: HttpResponse) {
  const { client } = (await bank.refreshChain()).login
  const accessToken = expect(
    response.member('access_token'),
    'access_token of the refresh response',
    response,
  ).toBeText()
  const data = await bank.userData.userinfo.try({ client, accessToken })
  expect(data).toHaveStatus(200)
  const { content } = await bank.open('userinfo', data, client)
  const { payload } = bank.read(content, 'userinfo', data)
  const claims = expect(payload, 'the payload of userinfo', data).toBeObject()
  return { data, claims }
}

export const leastData = rule({
  id: 'token/refresh-openid-data',
  requirement: 'TOK-23',
  title: 'A refresh narrowed to openid gives an access token whose data holds only sub and txn',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const { least } = await bank.refreshChain()
    expect(least).toHaveStatus(200)
    const { data, claims } = await userdata(tools, least)
    await expectNothingOfThePerson(tools, 'userinfo of a token narrowed to openid', { claims, response: data })
  },
})

export const unknownParameter = rule({
  id: 'token/refresh-unknown-parameter',
  requirement: 'TOK-46',
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
  title: 'A refresh narrowed to a subset gives data of that subset only',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, skip } = tools
    const { login, subset, narrowed: response } = await bank.refreshChain()
    const left = login.scopes.find((scope) => scope.startsWith('profile.') && !subset.includes(scope))
    if (!left) return skip('the login has no data scope beyond the subset')
    expect(response).toHaveStatus(200)
    const { data, claims } = await userdata(tools, response)
    const own = await bank.token({ scope: subset.join(' ') })
    const reply = await bank.userData.userinfo.try(own)
    const { payload } = bank.read((await bank.open('userinfo', reply, own.client)).content, 'userinfo', reply)
    const expected = Object.keys(expect(payload, 'the payload of userinfo', reply).toBeObject())
    expect(Object.keys(claims), `the claims at userinfo of a token narrowed to ${subset.join(' ')}`, data).toBeSetOf(
      expected,
    )
  },
})
