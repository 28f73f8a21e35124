import { decodeJwt } from 'jose'
import { openEdition } from '../../schemas/editions/index.js'
import { packageFile } from '../../schemas/package-file.js'
import { deviceGrant } from '../capabilities.js'
import { internalParameters } from '../provider/internal-request.js'
import { bankForFile } from '../testing/banks.js'
import type { Cookies, Form } from '../testing/pages.js'
import { requestClaims } from '../testing/request-objects.js'
import type { Callback } from '../testing/service.js'

const scope = 'openid profile.name offline_access'

const { bank, service, client } = await bankForFile(
  {},
  { scope: `${scope} authorization`, grant_types: ['authorization_code', 'refresh_token', deviceGrant] },
)

/** What oidc-provider knows of authorization requests, by itself, in features of its own and in other grants. */
const { default: known } = (await import(packageFile('node_modules/oidc-provider/lib/consts/param_list.js'))) as {
  default: string[]
}
const further = [
  'assertion',
  'audience',
  'authorization_details',
  'binding_message',
  'client_notification_token',
  'dpop_jkt',
  'login_hint_token',
  'pre-authorized_code',
  'request_context',
  'requested_expiry',
  'resource',
  'subject_token',
  'tx_code',
  'user_code',
  'web_message_uri',
]

/** What only the bank's own code may say to oidc-provider, with values that would be taken for it. */
const internal = { hinted_subject: 'somebody-else', signing_request: 'of-somebody-else' }

/** Every such parameter, and one that nobody knows, save those that an endpoint takes. */
function unknown(...taken: readonly string[]): Record<string, string> {
  const names = [...known, ...further, 'access_token', 'confirm', 'nobody_knows_this'].filter(
    (name) => !taken.includes(name),
  )
  return { ...Object.fromEntries(names.map((name) => [name, 'https://elsewhere.example'])), ...internal }
}

/** The table of GET /auth, and what the bank refuses there by name. */
const authParameters = [
  ...['redirect_uri', 'client_id', 'response_type', 'scope', 'state', 'nonce', 'prompt', 'display', 'acr_values'],
  ...['max_age', 'response_mode', 'ui_locales', 'claims', 'id_token_hint', 'request_uri', 'registration', 'sep_id'],
  ...['request', 'code_challenge', 'code_challenge_method'],
]

const authentication = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type']

const approve: Form = { action: 'approve', scope: scope.split(' ') }

/** What a token response gives, and what of the person who signed in. */
async function outcomeOf({ status, body }: { status: number; body: Record<string, string> }) {
  const { sub, acr, structured_scope } = body.id_token ? decodeJwt(body.id_token) : {}
  const userinfo = await service.http('get', '/userinfo').set('authorization', `Bearer ${body.access_token}`)
  return { status, type: body.token_type, scope: body.scope, sub, acr, structured_scope, userinfo: userinfo.status }
}

/** A login without anything that is unknown. */
let plain: Awaited<ReturnType<typeof outcomeOf>>
/** Its access token. */
let accessToken: string

beforeAll(async () => {
  const tokens = await service.login(client, scope)
  accessToken = tokens.body.access_token
  plain = await outcomeOf(tokens)
  expect(plain).toMatchObject({ status: 200, type: 'Bearer', scope, userinfo: 200, structured_scope: undefined })
})

async function withAccessToken(path: string): Promise<void> {
  const answer = await service.http('get', path).query(unknown()).set('authorization', `Bearer ${accessToken}`)
  expect([answer.status, answer.type]).toEqual([200, 'application/jwt'])
  // RFC 6750 section 2.3: a token in the query would be in logs.
  const inQuery = await service.http('get', path).query({ ...unknown(), access_token: accessToken })
  expect([inQuery.status, inQuery.body.error]).toEqual([401, 'invalid_token'])
}

/** Registers a client of its own, and calls its address. */
async function managed(method: 'get' | 'put' | 'delete', status: number): Promise<void> {
  const { client_id, registration_access_token } = await service.client()
  const record = { ...service.record(), client_id, nobody_knows_this: 'x', ...internal }
  const answer = await service
    .http(method, `/register/${client_id}`, { mutualTls: true })
    .query(unknown())
    .set(await service.registrationHeaders())
    .set('authorization', `Bearer ${registration_access_token}`)
    .send(method === 'put' ? record : undefined)
  expect(answer.status).toBe(status)
  expect(
    Object.keys(answer.body).filter((name) => ['nobody_knows_this', ...Object.keys(internal)].includes(name)),
  ).toEqual([])
}

async function unauthenticated(path: string): Promise<void> {
  const answer = await service.http('get', path).query(unknown())
  const untimed = (body: object) => JSON.stringify(body).replaceAll(/"time":"[^"]*"/g, '')
  expect([answer.status, untimed(answer.body)]).toEqual([200, untimed((await service.http('get', path)).body)])
}

async function signed(callback: Promise<Callback>): Promise<void> {
  const { code, state } = await callback
  const { status, body } = await service.redeemSigned(client, String(code))
  expect([state, status, body]).toMatchObject(['S-1', 200, { scope: 'openid authorization' }])
}

