import request, { type Test } from 'supertest'
import { makeAuthority, makeCertificate } from '../keys/certificates.js'
import { bankForFile } from '../testing/banks.js'
import { serveHttps, type TestServer } from '../testing/https-server.js'
import type { Form } from '../testing/pages.js'
import { requestClaims } from '../testing/request-objects.js'

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid authorization profile.name profile.birthdate' },
)

/** A way to the bank: with the client's certificate, with another, or with none. */
type Connection = (method: 'get' | 'post', path: string) => Test

const { authority, service: own, tls } = bank.identity
const other = await makeCertificate(await makeAuthority(), { commonName: 'somebody', usages: ['client'] })

const withCertificate: Connection = (method, path) => service.http(method, path, { mutualTls: true })
const withOther: Connection = (method, path) => service.http(method, path).cert(other.cert).key(other.key)
const withNone: Connection = (method, path) => service.http(method, path)

/** An address of the same bank that asks nobody for a certificate (AMB-65). */
let plain: TestServer
const atPlainAddress: Connection = (method, path) =>
  request(plain.url)[method](path).ca(authority.cert).cert(own.certificate.cert).key(own.certificate.key)

beforeAll(async () => {
  plain = await serveHttps(tls, bank.app)
})

afterAll(() => plain.close())

/** An access token of the signing flow, which is bound to the client's certificate. */
async function boundToken(): Promise<string> {
  const { body: object } = await service.registerRequestObject(requestClaims(client, { acr_values: 'loa2' }))
  const forms: Form[] = [{ person: 'jana' }, { action: 'authorize' }]
  const { code } = await service.authorizeObject(object.request_uri, client.redirect_uri, forms)
  return (await service.redeemSigned(client, String(code))).body.access_token
}

const bearer = (call: Test, token: string) => call.set('authorization', `Bearer ${token}`)

const asCaller = (connect: Connection, path: string, token: string, asked: string) =>
  bearer(connect('post', path).type('form'), token).send({ token: asked })

const refusals: [string, Connection, string][] = [
  ['with another certificate', withOther, 'the access token is bound to another client certificate'],
  ['without a certificate', withNone, 'the access token is bound to a client certificate, and came without one'],
  [
    'at an address that asks for none',
    atPlainAddress,
    'the access token is bound to a client certificate, and came without one',
  ],
]

describe.each(['/userinfo', '/profile'])('%s', (path) => {
  test('SIGN-44: takes a token of the signing flow with its certificate alone', async () => {
    const token = await boundToken()
    expect((await bearer(withCertificate('get', path), token)).status).toBe(200)
    for (const [how, connect, error_description] of refusals) {
      const { status, body, headers } = await bearer(connect('get', path), token)
      expect([how, status, body]).toEqual([how, 401, { error: 'invalid_token', error_description }])
      expect(headers['www-authenticate']).toBe(`Bearer error="invalid_token", error_description="${error_description}"`)
    }
  })
})

describe.each(['/token-info', '/revoke'])('%s', (path) => {
  test('SIGN-44: a token of the signing flow authenticates its client with its certificate alone', async () => {
    const token = await boundToken()
    const { body: login } = await service.login(client, 'openid')
    const isLive = async () =>
      (await service.post(client, '/token-info', { token: login.access_token })).body.active as boolean
    for (const [how, connect, error_description] of refusals) {
      const { status, body, headers } = await asCaller(connect, path, token, login.access_token)
      expect([how, status, body]).toEqual([how, 401, { error: 'invalid_token', error_description }])
      expect(headers['www-authenticate']).toMatch(/^Bearer error="invalid_token", /)
    }
    expect(await isLive()).toBe(true)
    const { status, body } = await asCaller(withCertificate, path, token, login.access_token)
    expect([status, body.active, await isLive()]).toEqual(
      path === '/revoke' ? [200, undefined, false] : [200, true, true],
    )
  })

  test('a Bearer header beside client authentication does not say who calls, whatever the token', async () => {
    const { body: login } = await service.login(client, 'openid')
    const stranger = await service.client()
    const { body: foreign } = await service.login(stranger, 'openid')
    for (const token of [foreign.access_token, await boundToken(), 'nobody-issued-this']) {
      const form = { token: login.access_token, ...(await service.clientAssertion(client.client_id, {}, path)) }
      const { status, body } = await bearer(service.http('post', path).type('form'), token).send(form)
      expect([status, body.active]).toEqual([200, path === '/revoke' ? undefined : true])
    }
    const { body: after } = await service.post(client, '/token-info', { token: login.access_token })
    expect(after.active).toBe(path !== '/revoke')
    // The other client's token does not make up for authentication that fails.
    const wrong = await service.clientAssertion(client.client_id, { aud: 'https://elsewhere.example' }, path)
    const form = { token: login.access_token, ...wrong }
    const refused = await bearer(service.http('post', path).type('form'), foreign.access_token).send(form)
    expect([refused.status, refused.body.error]).toEqual([401, 'invalid_client'])
  })

  test.each(['nobody-issued-this', '', 'two words'])(
    'a Bearer header of %j alone is refused with a challenge',
    async (token) => {
      const { status, body, headers } = await asCaller(withNone, path, token, 'any')
      expect([status, body.error]).toEqual([401, 'invalid_token'])
      expect(headers['www-authenticate']).toMatch(/^Bearer\b/)
    },
  )
})

test('a token of the signing flow at /ros needs its certificate, and what is no good gets a Bearer challenge', async () => {
  const token = await boundToken()
  const object = async (authorization: string) =>
    service.registerRequestObject(requestClaims(client), { authorization })
  expect((await object(`Bearer ${token}`)).status).toBe(201)
  for (const authorization of ['Bearer nobody-issued-this', 'Bearer', 'Basic eDp5']) {
    const { status, body, headers } = await object(authorization)
    expect([authorization, status, body.error]).toEqual([authorization, 401, 'invalid_token'])
    expect(headers['www-authenticate']).toMatch(/^Bearer\b/)
  }
})
