import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:https'
import { connect } from 'node:tls'
import { decodeJwt, SignJWT } from 'jose'
import { assertionType } from '../provider/assertion.js'
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

test('introspection tells what the specification lists of a live token, and of any other no more than that', async () => {
  const { body } = await service.login(client, scope)
  const answer = await info(body.access_token)
  expect(answer).toEqual({
    active: true,
    scope,
    client_id: client.client_id,
    token_type: 'access_token',
    exp: answer.iat + 3600,
    iat: expect.any(Number),
    sub: expect.any(String),
    aud: client.client_id,
    iss: bank.issuer,
  })
  expect(await info('nobody-issued-this')).toEqual({ active: false })
  const other = await service.client()
  expect((await service.post(other, '/token-info', { token: body.access_token })).body).toEqual({ active: false })
  const bearer = await service
    .http('post', '/token-info')
    .type('form')
    .set('authorization', `Bearer ${body.access_token}`)
    .send({ token: body.refresh_token })
  expect(bearer.body).toMatchObject({ active: true, token_type: 'refresh_token' })
  const nobody = await service.http('post', '/token-info').type('form').send({ token: body.access_token })
  expect([nobody.status, nobody.body.error]).toEqual([401, 'invalid_client'])
})

test('revoking one access token touches nothing else, revoking a refresh token ends all that came of the login', async () => {
  const { body: first } = await service.login(client, scope)
  const { body: second } = await service.refresh(client, first.refresh_token)
  const revoked = await service.post(client, '/revoke', { token: first.access_token })
  expect([revoked.status, revoked.text]).toEqual([200, ''])
  const active = async (...tokens: string[]) => (await Promise.all(tokens.map(info))).map((answer) => answer.active)
  expect(await active(first.access_token, second.access_token, second.refresh_token)).toEqual([false, true, true])
  const { body: elsewhere } = await service.login(client, scope)
  await service.post(client, '/revoke', { token: second.refresh_token })
  expect(await active(second.access_token, second.refresh_token)).toEqual([false, false])
  expect(await active(elsewhere.access_token, elsewhere.refresh_token)).toEqual([true, true])
})

test('a refusal quotes no more of a request than one reads', async () => {
  const { status, body } = await service.post(client, '/token', { grant_type: 'x'.repeat(20_000) })
  expect([status, body.error, body.error_description.length]).toEqual([400, 'unsupported_grant_type', 1000])
})

test('the assertion for /revoke need not name the client', async () => {
  const { body } = await service.login(client, scope)
  const nameless = { iss: undefined, sub: undefined }
  const assertion = await service.clientAssertion(client.client_id, nameless, '/revoke')
  const answer = await service
    .http('post', '/revoke')
    .type('form')
    .send({ token: body.access_token, ...assertion })
  expect(answer.status).toBe(200)
  expect(await info(body.access_token)).toEqual({ active: false })
})

describe.each(['/revoke', '/token-info'] as const)(
  '%s tells who does not name the client the same of every token',
  (path) => {
    const foreign = { aud: 'https://elsewhere.example', iss: undefined, sub: undefined }

    test.each([
      ['without credentials', async () => ({}), 'client authentication is required: client_assertion or client_secret'],
      [
        'with a secret',
        async () => ({ client_secret: 'guessed' }),
        'the client cannot be authenticated: send client_id to learn why',
      ],
      [
        'with an assertion',
        () => service.clientAssertion('', foreign, path),
        'the client cannot be authenticated: send client_id to learn why',
      ],
    ])('%s', async (_how, credentials: () => Promise<Record<string, string>>, error_description) => {
      const { body } = await service.login(client, scope)
      for (const token of [body.access_token, 'unknown']) {
        const answer = await service
          .http('post', path)
          .type('form')
          .send({ token, ...(await credentials()) })
        expect([answer.status, answer.body]).toEqual([401, { error: 'invalid_client', error_description }])
      }
      expect(await info(body.access_token)).toMatchObject({ active: true })
    })
  },
)

test('a second exchange of a code ends what the first one gave', async () => {
  const { code } = await service.authorize(client, 'openid', [{ person: 'petr' }, { action: 'approve' }])
  const { body } = await service.redeem(client, String(code))
  const again = await service.redeem(client, String(code))
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
  expect(await info(body.access_token)).toEqual({ active: false })
})

test('TOK-15: of uses of one client assertion that race one is taken', async () => {
  const form = { token: 'none', ...(await service.clientAssertion(client.client_id, {}, '/token-info')) }
  const race = Array.from({ length: 20 }, () => service.http('post', '/token-info').type('form').send(form))
  const answers = await Promise.all(race)
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
})

describe('TOK-26 races have one winner', () => {
  test('of exchanges of one code', async () => {
    const { code } = await service.authorize(client, 'openid', [{ person: 'petr' }, { action: 'approve' }])
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.redeem(client, String(code))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
  })

  test('of refreshes with one token, and the winner keeps what it won', async () => {
    const { body } = await service.login(client, scope)
    const race = Array.from({ length: 20 }, () => service.refresh(client, body.refresh_token))
    const answers = await Promise.all(race)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)])
    const won = answers.find(({ status }) => status === 200)?.body
    for (const token of [won.access_token, won.refresh_token]) expect(await info(token)).toMatchObject({ active: true })
    expect((await service.refresh(client, won.refresh_token)).status).toBe(200)
  })

  test('of a refresh whose connection was under way before the answer to another was out', async () => {
    const { body } = await service.login(client, scope)
    const { hostname: host, port } = new URL(bank.issuer)
    const connection = connect({ host, port: Number(port), ca: bank.identity.authority.cert })
    await once(connection, 'secureConnect')
    const { body: won } = await service.refresh(client, body.refresh_token)
    const agent = Object.assign(new Agent(), { createConnection: () => connection })
    const form = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    const late = await service
      .http('post', '/token')
      .agent(agent)
      .type('form')
      .send({ ...form, ...(await service.clientAssertion(client.client_id)) })
    expect([late.status, late.body.error_description]).toEqual([400, 'the refresh token was already used'])
    for (const token of [won.access_token, won.refresh_token]) expect(await info(token)).toMatchObject({ active: true })
  })
})

