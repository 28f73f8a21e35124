import type { Response } from 'supertest'
import { servedRoutes } from './control/served-routes.js'
import { cookieNames } from './cookie-names.js'
import { bankForFile } from './testing/banks.js'
import type { Cookies } from './testing/pages.js'

const scope = 'openid profile.name'
const { bank, service, client } = await bankForFile({}, { scope })

const served = servedRoutes(bank.app).map((route) => route.replace(/^[A-Z]+/, (method) => method.toLowerCase()))
/** One is oidc-provider's, and not the bank's. */
const routes = [...new Set([...served, 'post /auth/x'])]

type Ask = (method: 'get' | 'post' | 'put' | 'delete' | 'options', path: string) => ReturnType<typeof service.http>

/** What a route answers, without what differs from one request to the next. */
async function answerOf(route: string, change: (call: ReturnType<Ask>) => unknown = () => {}): Promise<unknown> {
  const [method = '', path = ''] = route.split(' ')
  const call = service.http(method as Parameters<Ask>[0], path.replaceAll(/:\w+/g, 'x'))
  change(call)
  const { status, headers, text }: Response = await call
  const { location, allow, 'content-type': type, 'set-cookie': cookies = [] } = headers
  const names = [cookies].flat().map((cookie) => cookie.replace(/=.*/, ''))
  const untimed = text?.replaceAll(/"time":"[^"]*"|nonce-[\w+/=-]+|[\w-]{20,}/g, '')
  return { status, location: location?.replaceAll(/[\w-]{20,}/g, ''), allow, type, names, body: untimed }
}

/** What a proxy would say, and nobody else may. */
const ofProxies = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'http',
  'x-forwarded-for': '10.0.0.1',
  'x-forwarded-port': '1',
  'x-forwarded-prefix': '/evil',
  'x-forwarded-server': 'evil.example',
  'x-original-url': '/healthcheck',
  'x-rewrite-url': '/healthcheck',
  'x-real-ip': '10.0.0.1',
  forwarded: 'for=10.0.0.1;host=evil.example;proto=http',
  'client-cert': `:${Buffer.from('a certificate').toString('base64')}:`,
  'x-client-cert': 'x',
  'x-ssl-client-cert': 'x',
  'x-ssl-client-verify': 'SUCCESS',
  'x-forwarded-client-cert': 'Hash=x;Subject="CN=service"',
}

/** What would make another method of a request. */
const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override']

/** Names of the bank's own, of the library's and of every object. */
const internalNames = [
  'hinted_subject',
  'signing_request',
  '__proto__',
  '__proto__[polluted]',
  'constructor[prototype][polluted]',
]

test('the walk has the routes of the app', () => {
  expect(routes).toEqual(
    expect.arrayContaining([
      'get /auth',
      'post /token',
      'post /token-info',
      'post /ros',
      'get /authorize',
      'get /session/end',
    ]),
  )
  expect(routes.length).toBeGreaterThan(20)
})

describe.each(routes)('%s', (route) => {
  test('believes nobody who says what a proxy would', async () => {
    expect(await answerOf(route, (call) => call.set(ofProxies))).toEqual(await answerOf(route))
  })

  test('is asked by its own method alone', async () => {
    const [method] = route.split(' ')
    const plain = await answerOf(route)
    for (const other of ['DELETE', 'PUT', method === 'get' ? 'POST' : 'GET']) {
      const headers = Object.fromEntries(overrides.map((name) => [name, other]))
      expect(await answerOf(route, (call) => call.set(headers).query({ _method: other }))).toEqual(plain)
    }
  })

  test("takes no parameter that has the name of the bank's own, or of what every object has", async () => {
    const query = Object.fromEntries(internalNames.map((name) => [name, 'somebody']))
    expect(await answerOf(route, (call) => call.query(query))).toEqual(await answerOf(route))
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})

test.each(routes.filter((route) => route.endsWith('/:login')))(
  '%s is told by its query neither whose login goes on nor where errors go',
  async (route) => {
    const query = { client_id: client.client_id, redirect_uri: client.redirect_uri, state: 's', response_type: 'code' }
    const plain = await answerOf(route)
    for (const further of [
      { client_id: client.client_id },
      query,
      { ...query, response_mode: 'form_post' },
      { ...query, redirect_uri: 'https://evil.example/cb' },
    ]) {
      expect(await answerOf(route, (call) => call.query(further))).toEqual(plain)
    }
  },
)

describe('a cookie', () => {
  const { session, interaction, resume } = cookieNames
  const cookies: Cookies = new Map()
  const inOne = (pairs: Iterable<[string, string]>) => [...pairs].map(([name, value]) => `${name}=${value}`).join('; ')

  beforeAll(async () => {
    await service.authorize(
      client,
      scope,
      [{ person: 'jana' }, { action: 'approve', scope: scope.split(' ') }],
      {},
      cookies,
    )
    const pending = await service.http('get', '/auth').query({
      client_id: client.client_id,
      redirect_uri: client.redirect_uri,
      response_type: 'code',
      scope,
      state: 's',
      nonce: 'n',
      prompt: 'login',
    })
    for (const cookie of [pending.get('set-cookie') ?? []].flat())
      cookies.set(cookie.replace(/=.*/, ''), cookie.replace(/;.*/, ''))
  })

  test('of another kind, or of nobody, opens nothing at any route', async () => {
    const values = new Map([...cookies].map(([name, pair]): [string, string] => [name, pair.slice(name.length + 1)]))
    expect([...values.keys()]).toEqual(
      expect.arrayContaining([session, `${session}.sig`, interaction, `${interaction}.sig`]),
    )
    const names = [...values.keys()]
    const moved = (by: number) =>
      names.map((name, i): [string, string] => [name, values.get(names[(i + by) % names.length] ?? '') ?? ''])
    // Each value under the name of another, and of a session the id, which is signed, under the names that are not of sessions.
    const swapped = [session, interaction, resume].map((name): [string, string] => [
      name,
      String(values.get(name === session ? interaction : session)),
    ])
    for (const route of routes) {
      const nobody = await answerOf(route)
      for (const others of [
        ...names.slice(1).map((_, i) => moved(i + 1)),
        swapped,
        names.map((name): [string, string] => [name, 'x']),
      ]) {
        const answer = (await answerOf(route, (call) => call.set('cookie', inOne(others)))) as { names: string[] }
        // What cannot be read is taken from the browser.
        expect({ ...answer, names: [] }).toEqual({ ...(nobody as object), names: [] })
      }
    }
  })
})
