import { createLocalJWKSet, jwtVerify } from 'jose'
import request from 'supertest'
import { createBank } from './bank.js'
import { bankForFile } from './testing/banks.js'

const { bank, service } = await bankForFile()

async function publishedKeys() {
  const { body } = await service.http('get', '/.well-known/jwks.json')
  return createLocalJWKSet(body)
}

test('a person logs in, and the client reads what was approved, signed and encrypted', async () => {
  const client = await service.client()
  const tokens = await service.login(client, 'openid profile.name')
  expect(tokens.status).toBe(200)
  expect(tokens.body).toEqual({
    access_token: expect.stringMatching(/^[\w-]{43}$/),
    expires_in: 3600,
    id_token: expect.any(String),
    scope: 'openid profile.name',
    token_type: 'Bearer',
  })
  const { payload } = await jwtVerify(tokens.body.id_token, await publishedKeys(), {
    issuer: bank.issuer,
    audience: client.client_id,
    algorithms: ['PS512'],
  })
  expect(payload.nonce).toBe('N-1')
  expect(payload.sub).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)

  const reply = await service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.body.access_token}`)
  expect(reply.status).toBe(200)
  expect(reply.get('content-type')).toMatch(/^application\/jwt\b/)
  const jws = await service.decrypt(reply.text)
  const userinfo = await jwtVerify(jws, await publishedKeys(), { algorithms: ['PS512'] })
  expect(userinfo.payload).toEqual({
    sub: payload.sub,
    iss: bank.issuer,
    aud: client.client_id,
    txn: expect.stringMatching(/^[0-9a-f-]{36}:openid:profile\.name$/),
    name: 'Mgr. Jana Marie Dvořáková, Ph.D.',
    given_name: 'Jana',
    family_name: 'Dvořáková',
    middle_name: 'Marie',
    nickname: 'Janička',
    preferred_username: 'jana.dvorakova',
  })
})

test('a scope unticked on the consent page is not granted, a required one is', async () => {
  const client = await service.client({ required_scope: 'profile.name' })
  const { code } = await service.authorize(client, 'openid profile.name profile.birthdate', [
    { person: 'petr' },
    { action: 'approve' },
  ])
  const tokens = await service.redeem(client, String(code))
  expect(tokens.body.scope).toBe('openid profile.name')
})

test('a person who declines or refuses is sent back with access_denied', async () => {
  const client = await service.client()
  await expect(service.authorize(client, 'openid', [{ action: 'decline' }])).resolves.toMatchObject({
    error: 'access_denied',
    error_description: 'User declined the authentication',
    state: 'S-1',
  })
  await expect(service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'refuse' }])).resolves.toMatchObject({
    error: 'access_denied',
    error_description: 'User declined consent',
    state: 'S-1',
  })
})

test('a wrong password shows the form again', async () => {
  const client = await service.client()
  await expect(
    service.authorize(client, 'openid', [
      { action: 'sign-in', login: 'jana', password: 'wrong' },
      { action: 'sign-in', login: 'jana', password: 'jana-secret' },
      { action: 'approve' },
    ]),
  ).resolves.toMatchObject({ code: expect.any(String) })
})

test('one of many races for a code wins', async () => {
  const client = await service.client()
  const { code } = await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }])
  const answers = await Promise.all(Array.from({ length: 8 }, () => service.redeem(client, String(code))))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([200, 400, 400, 400, 400, 400, 400, 400])
  expect(answers.filter(({ status }) => status === 400).map(({ body }) => body.error)).toEqual(
    Array(7).fill('invalid_grant'),
  )
})

test('the Host header is not believed', async () => {
  const client = await service.client()
  const { code } = await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }])
  const assertion = await service.clientAssertion(client.client_id, { aud: 'https://evil.test/token' })
  const answer = await service
    .http('post', '/token')
    .disableTLSCerts()
    .set('host', 'evil.test')
    .type('form')
    .send({ grant_type: 'authorization_code', code, redirect_uri: client.redirect_uri, ...assertion })
  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({
    error: 'invalid_client',
    error_description: `aud of client_assertion must be ${bank.issuer}/token`,
  })
})

test('an access token is asked for, and only a live one is taken', async () => {
  const without = await service.http('get', '/userinfo')
  expect([without.status, without.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect(without.body).toEqual({ error: 'invalid_token', error_description: 'a Bearer access token is required' })
  const unknown = await service.http('get', '/userinfo').set('authorization', 'Bearer nobody-issued-this')
  expect(unknown.status).toBe(401)
  expect(unknown.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/)
})

test('a trace id is echoed, or made', async () => {
  const echoed = await service.http('get', '/healthcheck').set('x-b3-traceid', 'abc123')
  expect(echoed.get('x-b3-traceid')).toBe('abc123')
  const made = await service.http('get', '/healthcheck').set('x-b3-traceid', 'not a trace id')
  expect(made.get('x-b3-traceid')).toMatch(/^[0-9a-f]{32}$/)
})

test('a bank whose address has a path answers below it', async () => {
  const below = await createBank({ issuer: 'https://bank.example/idp' })
  const { body } = await request(below.app).get('/idp/.well-known/openid-configuration')
  expect([body.issuer, body.token_endpoint]).toEqual(['https://bank.example/idp', 'https://bank.example/idp/token'])
  expect((await request(below.app).get('/.well-known/openid-configuration')).status).toBe(404)
  await below.close()
})
