import { bankForFile } from '../testing/banks.js'
import { serveHttps } from '../testing/https-server.js'
import type { TestClient } from '../testing/service.js'

const { bank, service } = await bankForFile()

let keys: unknown
const server = await serveHttps(bank.identity.service.certificate, (_req, res) => {
  res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys }))
})
afterAll(() => server.close())

const noText = { toString: 1 }
const long = 'A'.repeat(342)
const nested = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`)

const spoilt: [string, unknown][] = [
  ['a modulus that is a number', { kty: 'RSA', n: 5, e: 'AQAB' }],
  ['a modulus that is an object', { kty: 'RSA', n: noText, e: noText }],
  ['no exponent', { kty: 'RSA', n: long }],
  ['an exponent of nothing', { kty: 'RSA', n: long, e: '' }],
  ['a kty that is an object', { kty: noText, n: long, e: 'AQAB' }],
  ['an alg that is a list', { kty: 'RSA', alg: ['RSA-OAEP-256'], n: long, e: 'AQAB' }],
  ['a key that is null', null],
  ['a key that is a text', 'key'],
  ['a key that nests deeply', { kty: 'RSA', n: long, e: 'AQAB', nested }],
]

test.each(spoilt)('%s is no key, and ends in no failure of the bank', async (_what, key) => {
  keys = [key]
  const changes = { jwks_uri: `${server.url}/jwks.json`, token_endpoint_auth_method: 'client_secret_post' }
  const client = (await service.client(changes)) as TestClient & { client_secret: string }
  const { code } = await service.authorize(client, 'openid', [{ person: 'petr' }, { action: 'approve' }])
  const { client_id, client_secret, redirect_uri } = client
  const form = { grant_type: 'authorization_code', code: String(code), redirect_uri, client_id, client_secret }
  const { body } = await service.http('post', '/token').type('form').send(form)
  const userinfo = await service.http('get', '/userinfo').set('authorization', `Bearer ${body.access_token}`)
  expect([userinfo.status, userinfo.body]).toEqual([
    400,
    {
      error: 'invalid_request',
      error_description: `jwks_uri ${server.url}/jwks.json contains no key for RSA-OAEP-256 (use enc)`,
    },
  ])
})
