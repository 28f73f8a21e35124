import { deviceGrant } from '../capabilities.js'
import { bankForFile } from '../testing/banks.js'

const scope = 'openid profile.name offline_access'

const { service, client } = await bankForFile(
  {},
  { scope, grant_types: ['authorization_code', 'refresh_token', deviceGrant] },
)

const formType = 'application/x-www-form-urlencoded'

const send = (path: string, form: URLSearchParams | string, type = formType) =>
  service.http('post', path).set('content-type', type).send(form.toString())

const forms: [path: string, form: Record<string, string>, repeated: string][] = [
  ['/token', { grant_type: 'authorization_code', code: 'c', redirect_uri: 'https://app.example/cb' }, 'scope'],
  ['/token', { grant_type: 'refresh_token', refresh_token: 'r' }, 'redirect_uri'],
  ['/token', { grant_type: 'refresh_token', refresh_token: 'r' }, 'nobody_knows_this'],
  ['/token-info', { token: 't' }, 'client_secret'],
  ['/revoke', { token: 't' }, 'token_type_hint'],
  ['/device_authorization', { scope }, 'nonce'],
  ['/auth', { client_id: client.client_id, response_type: 'code' }, 'nobody_knows_this'],
]

test.each(forms)(
  '%s with %j: %s given twice is an error (RFC 6749 sections 3.1 and 3.2)',
  async (path, form, repeated) => {
    const parameters = new URLSearchParams({ ...form, ...(await service.clientAssertion(client.client_id, {}, path)) })
    parameters.append(repeated, 'openid')
    parameters.append(repeated, 'openid')
    const { status, body } = await send(path, parameters)
    expect([status, body]).toEqual([
      400,
      { error: 'invalid_request', error_description: `${repeated} is given more than once` },
    ])
  },
)

test('a code, and a refresh token, that came with a parameter twice are not used up by it', async () => {
  const { code } = await service.authorize(client, scope, [
    { person: 'jana' },
    { action: 'approve', scope: scope.split(' ') },
  ])
  const exchange = { grant_type: 'authorization_code', code: String(code), redirect_uri: client.redirect_uri }
  const twice = new URLSearchParams({ ...exchange, ...(await service.clientAssertion(client.client_id)) })
  twice.append('scope', 'openid')
  twice.append('scope', 'openid')
  expect((await send('/token', twice)).status).toBe(400)
  const tokens = await service.post(client, '/token', exchange)
  expect(tokens.status).toBe(200)
  const refresh = { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token }
  const again = new URLSearchParams({ ...refresh, ...(await service.clientAssertion(client.client_id)) })
  again.append('redirect_uri', client.redirect_uri)
  again.append('redirect_uri', client.redirect_uri)
  expect((await send('/token', again)).status).toBe(400)
  expect((await service.post(client, '/token', refresh)).status).toBe(200)
})

test.each(['/token', '/token-info', '/revoke', '/device_authorization', '/auth'])(
  'TOK-17: a body that %s cannot read is 400 invalid_request, as any other failure there, and 413 where it is too large',
  async (path) => {
    for (const [form, type, refused, reason] of [
      [`token=${'x'.repeat(60_000)}`, formType, 413, 'the body cannot be read: request entity too large'],
      ['token=x', `${formType}; charset=bogus`, 400, "the body cannot be read: unsupported charset 'BOGUS'"],
      ['{"token":"x"}', 'application/json', 400, `the body must be ${formType}`],
    ] as const) {
      const { status, body } = await send(path, form, type)
      expect([status, body]).toEqual([refused, { error: 'invalid_request', error_description: reason }])
    }
  },
)

test.each(['password', 'AUTHORIZATION_CODE', '__proto__', 'constructor', 'toString'])(
  'TOK-40: grant_type %s is 400 unsupported_grant_type',
  async (grant_type) => {
    const { status, body } = await service.post(client, '/token', { grant_type })
    expect([status, body]).toEqual([
      400,
      { error: 'unsupported_grant_type', error_description: `grant_type ${grant_type} is not supported` },
    ])
  },
)
