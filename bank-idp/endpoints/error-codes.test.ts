import type { Response } from 'supertest'
import { openEdition } from '../../schemas/editions/index.js'
import { deviceGrant } from '../capabilities.js'
import { bankForFile } from '../testing/banks.js'
import { errorCodes } from '../testing/error-codes.js'
import { serveHttps } from '../testing/https-server.js'
import type { Cookies, Form } from '../testing/pages.js'
import { documentObject, requestClaims } from '../testing/request-objects.js'
import type { TestClient } from '../testing/service.js'

const scope = 'openid authorization profile.name offline_access'
const grants = ['authorization_code', 'refresh_token', deviceGrant]

const { bank, service, client } = await bankForFile({}, { scope, grant_types: grants })

/** Two clients more: one that is registered for less, one whose jwks_uri has no key to encrypt to. */
let other: TestClient
let keyless: TestClient
let keylessKeys: Awaited<ReturnType<typeof serveHttps>>

beforeAll(async () => {
  const keys = (await service.publishedKeys()).filter(({ use }) => use !== 'enc')
  keylessKeys = await serveHttps(bank.identity.service.certificate, (_req, res) => {
    res.setHeader('content-type', 'application/json')
    res.end(JSON.stringify({ keys }))
  })
  other = await service.client({ scope: 'openid profile.name', grant_types: ['authorization_code'] })
  const encrypted = ['userinfo', 'profile'].map((kind) => [`${kind}_encrypted_response_alg`, 'RSA-OAEP-256'])
  const jwks_uri = `${keylessKeys.url}/jwks.json`
  keyless = await service.client({ jwks_uri, scope: 'openid authorization', ...Object.fromEntries(encrypted) })
})

afterAll(() => keylessKeys.close())

/** The error that an answer tells of, in its body or in the address that it redirects to. */
function told(answer: Response): string | undefined {
  const { searchParams, hash } = new URL(answer.get('location') ?? bank.issuer, bank.issuer)
  const inFragment = new URLSearchParams(hash.slice(1)).get('error')
  return answer.body.error ?? searchParams.get('error') ?? inFragment ?? undefined
}

type Ask = () => Promise<Response | { error?: string | undefined }>

const post =
  (from: () => TestClient, endpoint: Parameters<typeof service.post>[1], form: Record<string, string> = {}): Ask =>
  () =>
    service.post(from(), endpoint, form)

const auth =
  (changes: Record<string, string | undefined>): Ask =>
  async () => {
    const { client_id, redirect_uri } = client
    const good = { client_id, redirect_uri, response_type: 'code', scope: 'openid', state: 's', nonce: 'n', ...changes }
    return service.http('get', '/auth').query(JSON.parse(JSON.stringify(good)))
  }

const login =
  (...forms: Form[]): Ask =>
  () =>
    service.authorize(client, 'openid profile.name', forms)

/** What comes of prompt=none for a person who signed in before. */
const silently =
  (forms: Form[], asked: string): Ask =>
  async () => {
    const cookies: Cookies = new Map()
    await service.authorize(client, 'openid profile.name', forms, { prompt: 'login consent' }, cookies)
    return service.authorize(client, asked, [], { prompt: 'none' }, cookies)
  }

const object =
  (changes: object, from = () => client, headers: Record<string, string> = {}): Ask =>
  () =>
    service.registerRequestObject(requestClaims(from(), { ...changes }), headers)

const authorizing =
  (changes: object, ...forms: Form[]): Ask =>
  async () => {
    const { body } = await service.registerRequestObject(requestClaims(client, { ...changes }))
    return service.authorizeObject(body.request_uri, client.redirect_uri, forms)
  }

const bearer =
  (path: string, token: () => Promise<string | undefined>): Ask =>
  async () => {
    const value = await token()
    const asked = service.http('get', path)
    return value === undefined ? asked : asked.set('authorization', `Bearer ${value}`)
  }

const unencrypted = async () => {
  // Its id_tokens are not encrypted, its user data is.
  const { body } = await service.login(keyless, 'openid')
  return String(body.access_token)
}

