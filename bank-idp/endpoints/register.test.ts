import { bankForFile, bankForTest } from '../testing/banks.js'

const { bank, service } = await bankForFile()

test('a registration comes back with what the bank issued', async () => {
  const { status, body } = await service.register({ contacts: ['ops@example.com'], no_such_field: 1 })
  expect(status).toBe(200)
  expect(body).toEqual({
    ...service.record({ contacts: ['ops@example.com'] }),
    response_types: ['code'],
    grant_types: ['authorization_code'],
    application_type: 'web',
    subject_type: 'pairwise',
    token_endpoint_auth_method: 'private_key_jwt',
    id_token_signed_response_alg: 'PS512',
    userinfo_signed_response_alg: 'PS512',
    profile_signed_response_alg: 'PS512',
    userinfo_encrypted_response_enc: 'A256GCM',
    client_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    client_secret: expect.stringMatching(/^[\w-]{86}$/),
    client_secret_expires_at: 0,
    registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
    registration_client_uri: `${bank.issuer}/register/${body.client_id}`,
    client_id_issued_at: expect.any(Number),
  })
})

test.each([
  ['redirect_uris', ['http://app.example/cb'], 'invalid_redirect_uri'],
  ['redirect_uris', ['not a uri'], 'invalid_redirect_uri'],
  ['redirect_uris', ['https:app.example/cb'], 'invalid_redirect_uri'],
  ['redirect_uris', ['https:///app.example/cb'], 'invalid_redirect_uri'],
  ['jwks_uri', 'https:app.example/jwks.json', 'invalid_client_metadata'],
  ['notification_uri', 'https://app.example/notify#part', 'invalid_client_metadata'],
  ['backchannel_logout_uri', 'https://app.example/logout#part', 'invalid_client_metadata'],
  ['redirect_uris', ['https://user@app.example/cb'], 'invalid_redirect_uri'],
  ['redirect_uris', ['https://app.example/cb#part'], 'invalid_redirect_uri'],
  ['redirect_uris', ['https://a.example/cb', 'https://b.example/cb'], 'invalid_client_metadata'],
  ['client_name', 7, 'invalid_client_metadata'],
  ['scope', 'openid profile.horoscope', 'invalid_client_metadata'],
  ['required_scope', 'profile.email', 'invalid_client_metadata'],
  ['subject_type', 'secret', 'invalid_client_metadata'],
  ['id_token_signed_response_alg', 'RS256', 'invalid_client_metadata'],
  ['token_endpoint_auth_method', 'none', 'invalid_client_metadata'],
  ['id_token_encrypted_response_enc', 'A256GCM', 'invalid_client_metadata'],
])('%s %j is refused with %s', async (field, value, error) => {
  const { status, body } = await service.register({ [field]: value })
  expect([status, body.error]).toEqual([400, error])
  expect(body.error_description).toContain(field)
})

test('all that a record lacks is told at once', async () => {
  const { status, body } = await service.register({ client_name: undefined, jwks_uri: undefined, scope: undefined })
  expect([status, body]).toEqual([
    400,
    {
      error: 'invalid_client_metadata',
      error_description: 'client_name is missing. jwks_uri is missing. scope is missing.',
    },
  ])
})

const code = 'authorization_code'
const device = 'urn:ietf:params:oauth:grant-type:device_code'

test.each([
  [{ grant_types: [] }, 'grant_types must name a grant'],
  [{ response_types: [] }, 'response_types must name a response type'],
  [{ response_types: ['token'] }, 'grant_types: implicit is missing, and a response type needs it'],
  [{ response_types: ['code', 'token'] }, 'grant_types: implicit is missing, and a response type needs it'],
  [{ grant_types: ['implicit'] }, 'grant_types: authorization_code is missing, and a response type needs it'],
  [{ grant_types: ['refresh_token'] }, 'grant_types: authorization_code is missing, and a response type needs it'],
])('flows that could not be used are not registered: %j', async (flows, error_description) => {
  const { status, body } = await service.register(flows)
  expect([status, body]).toEqual([400, { error: 'invalid_client_metadata', error_description }])
})

test.each([
  [{ response_types: ['token'], grant_types: ['implicit'] }],
  [{ response_types: ['code', 'token'], grant_types: [code, 'implicit', 'refresh_token'] }],
  [{ response_types: ['code'], grant_types: [code, 'implicit'] }],
  [{ response_types: [], grant_types: [device] }],
])('flows that fit each other are registered: %j', async (flows) => {
  expect((await service.register(flows)).body).toMatchObject(flows)
})