test('client_secret_post and client_secret_jwt are taken from clients registered so, and from no others', async () => {
  const post = await service.client({ token_endpoint_auth_method: 'client_secret_post' })
  const secret = String(post.record.client_secret)
  const send = (form: Record<string, string>) =>
    service
      .http('post', '/token-info')
      .type('form')
      .send({ token: 'x', ...form })
  expect((await send({ client_id: post.client_id, client_secret: secret })).status).toBe(200)
  expect((await send({ client_id: post.client_id, client_secret: `${secret}x` })).status).toBe(401)
  expect((await send(await service.clientAssertion(post.client_id, {}, '/token-info'))).status).toBe(401)
  const privateKey = { client_id: client.client_id, client_secret: String(client.record.client_secret) }
  const refused = await send(privateKey)
  expect([refused.status, refused.body.error_description]).toEqual([
    401,
    'the client is registered for the method private_key_jwt',
  ])
})

test.each(['HS256', 'HS384', 'HS512'])(
  'client_secret is a key for %s: its octets are no fewer than those of the hash',
  async (alg) => {
    const { client_id, record } = await service.client({
      token_endpoint_auth_method: 'client_secret_jwt',
      token_endpoint_auth_signing_alg: alg,
    })
    // RFC 7518 section 3.2; the key is the text itself, and not what it would be the base64url of.
    const key = Buffer.from(String(record.client_secret))
    expect(key.byteLength).toBe(86)
    const client_assertion = await new SignJWT({ jti: randomUUID() })
      .setProtectedHeader({ alg })
      .setIssuer(client_id)
      .setSubject(client_id)
      .setAudience(`${bank.issuer}/token-info`)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(key)
    const form = { token: 'x', client_assertion, client_assertion_type: assertionType }
    const { status, body } = await service.http('post', '/token-info').type('form').send(form)
    expect([status, body]).toEqual([200, { active: false }])
  },
)

describe('the Authorization header does not authenticate a client (RFC 6749 section 5.2)', () => {
  const basic = `Basic ${Buffer.from(`${client.client_id}:${client.record.client_secret}`).toString('base64')}`
  const send = (played: typeof service, path: string, authorization: string, form: Record<string, string> = {}) =>
    played
      .http('post', path)
      .type('form')
      .set('authorization', authorization)
      .send({ token: 'x', ...form })

  test.each([
    ['/token', 'Basic', basic],
    ['/token', 'basic', 'basic x'],
    ['/token', 'Bearer', 'Bearer x'],
    ['/device_authorization', 'Basic', basic],
    ['/token-info', 'Basic', basic],
    ['/revoke', 'Basic', basic],
  ])('%s with %s: 401 with a challenge of the scheme that was tried', async (path, scheme, authorization) => {
    const { status, body, headers } = await send(service, path, authorization)
    expect([status, headers['www-authenticate'], body]).toEqual([
      401,
      `${scheme} realm="${bank.issuer}"`,
      {
        error: 'invalid_client',
        error_description: `client authentication is required: client_assertion or client_secret in the form, not ${scheme} in the Authorization header`,
      },
    ])
  })

  test('without it the status stays as the endpoint says, and where a Bearer token would do a challenge says so', async () => {
    const answers = await Promise.all(
      ['/token', '/device_authorization', '/token-info', '/revoke'].map((path) =>
        service.http('post', path).type('form').send({ token: 'x' }),
      ),
    )
    expect(answers.map(({ status, headers }) => [status, headers['www-authenticate']])).toEqual([
      [400, undefined],
      [400, undefined],
      [401, 'Bearer'],
      [401, 'Bearer'],
    ])
  })

  test('beside good client authentication it changes nothing', async () => {
    const { code } = await service.authorize(client, 'openid', [{ person: 'petr' }, { action: 'approve' }])
    const form = { grant_type: 'authorization_code', code: String(code), redirect_uri: client.redirect_uri }
    const assertion = await service.clientAssertion(client.client_id)
    expect((await send(service, '/token', basic, { ...form, ...assertion })).status).toBe(200)
  })

  test('where client credentials alone are taken (AMB-47), no challenge offers Bearer to who did not try it', async () => {
    const { service: strict } = await bankForTest({
      readings: { 'AMB-47': 'credentials-only', 'AMB-29': 'unauthorized' },
    })
    const without = await strict.http('post', '/token-info').type('form').send({ token: 'x' })
    expect([without.status, without.get('www-authenticate')]).toEqual([401, undefined])
    const tried = await send(strict, '/token-info', 'Bearer x')
    expect([tried.status, tried.body.error]).toEqual([401, 'invalid_client'])
    expect(tried.get('www-authenticate')).toMatch(/^Bearer realm=/)
  })
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