const document = { acr_values: 'loa3', structured_scope: { documentObject: documentObject() } }
const confirm = { action: 'confirm' }

/** By endpoint: what is asked of it, and the error that it answers with. */
const refusals: Record<string, [error: string, ask: Ask][]> = {
  '/.well-known/openid-configuration': [
    ['invalid_request', async () => service.http('post', '/.well-known/openid-configuration')],
  ],
  '/.well-known/jwks.json': [['invalid_request', async () => service.http('put', '/.well-known/jwks.json')]],
  '/healthcheck': [['invalid_request', async () => service.http('delete', '/healthcheck')]],
  '/register': [
    ['invalid_token', async () => service.http('post', '/register').send(service.record())],
    ['invalid_token', async () => service.http('post', '/register', { mutualTls: true }).send(service.record())],
    ['invalid_token', () => service.readRegistration({ ...client, registration_access_token: 'unknown' })],
    ['invalid_token', () => service.readRegistration({ ...client, client_id: 'unknown' })],
    ['invalid_redirect_uri', () => service.register({ redirect_uris: ['http://app.example/callback'] })],
    ['invalid_client_metadata', () => service.register({ client_name: 7 })],
    ['invalid_client_metadata', () => service.register({ jwks_uri: undefined })],
  ],
  '/auth': [
    ['invalid_request', auth({ client_id: undefined })],
    ['invalid_request', auth({ redirect_uri: 'https://evil.example' })],
    ['invalid_request', auth({ state: undefined })],
    ['invalid_request', auth({ scope: undefined })],
    ['invalid_request', auth({ max_age: 'soon' })],
    ['invalid_request', auth({ claims: '{' })],
    ['invalid_request', auth({ id_token_hint: 'x' })],
    ['unauthorized_client', auth({ client_id: 'unknown' })],
    ['unsupported_response_type', auth({ response_type: 'word' })],
    ['invalid_scope', auth({ scope: 'profile.name' })],
    ['invalid_scope', auth({ scope: 'openid profile.email' })],
    ['invalid_request_uri', auth({ request_uri: 'https://localhost:1/object' })],
    ['request_not_supported', auth({ request: 'x' })],
    ['registration_not_supported', auth({ registration: '{}' })],
    ['login_required', auth({ prompt: 'none' })],
    ['consent_required', silently([{ person: 'jana' }, { action: 'approve', scope: [] }], 'openid profile.name')],
    ['access_denied', login({ action: 'decline' })],
    ['access_denied', login({ person: 'jana' }, { action: 'refuse' })],
    ['eid_doesnt_exist', login({ person: 'radek' })],
  ],
  '/authorize': [
    ['invalid_request', async () => service.http('get', '/authorize')],
    ['invalid_request_uri', async () => service.http('get', '/authorize').query({ request_uri: 'x' })],
    ['access_denied', authorizing({ acr_values: 'loa2' }, { person: 'jana' }, { action: 'refuse' })],
    ['user_not_eligible', authorizing(document, { person: 'zdenek' }, confirm)],
  ],
  '/token': [
    ['invalid_request', post(() => client, '/token')],
    ['invalid_request', post(() => client, '/token', { grant_type: 'authorization_code' })],
    ['invalid_request', async () => service.http('post', '/token').send({ grant_type: 'authorization_code' })],
    ['invalid_client', async () => service.http('post', '/token').type('form').send({ grant_type: 'refresh_token' })],
    ['unsupported_grant_type', post(() => client, '/token', { grant_type: 'password' })],
    ['unauthorized_client', post(() => other, '/token', { grant_type: 'refresh_token', refresh_token: 'x' })],
    ['invalid_grant', () => service.redeem(client, 'unknown')],
    ['invalid_grant', () => service.refresh(client, 'unknown')],
    [
      'invalid_scope',
      async () => {
        const { body } = await service.login(client, 'openid offline_access')
        return service.refresh(client, body.refresh_token, 'openid profile.name')
      },
    ],
    [
      'unauthorized_client',
      async () => {
        const alg = { id_token_encrypted_response_alg: 'RSA-OAEP-256', jwks_uri: keyless.record.jwks_uri }
        return service.login(await service.client({ ...alg, userinfo_encrypted_response_alg: undefined }), 'openid')
      },
    ],
    [
      'authorization_pending',
      async () => {
        const { body } = await service.post(client, '/device_authorization', { scope: 'openid' })
        return service.post(client, '/token', { grant_type: deviceGrant, device_code: body.device_code })
      },
    ],
  ],
  '/token-info': [
    ['invalid_request', post(() => client, '/token-info')],
    ['invalid_client', async () => service.http('post', '/token-info').type('form').send({ token: 'x' })],
  ],
  '/revoke': [
    ['invalid_request', post(() => client, '/revoke')],
    ['invalid_client', async () => service.http('post', '/revoke').type('form').send({ token: 'x' })],
  ],
  '/userinfo': [
    ['invalid_token', bearer('/userinfo', async () => undefined)],
    ['invalid_token', bearer('/userinfo', async () => 'unknown')],
    ['invalid_request', bearer('/userinfo', unencrypted)],
  ],
  '/profile': [
    ['invalid_token', bearer('/profile', async () => undefined)],
    ['invalid_token', bearer('/profile', async () => 'unknown')],
    ['invalid_request', bearer('/profile', unencrypted)],
    [
      'user_not_eligible',
      bearer('/profile?basic_register=true', async () => {
        const { body } = await service.login(client, 'openid profile.name', 'bohumil')
        return body.access_token
      }),
    ],
  ],
  '/ros': [
    ['invalid_client', async () => service.http('post', '/ros').send('x')],
    ['invalid_request', async () => service.http('post', '/ros', { mutualTls: true }).send({})],
    [
      'invalid_request_object',
      async () => service.http('post', '/ros', { mutualTls: true }).type('application/jwe').send('x'),
    ],
    ['invalid_request_object', object({ max_age: undefined })],
    ['unauthorized_client', object({ client_id: 'unknown' })],
    ['unauthorized_client', object({}, () => keyless)],
    ['invalid_scope', object({ scope: 'openid' })],
    ['invalid_scope', object({ scope: 'openid authorization profile.email' })],
    ['invalid_token', object({}, () => client, { authorization: 'Bearer unknown' })],
    [
      'insufficient_scope',
      async () => {
        const { body } = await service.login(client, 'openid profile.name')
        return object({}, () => client, { authorization: `Bearer ${body.access_token}` })()
      },
    ],
  ],
  '/device_authorization': [
    ['invalid_client', async () => service.http('post', '/device_authorization').type('form').send({ scope })],
    ['invalid_request', post(() => client, '/device_authorization', { scope, max_age: 'soon' })],
    ['unauthorized_client', post(() => other, '/device_authorization', { scope: 'openid' })],
    ['invalid_scope', post(() => client, '/device_authorization', { scope: 'openid profile.email' })],
  ],
  // What is wrong with a request to log out is told on a page.
  '/session/end': [['invalid_request', async () => service.http('put', '/session/end')]],
}

test('every endpoint of the bank says which error codes may leave it', () => {
  const paths = openEdition().endpoints.flatMap(({ at, path }) => (at === 'bank' ? [path] : []))
  const named = new Set(Object.keys(errorCodes))
  expect(paths.filter((path) => !named.has(path.replace('/{client_id}', '')))).toEqual([])
  expect(Object.keys(refusals).sort()).toEqual([...named].sort())
})

test.each(Object.keys(errorCodes))('%s answers with its own error codes and no others', async (endpoint) => {
  const allowed = errorCodes[endpoint] ?? {}
  for (const [expected, ask] of refusals[endpoint] ?? []) {
    const answer = await ask()
    const error = 'status' in answer ? told(answer) : answer.error
    expect([error, allowed[String(error)]]).toEqual([expected, expect.any(String)])
  }
})
