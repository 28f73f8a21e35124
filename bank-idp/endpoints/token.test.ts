import { decodeJwt } from 'jose'
import { bankForFile, bankForTest } from '../testing/banks.js'
import { door } from '../testing/control-door.js'

const scope = 'openid profile.name profile.birthdate offline_access'

const { bank, service, client } = await bankForFile(
  { control: true },
  { scope, grant_types: ['authorization_code', 'refresh_token'] },
)

const info = async (token: string) => (await service.post(client, '/token-info', { token })).body

test('a refresh token is rotated: the new one keeps the expiry, the old one is discarded', async () => {
  const { body: first } = await service.login(client, scope)
  expect(first).toMatchObject({ scope, expires_in: 3600, refresh_token: expect.stringMatching(/^[\w-]{43}$/) })
  const before = await info(first.refresh_token)
  expect(before.exp - before.iat).toBe(365 * 24 * 3600)
  const { body: second, status } = await service.refresh(client, first.refresh_token)
  expect([status, second.scope]).toEqual([200, scope])
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(await info(second.refresh_token)).toMatchObject({ active: true, exp: before.exp, token_type: 'refresh_token' })
  expect(await info(first.refresh_token)).toEqual({ active: false })
  const again = await service.refresh(client, first.refresh_token)
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
})

test('a refresh token that was replaced ends all that came of its login when its client uses it again (RFC 9700 section 4.14.2)', async () => {
  const { body: elsewhere } = await service.login(client, scope)
  const { body: first } = await service.login(client, scope)
  const { body: second } = await service.refresh(client, first.refresh_token)
  const { body: third } = await service.refresh(client, second.refresh_token)
  // In the hands of another client it is worth nothing, and ends nothing.
  const other = await service.client({ scope, grant_types: ['authorization_code', 'refresh_token'] })
  const foreign = await service.refresh(other, first.refresh_token)
  expect([foreign.status, foreign.body.error_description]).toEqual([
    400,
    'the refresh token was issued to another client',
  ])
  expect(await info(third.refresh_token)).toMatchObject({ active: true })
  for (const token of [first.refresh_token, first.refresh_token, third.refresh_token]) {
    const again = await service.refresh(client, token)
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  }
  const family = [first.access_token, second.access_token, third.access_token, third.refresh_token]
  for (const token of family) expect(await info(token)).toEqual({ active: false })
  expect(await info(elsewhere.refresh_token)).toMatchObject({ active: true })
})

