import { randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { assertionType } from '../provider/assertion.js'
import { bankForFile, bankForTest } from '../testing/banks.js'

const scope = 'openid profile.name profile.birthdate offline_access'

const { bank, service, client } = await bankForFile({}, { scope, grant_types: ['authorization_code', 'refresh_token'] })

const info = async (token: string) => (await service.post(client, '/token-info', { token })).body

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