test.each([
  ['no client certificate', { mutualTls: false }, {}],
  ['no assertion', { mutualTls: true }, { client_assertion: '' }],
  ['another assertion type', { mutualTls: true }, { client_assertion_type: 'urn:other' }],
  ['an assertion that is no JWT', { mutualTls: true }, { client_assertion: 'abc' }],
])('a caller with %s is refused', async (_case, tls, headers) => {
  const good = await service.registrationHeaders()
  const answer = await service
    .http('post', '/register', tls)
    .set({ ...good, ...headers })
    .send(service.record())
  expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token'])
  expect(answer.get('www-authenticate')).toBe('Bearer error="invalid_token"')
})

test.each(['client_assertion_type', 'client_assertion'])(
  'a call without the header %s is told that it is missing',
  async (name) => {
    const { [name]: _, ...headers } = await service.registrationHeaders()
    const answer = await service.http('post', '/register', { mutualTls: true }).set(headers).send(service.record())
    const error_description = `the header ${name} is missing; a reverse proxy may drop it`
    expect([answer.status, answer.body]).toEqual([401, { error: 'invalid_token', error_description }])
  },
)

test.each([
  ['aud', 'https://elsewhere.example/register'],
  ['exp', Math.floor(Date.now() / 1000) - 60],
  ['exp', undefined],
  ['iat', undefined],
  ['iat', Math.floor(Date.now() / 1000) + 600],
  ['jti', undefined],
])('a RegistrationAuthJWT with %s %s is refused', async (claim, value) => {
  const headers = await service.registrationHeaders({ ...service.registrationClaims(), [claim]: value })
  const answer = await service.http('post', '/register', { mutualTls: true }).set(headers).send(service.record())
  expect([answer.status, answer.body.error]).toEqual([401, 'invalid_token'])
  expect(answer.body.error_description).toContain(claim)
})

test.each(['PS512', 'ES512', 'PS256', 'ES256'])(
  'AMB-12: request_object_signing_alg %s can be registered, for the login flow or for the signing flow',
  async (request_object_signing_alg) => {
    const { status, body } = await service.register({ request_object_signing_alg })
    expect([status, body.request_object_signing_alg]).toEqual([200, request_object_signing_alg])
  },
)

test('AMB-32: a registration access token that is missing, or another client’s, is refused by the reading in force', async () => {
  for (const [reading, missing, foreign] of [
    ['unauthorized', [401, 'invalid_token', 'Bearer'], [401, 'invalid_token']],
    ['challenge-only', [401, undefined, 'Bearer'], [401, 'invalid_token']],
    ['forbidden', [401, 'invalid_token', 'Bearer'], [403, 'insufficient_scope']],
    ['bad-request', [400, 'invalid_request', 'Bearer'], [400, 'invalid_request']],
  ] as const) {
    const { service: own } = await bankForTest({ readings: { 'AMB-32': reading } })
    const [first, second] = [await own.client(), await own.client()]
    const none = await own
      .http('get', `/register/${first.client_id}`, { mutualTls: true })
      .set(await own.registrationHeaders())
    expect([none.status, none.body.error, none.get('www-authenticate')]).toEqual(missing)
    const bare = await own
      .http('get', `/register/${first.client_id}`, { mutualTls: true })
      .set({ ...(await own.registrationHeaders()), authorization: 'Bearer' })
    expect([bare.status, bare.body.error, bare.get('www-authenticate')]).toEqual(missing)
    const { registration_access_token } = second
    const crossed = await own.readRegistration({ client_id: first.client_id, registration_access_token })
    expect([crossed.status, crossed.body.error]).toEqual(foreign)
  }
})

test('a RegistrationAuthJWT is taken once', async () => {
  const headers = await service.registrationHeaders()
  const call = () => service.http('post', '/register', { mutualTls: true }).set(headers).send(service.record())
  const statuses = (await Promise.all(Array.from({ length: 6 }, call))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 401, 401, 401, 401, 401])
})