const authorizing: Form[] = [{ person: 'jana' }, { action: 'authorize' }]

/** Each endpoint with a good request, and every unknown parameter beside it. */
const endpoints: Readonly<Record<string, () => Promise<void>>> = {
  async 'GET /auth'() {
    const forms: Form[] = [
      { person: 'jana', ...internal },
      { ...approve, ...internal },
    ]
    const { code } = await service.authorize(client, scope, forms, unknown(...authParameters))
    expect(await outcomeOf(await service.redeem(client, String(code)))).toEqual(plain)
  },
  async 'POST /token'() {
    const taken = [...authentication, 'code', 'redirect_uri', 'refresh_token', 'scope', 'code_verifier']
    const { code } = await service.authorize(client, scope, [{ person: 'jana' }, approve])
    const grant = { grant_type: 'authorization_code', code: String(code), redirect_uri: client.redirect_uri }
    const first = await service.post(client, '/token', { ...unknown(...taken), ...grant })
    expect(await outcomeOf(first)).toEqual(plain)
    const refresh = { grant_type: 'refresh_token', refresh_token: first.body.refresh_token }
    expect(await outcomeOf(await service.post(client, '/token', { ...unknown(...taken), ...refresh }))).toEqual(plain)
  },
  async 'POST /device_authorization'() {
    const taken = [...authentication, 'scope', 'nonce', 'acr_values', 'max_age', 'display', 'ui_locales']
    const { body: codes } = await service.post(client, '/device_authorization', { ...unknown(...taken), scope })
    const first = await service.http('get', '/device').query(unknown('user_code'))
    const form = { ...unknown('user_code', 'confirm'), user_code: codes.user_code }
    await service.walk(first, [form, { ...form, confirm: 'yes' }, { person: 'jana' }, approve])
    const poll = { grant_type: deviceGrant, device_code: codes.device_code }
    const answer = await service.post(client, '/token', { ...unknown(...authentication, 'scope'), ...poll })
    expect(await outcomeOf(answer)).toEqual(plain)
  },
  async 'POST /token-info'() {
    const form = { ...unknown(...authentication), token: accessToken }
    const { status, body } = await service.post(client, '/token-info', form)
    expect([status, body.active, body.client_id, body.aud]).toEqual([200, true, client.client_id, client.client_id])
  },
  async 'POST /revoke'() {
    const form = { ...unknown(...authentication), token: 'a-token-of-nobody' }
    const { status, text } = await service.post(client, '/revoke', form)
    expect([status, text]).toEqual([200, ''])
  },
  'GET /userinfo': () => withAccessToken('/userinfo'),
  'GET /profile': () => withAccessToken('/profile'),
  async 'POST /ros'() {
    const claims = { ...unknown(...authParameters), ...requestClaims(client, { acr_values: 'loa2' }) }
    const { body } = await service.registerRequestObject(claims)
    await signed(service.authorizeObject(body.request_uri, client.redirect_uri, authorizing))
  },
  async 'GET /authorize'() {
    const { body } = await service.registerRequestObject(requestClaims(client, { acr_values: 'loa2' }))
    const query = { ...unknown(), request_uri: body.request_uri, redirect_uri: client.redirect_uri }
    const first = await service.http('get', '/authorize').query(query)
    await signed(service.follow(first, client.redirect_uri, authorizing))
  },
  'GET /.well-known/openid-configuration': () => unauthenticated('/.well-known/openid-configuration'),
  'GET /.well-known/jwks.json': () => unauthenticated('/.well-known/jwks.json'),
  'GET /healthcheck': () => unauthenticated('/healthcheck'),
  async 'POST /register'() {
    const { status, body } = await service.register({ nobody_knows_this: 'x', ...internal })
    expect([status, body.nobody_knows_this, body.hinted_subject, body.signing_request]).toEqual([200])
  },
  'GET /register/{client_id}': () => managed('get', 200),
  'PUT /register/{client_id}': () => managed('put', 200),
  'DELETE /register/{client_id}': () => managed('delete', 204),
  async 'GET /session/end'() {
    const cookies: Cookies = new Map()
    await service.authorize(client, scope, [{ person: 'jana' }, approve], {}, cookies)
    const taken = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state', 'ui_locales']
    const page = await service
      .http('get', '/session/end')
      .query(unknown(...taken))
      .set('cookie', [...cookies.values()].join('; '))
    expect([page.status, page.text.includes('id="log-out"'), page.text.includes('elsewhere')]).toEqual([
      200,
      true,
      false,
    ])
  },
}

test.each(Object.entries(endpoints))('%s ignores parameters that it does not know', (_endpoint, answersAsEver) =>
  answersAsEver(),
)

test("the walk has every endpoint of the edition that the bank serves, and every name of the bank's own", () => {
  const own = openEdition(bank.config.edition).endpoints.filter(({ at }) => at === 'bank')
  const served = own.flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
  expect(Object.keys(endpoints)).toEqual(expect.arrayContaining(served))
  expect(Object.keys(internalParameters)).toEqual(Object.keys(internal))
})