test('a token response may be stored nowhere, and its id_token tells what is published as required', async () => {
  const { body, headers } = await service.login(client, scope)
  expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
  const refreshed = await service.refresh(client, body.refresh_token)
  const [first, second] = [decodeJwt(body.id_token), decodeJwt(refreshed.body.id_token)]
  expect(first).toMatchObject({
    iss: bank.issuer,
    sub: expect.any(String),
    aud: client.client_id,
    nonce: 'N-1',
    exp: Number(first.iat) + 3600,
    auth_time: expect.any(Number),
    acr: 'loa2',
    amr: ['pwd'],
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  const { auth_time, acr, amr, sub, nonce } = first
  expect(second).toMatchObject({ auth_time, acr, amr, sub, nonce })
  expect(second.jti).not.toBe(first.jti)
})

test('a refresh narrows, widens again up to what was granted, and no further', async () => {
  const { body: first } = await service.login(client, 'openid profile.name offline_access')
  const narrow = await service.refresh(client, first.refresh_token, 'openid')
  expect([narrow.body.scope, (await info(narrow.body.access_token)).scope]).toEqual(['openid', 'openid'])
  const wider = await service.refresh(client, narrow.body.refresh_token, 'openid profile.birthdate')
  expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope'])
  const whole = await service.refresh(client, narrow.body.refresh_token)
  expect(whole.body.scope).toBe('openid profile.name offline_access')
})

test('AMB-79: of a scope that a PUT dropped since, a refresh gives what the reading in force says', async () => {
  for (const [reading, given] of [
    ['refresh-token', scope],
    ['registered', 'openid profile.birthdate offline_access'],
  ] as const) {
    const { service: own } = await bankForTest({ readings: { 'AMB-79': reading } })
    const registered = { scope, grant_types: ['authorization_code', 'refresh_token'] }
    const of = await own.client(registered)
    const { body: first } = await own.login(of, scope)
    const record = own.record({ ...registered, scope: 'openid profile.birthdate offline_access' })
    expect((await own.replaceRegistration(of, record)).status).toBe(200)
    const whole = await own.refresh(of, first.refresh_token)
    expect([whole.status, whole.body.scope]).toEqual([200, given])
    const introspected = await own.post(of, '/token-info', { token: whole.body.access_token })
    expect(introspected.body).toMatchObject({ active: true, scope: given })
    const named = await own.refresh(of, whole.body.refresh_token, 'openid profile.name')
    expect([named.status, named.body.scope]).toEqual([200, reading === 'registered' ? 'openid' : 'openid profile.name'])
    const dropped = await own.refresh(of, named.body.refresh_token, 'profile.name')
    expect([dropped.status, dropped.body.error]).toEqual(
      reading === 'registered' ? [400, 'invalid_scope'] : [200, undefined],
    )
  }
})

test('a second exchange of a code ends what the first one gave', async () => {
  const { code } = await service.authorize(client, 'openid', [{ person: 'petr' }, { action: 'approve' }])
  const { body } = await service.redeem(client, String(code))
  const again = await service.redeem(client, String(code))
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  expect(await info(body.access_token)).toEqual({ active: false })
})

test('a refusal quotes no more of a request than one reads', async () => {
  const { status, body } = await service.post(client, '/token', { grant_type: 'x'.repeat(20_000) })
  expect([status, body.error, body.error_description.length]).toEqual([400, 'unsupported_grant_type', 1000])
})

describe('AMB-53: a client that registered the implicit flow alone asks for a code', () => {
  const implicit = { response_types: ['token'], grant_types: ['implicit'] }

  test('and is refused', async () => {
    const { client_id, redirect_uri } = await service.client(implicit)
    const query = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n' }
    const answer = await service.http('get', '/auth').query(query)
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: 'unsupported_response_type',
        error_description: 'response_type code is not registered for this client',
      },
    ])
  })

  test('by the other reading it is served: the code gives tokens, once', async () => {
    const { service: serving } = await bankForTest({ readings: { 'AMB-53': 'served' } })
    const owner = await serving.client(implicit)
    const { code } = await serving.authorize(owner, 'openid', [{ person: 'petr' }, { action: 'approve' }])
    const { status, body } = await serving.redeem(owner, String(code))
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      ['access_token', 'expires_in', 'id_token', 'scope', 'token_type'],
    ])
    expect(await serving.redeem(owner, String(code))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const refresh = await serving.refresh(owner, 'none')
    expect([refresh.status, refresh.body.error]).toEqual([400, 'unauthorized_client'])
  })
})

test('TOK-11 a person who is blocked loses every token at once, and gets in again only when unblocked', async () => {
  const block = async (blocked: boolean) => expect((await door(bank, '/people/petr', { blocked })).status).toBe(200)
  const { body: blocked } = await service.login(client, scope, 'petr')
  const { body: other } = await service.login(client, scope, 'jana')
  await block(true)
  expect(await info(blocked.access_token)).toEqual({ active: false })
  expect((await service.refresh(client, blocked.refresh_token)).body.error).toBe('invalid_grant')
  expect(await info(other.refresh_token)).toMatchObject({ active: true })
  const refused = await service.authorize(client, scope, [{ person: 'petr' }])
  expect(refused).toMatchObject({ error: 'eid_doesnt_exist' })
  await block(false)
  const { body: again } = await service.login(client, scope, 'petr')
  expect(await info(again.access_token)).toMatchObject({ active: true })
  expect(await info(blocked.access_token)).toEqual({ active: false })
})
