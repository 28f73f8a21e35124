import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../store/sqlite.js'
import { bankForFile, bankForTest } from '../testing/banks.js'
import type { Cookies } from '../testing/pages.js'

const { service } = await bankForFile()

const noHosts = [
  'a;b.example',
  'a,b.example',
  '*.example',
  '*',
  'a_b.example',
  '-a.example',
  'a-.example',
  `${'a'.repeat(64)}.example`,
  "a'b.example",
  'a b.example'.replace(' ', '$'),
]

test.each(noHosts)('%s is no host of a redirect URI', async (host) => {
  const uri = `https://${host}/cb`
  const { status, body } = await service.register({ redirect_uris: [uri] })
  expect([status, body]).toEqual([
    400,
    {
      error: 'invalid_redirect_uri',
      error_description: `redirect_uris: ${uri} has the host ${host}, which is no host name (RFC 1123 section 2.1)`,
    },
  ])
})

test.each([
  'post_logout_redirect_uris',
  'frontchannel_logout_uri',
  'backchannel_logout_uri',
  'notification_uri',
  'initiate_login_uri',
  'request_uris',
  'logo_uri',
  'tos_uri',
])('a host that would end a directive of a policy is none in %s', async (field) => {
  const uri = 'https://a;script-src.example/x'
  const { status, body } = await service.register({ [field]: field.endsWith('s') ? [uri] : uri })
  expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
  expect(body.error_description).toBe(
    `${field}: ${uri} has the host a;script-src.example, which is no host name (RFC 1123 section 2.1)`,
  )
})

test.each([
  ['https://ex%41mple.com/cb', 'example.com'],
  ['https://1.2.3/cb', '1.2.0.3'],
])('%s is told how its host is written: %s', async (uri, host) => {
  const { status, body } = await service.register({ post_logout_redirect_uris: [uri] })
  expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
  expect(body.error_description).toMatch(new RegExp(`must have its host written as ${host}$`))
})

test.each(['https://user@app.example/cb', 'https://@app.example/cb', 'https://:@app.example/cb'])(
  '%s is no address, in whatever member it stands',
  async (uri) => {
    const redirect = await service.register({ redirect_uris: [uri] })
    expect([redirect.status, redirect.body.error]).toEqual([400, 'invalid_redirect_uri'])
    const logout = await service.register({ post_logout_redirect_uris: [uri] })
    expect([logout.status, logout.body]).toEqual([
      400,
      {
        error: 'invalid_client_metadata',
        error_description: `post_logout_redirect_uris: ${uri} must not have a user or a password`,
      },
    ])
  },
)

test('a host beyond ASCII is told by its A-labels', async () => {
  const { status, body } = await service.register({ redirect_uris: ['https://bücher.example/cb'] })
  expect([status, body]).toEqual([
    400,
    {
      error: 'invalid_redirect_uri',
      error_description: 'redirect_uris[0] must be an absolute URI, whose host is written xn--bcher-kva.example.',
    },
  ])
})

test.each([
  'https://xn--bcher-kva.example/cb',
  'https://Example.COM/cb',
  'https://a.b-c.example:8443/',
  'https://[::1]/',
  'https://192.0.2.1/',
  'https://localhost/',
  'https://a.example./',
])('%s is an address', async (uri) => {
  expect((await service.register({ redirect_uris: [uri] })).status).toBe(200)
})

test('a host that an earlier version registered does not keep people from logging out', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  const { service } = await bankForTest({ data })
  const client = await service.client({ frontchannel_logout_uri: 'https://frames.example/out' })
  const store = openSqlite(join(data, 'bank.sqlite'))
  const old = { ...JSON.parse((store.prepare('select record from clients').get() as { record: string }).record) }
  old.frontchannel_logout_uri = 'https://a;b,c.example/out'
  store.prepare('update clients set record = ?').run(JSON.stringify(old))
  store.close()
  const cookies: Cookies = new Map()
  await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }], {}, cookies)
  const ask = await service.http('get', '/session/end').set('cookie', [...cookies.values()].join('; '))
  const done = await service.walk(ask, [{ action: 'log-out' }], { cookies })
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('id="logged-out"')])
  expect(done.get('content-security-policy')).not.toContain('a;b')
})
