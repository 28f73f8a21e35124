import request from 'supertest'
import type { LogEntry } from './log.js'
import { bankForFile, bankForTest } from './testing/banks.js'
import { door } from './testing/control-door.js'

const { service, bank } = await bankForFile({ control: true })

const routes: [method: 'get' | 'post', path: string][] = [
  ['get', '/.well-known/openid-configuration'],
  ['get', '/.well-known/jwks.json'],
  ['get', '/healthcheck'],
  ['get', '/documentation'],
  ['post', '/register'],
  ['get', '/auth'],
  ['get', '/authorize'],
  ['post', '/token'],
  ['post', '/token-info'],
  ['post', '/revoke'],
  ['get', '/userinfo'],
  ['get', '/profile'],
  ['post', '/ros'],
  ['get', '/session/end'],
  ['post', '/device_authorization'],
  ['get', '/device'],
  ['post', '/device'],
]

const lookalikes = ([method, path]: (typeof routes)[number]) =>
  [path.toUpperCase(), `${path.slice(0, -1)}${path.slice(-1).toUpperCase()}`, `${path}/`, `/${path}`].map(
    (other) => [method, path, other] as const,
  )

test.each(routes)('%s %s is served', async (method, path) => {
  expect((await service.http(method, path)).status).not.toBe(404)
})

test.each(routes.flatMap(lookalikes))('%s %s is not served at %s', async (method, _path, other) => {
  const { status, body } = await service.http(method, other)
  expect([status, body]).toEqual([
    404,
    { error: 'invalid_request', error_description: `nothing is served at ${method.toUpperCase()} ${other}` },
  ])
})

test('where GET leads on to a login, POST is not served', async () => {
  const { status, body } = await service.http('post', '/auth/somebody')
  expect([status, body]).toEqual([
    404,
    { error: 'invalid_request', error_description: 'nothing is served at POST /auth/somebody' },
  ])
})

test('beside the path of its address a bank serves nothing, and says so', async () => {
  const log: LogEntry[] = []
  const { bank } = await bankForTest({ issuer: 'https://bank.example/idp' }, (entry) => log.push(entry))
  const { status, body } = await request(bank.app).get('/healthcheck')
  const description = 'nothing is served at GET /healthcheck'
  expect([status, body]).toEqual([404, { error: 'invalid_request', error_description: description }])
  expect(log).toContainEqual(expect.objectContaining({ path: '/healthcheck', status: 404, check: 'path/served' }))
})

test('an outage of one sub-system is passed by no other way of writing its paths', async () => {
  const { bank, service } = await bankForTest({ control: true })
  await door(bank, '/outages', { part: 'revoke' })
  const statuses = ['/revoke', '/Revoke', '/revoke/', '/REVOKE'].map(
    async (path) => (await service.http('post', path)).status,
  )
  expect(await Promise.all(statuses)).toEqual([503, 404, 503, 404])
})

test('the control door is as exact', async () => {
  for (const path of ['/Clock', '/clock/']) {
    await expect(door(bank, path)).resolves.toMatchObject({ status: 404, body: { error: 'not_found' } })
  }
})

test.each([
  ['get', '/healthcheck'],
  ['post', '/token'],
  ['get', '/userinfo'],
  ['get', '/auth'],
  ['get', '/session/end'],
  ['get', '/device'],
  ['get', '/interaction/unknown'],
  ['get', '/nothing'],
] as const)('no browser guesses what %s %s answers', async (method, path) => {
  expect((await service.http(method, path)).headers['x-content-type-options']).toBe('nosniff')
})