test('a record is read, replaced and removed with its registration access token', async () => {
  const { client_id, registration_access_token, record } = await service.client({ contacts: ['ops@example.com'] })
  const other = await service.client()
  const headers = async (token = registration_access_token) => ({
    ...(await service.registrationHeaders()),
    authorization: `Bearer ${token}`,
  })
  const path = `/register/${client_id}`
  const http = (method: 'get' | 'put' | 'delete') => service.http(method, path, { mutualTls: true })

  expect((await http('get').set(await headers(other.registration_access_token))).status).toBe(401)
  expect((await http('get').set(await headers())).body).toEqual(record)

  const change = { ...service.record({ client_name: 'Renamed' }), client_id }
  const foreign = await http('put')
    .set(await headers())
    .send({ ...change, client_id: other.client_id })
  expect([foreign.status, foreign.body.error]).toEqual([400, 'invalid_client_metadata'])
  const replaced = await http('put')
    .set(await headers())
    .send(change)
  expect(replaced.status).toBe(200)
  expect(replaced.body.client_name).toBe('Renamed')
  expect(replaced.body.contacts).toBeUndefined()
  expect((await http('get').set(await headers())).body).toEqual(replaced.body)

  const tokens = await service.login(
    { ...other, client_id, redirect_uri: String(service.record().redirect_uris) },
    'openid',
  )
  expect((await http('delete').set(await headers())).status).toBe(204)
  expect((await http('get').set(await headers())).status).toBe(401)
  const dead = await service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.body.access_token}`)
  expect(dead.status).toBe(401)
})

test('AMB-78: a PUT takes exactly the fields of the record, with or without client_id by the reading in force', async () => {
  for (const [reading, answer] of [
    ['optional', [200, undefined]],
    ['required', [400, 'client_id is missing']],
  ] as const) {
    const { service: own } = await bankForTest({ readings: { 'AMB-78': reading } })
    const client = await own.client({ contacts: ['ops@example.com'] })
    const without = await own.replaceRegistration(client, own.record({ client_name: 'Renamed' }))
    expect([without.status, without.body.error_description]).toEqual(answer)
    const record = own.record({ client_name: 'Renamed', client_id: client.client_id })
    const replaced = await own.replaceRegistration(client, record)
    expect([replaced.status, replaced.body.client_name, replaced.body.contacts]).toEqual([200, 'Renamed', undefined])
    expect((await own.readRegistration(client)).body).toEqual(replaced.body)
  }
})

test.each([
  ['client_id', 'another', 'client_id must be the one of the address, or be left out'],
  ['client_secret', 'another', 'client_secret does not match'],
  ['registration_access_token', 'any', 'registration_access_token is issued by the bank, leave it out'],
  ['registration_client_uri', 'https://any', 'registration_client_uri is issued by the bank, leave it out'],
  ['client_id_issued_at', 1, 'client_id_issued_at is issued by the bank, leave it out'],
])('a PUT with the %s %j is refused', async (field, value, error_description) => {
  const client = await service.client()
  const { status, body } = await service.replaceRegistration(client, service.record({ [field]: value }))
  expect([status, body]).toEqual([400, { error: 'invalid_client_metadata', error_description }])
})

test.each(['get', 'put', 'delete'] as const)(
  '%s of a client that does not exist revokes the token used',
  async (method) => {
    for (const reading of ['unauthorized', 'forbidden'] as const) {
      const { service: own } = await bankForTest({ readings: { 'AMB-32': reading } })
      const [client, other] = [await own.client(), await own.client()]
      const call = async (authorization: Record<string, string>, certificate = true) =>
        own
          .http(method, '/register/unknown', { mutualTls: certificate })
          .set({ ...(await own.registrationHeaders()), ...authorization })
          .send(method === 'put' ? own.record() : undefined)
      const token = { authorization: `Bearer ${client.registration_access_token}` }
      // Who is not the service revokes nothing.
      expect((await call(token, false)).status).toBe(401)
      expect((await own.readRegistration(client)).status).toBe(200)
      expect((await call({})).status).toBe(401)

      const error_description = 'the client is not registered: the registration access token is revoked'
      const refusal = await call(token)
      expect([refusal.status, refusal.body]).toEqual([401, { error: 'invalid_token', error_description }])
      expect((await own.readRegistration(client)).status).toBe(reading === 'forbidden' ? 403 : 401)
      expect((await own.readRegistration(other)).status).toBe(200)
      // The client itself lives on.
      expect((await own.login(client, 'openid')).status).toBe(200)
    }
  },
)

test('a body that is no JSON object is refused', async () => {
  for (const body of ['[]', '"text"', '{', 'null']) {
    const answer = await service
      .http('post', '/register', { mutualTls: true })
      .set({ ...(await service.registrationHeaders()), 'content-type': 'application/json' })
      .send(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ error: expect.any(String), error_description: expect.any(String) })
  }
})
