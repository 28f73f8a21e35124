import request from 'supertest'
import { type Bank, createBank } from '../bank.js'
import type { LogEntry } from '../log.js'
import { bankForTest } from '../testing/banks.js'
import { door } from '../testing/control-door.js'

const logged: LogEntry[] = []
const bank = await createBank({ issuer: 'https://bank.example/idp' }, (entry) => logged.push(entry))
afterAll(() => bank.close())

const client = await bank.registerClient({
  redirectUris: ['https://app.example/cb'],
  record: { id_token_encrypted_response_alg: 'RSA-OAEP-256' },
})

beforeEach(() => bank.requests.clear())

test('a request is there with what was answered, its form and its JWTs opened', async () => {
  const { tokens } = await bank.login(client, 'jana', { scope: 'openid profile.name' })
  expect(bank.requests.list().map(({ method, path }) => `${method} ${path.replace(/[\w-]{20,}/, '*')}`)).toEqual([
    'GET /auth',
    'GET /interaction/*',
    'POST /interaction/*',
    'GET /auth/*',
    'GET /interaction/*',
    'POST /interaction/*',
    'GET /auth/*',
    'POST /token',
  ])
  expect(bank.requests.list('GET /auth')[0]?.query).toMatchObject({
    scope: 'openid profile.name',
    response_type: 'code',
  })
  const { client_id } = client
  expect(bank.requests.last('POST /token')).toMatchObject({
    client: client_id,
    form: { grant_type: 'authorization_code', code: expect.any(String), code_verifier: expect.any(String) },
    jwts: [
      { at: 'client_assertion', header: { alg: 'PS512' }, claims: { iss: client_id, aud: `${bank.issuer}/token` } },
    ],
    answer: {
      status: 200,
      json: { access_token: tokens.access_token },
      headers: { 'cache-control': 'no-store' },
      jwts: [{ at: 'id_token', header: { alg: 'RSA-OAEP-256', cty: 'JWT' } }],
    },
  })
  expect(JSON.stringify(logged)).not.toContain(tokens.access_token)
})

test('what arrives in pieces, is no form or is longer than what is kept is there as well', async () => {
  const { bank, service } = await bankForTest()
  const register = async (body: string) =>
    service
      .http('post', '/register', { mutualTls: true })
      .set(await service.registrationHeaders())
      .type('json')
      .send(body)
  expect((await register(JSON.stringify('x'.repeat(70_000)))).status).toBe(400)
  const entry = bank.requests.last('POST /register')
  expect([entry?.text?.length, entry?.truncated, entry?.answer?.status]).toEqual([65_536, true, 400])
  await register('{"a":')
  expect(bank.requests.last('POST /register')?.text).toBe('{"a":')
})

test('the headers are those that came, though the bank takes some of them away', async () => {
  await request(bank.app).get('/idp/userinfo').set({ authorization: 'Bearer a-token', host: 'somewhere.example' })
  expect(bank.requests.last()?.headers).toMatchObject({ authorization: 'Bearer a-token', host: 'somewhere.example' })
})

test.each(['//', '///', '/%', '/healthcheck?a=1?b=%zz&a=2'])('whatever is asked for is remembered: %s', async (url) => {
  const { bank, service } = await bankForTest()
  const { status } = await service.http('get', url)
  const entry = bank.requests.last()
  expect([entry?.method, entry?.path, entry?.answer?.status]).toEqual(['GET', url.split('?')[0], status])
  expect([200, 400, 404]).toContain(status)
})

test('one is waited for', async () => {
  const waiting = bank.requests.waitFor('GET /healthcheck')
  await request(bank.app).get('/idp/healthcheck')
  const { id, answer } = await waiting
  expect(answer?.status).toBe(200)
  expect((await bank.requests.waitFor('GET /healthcheck')).id).toBe(id)
  await expect(bank.requests.waitFor('GET /healthcheck', { after: id, timeoutSeconds: 0.01 })).rejects.toThrow(
    'no GET /healthcheck came within 0.01 s; the last request was GET /healthcheck',
  )
})

test('the last 200 are remembered', async () => {
  for (let i = 0; i < 201; i += 1) await request(bank.app).get(`/idp/healthcheck?i=${i}`)
  const all = bank.requests.list()
  expect([all.length, all[0]?.query, all.at(-1)?.query]).toEqual([200, { i: '1' }, { i: '200' }])
})

test('a bank that is no bench remembers nothing', async () => {
  const other = await createBank({ bench: false })
  await request(other.app).get('/healthcheck')
  expect(other.requests.list()).toEqual([])
  await expect(other.requests.waitFor('GET /healthcheck')).rejects.toThrow('this bank is no bench')
  await other.close()
})

test.each([
  ['reset', 'the bank was taken back to another state'],
  ['close', 'the bank was closed'],
] as const)('nobody waits across %s', async (ending, why) => {
  const { bank } = await bankForTest()
  const { requests } = bank
  const waiting = expect(requests.waitFor('POST /token', { timeoutSeconds: 60 })).rejects.toThrow(
    `no POST /token came before ${why}`,
  )
  await bank[ending]()
  await waiting
  await expect(requests.waitFor('POST /token')).rejects.toThrow(why)
})

test.each<[string, (requests: Bank['requests']) => unknown, string]>([
  ['a path alone', (all) => all.last('/token'), 'such as POST /token: did you mean POST /token?'],
  ['a method in small letters', (all) => all.list('post /token'), 'did you mean POST /token?'],
  ['an address', (all) => all.last('POST https://bank.example/token'), 'did you mean POST /token?'],
  ['a query', (all) => all.waitFor('GET /auth?client_id=a'), 'did you mean GET /auth?'],
  ['a path without a slash', (all) => all.waitFor('POST token'), 'did you mean POST /token?'],
  ['nothing', (all) => all.waitFor(undefined as never), 'route: give a method and a path'],
  ['a slip', (all) => all.last('POST /tokne'), 'route: nothing is served at POST /tokne: did you mean POST /token?'],
  ['a slip that is waited for', (all) => all.waitFor('GET /health'), 'did you mean GET /healthcheck?'],
  ['a pattern', (all) => all.last(/token/ as never), 'route: give a method and a path'],
  ['an entry', (all) => all.list('GET /auth', {} as never), 'after: give the id of the request'],
  [
    'a number in place of options',
    (all) => all.waitFor('GET /auth', 5 as never),
    'options: give them as an object, such as { timeoutSeconds: 5 }',
  ],
  [
    'an option that is none',
    (all) => all.waitFor('GET /auth', { timeoutSecond: 5 } as never),
    'timeoutSecond is not an option: did you mean timeoutSeconds?',
  ],
  [
    'an option of others',
    (all) => all.waitFor('GET /auth', { timeout: 500 } as never),
    'timeout is not an option: did you mean timeoutSeconds?',
  ],
  [
    'an option of nobody',
    (all) => all.waitFor('GET /auth', { from: 3 } as never),
    'from is not an option; the options are timeoutSeconds, after',
  ],
  [
    'a time without end',
    (all) => all.waitFor('GET /auth', { timeoutSeconds: Number.POSITIVE_INFINITY }),
    'timeoutSeconds: give a number of seconds from 0 to 86400',
  ],
])('who asks for %s is told what was meant', async (_, ask, message) => {
  await expect(async () => ask(bank.requests)).rejects.toThrow(message)
})

test('what came is found where nothing is served, and what did not come there is no mistake unless it is a slip', async () => {
  await request(bank.app).get('/idp/health')
  expect(bank.requests.last('GET /health')?.answer?.status).toBe(404)
  expect(bank.requests.last('POST /oauth2/v1/token')).toBeUndefined()
  expect(bank.requests.last('GET /api')).toBeUndefined()
  expect(bank.requests.last('HEAD /healthcheck')).toBeUndefined()
  expect(bank.requests.last('GET /register/a-client')).toBeUndefined()
})

test('over HTTP a slip is told as well', async () => {
  const { bank } = await bankForTest({ control: true })
  const refused = {
    status: 400,
    body: { error: 'invalid_request', error_description: expect.stringContaining('did you mean POST /token?') },
  }
  expect(await door(bank, '/requests?route=POST%20/tokne')).toMatchObject(refused)
  expect(await door(bank, '/requests/wait', { route: 'POST /tokne' })).toMatchObject(refused)
  expect((await door(bank, '/requests/wait', { route: 'POST /token', timeout: 3 })).body).toMatchObject({
    error_description: 'timeout is not a known member: did you mean timeout_seconds?',
  })
})

test('what nests deeper than any message is told as it came', async () => {
  const { bank, service } = await bankForTest({ control: true })
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
  const part = (json: string) => Buffer.from(json).toString('base64url')
  const jwt = `${part('{"alg":"none"}')}.${part(`{"deep":${deep.slice(15_000, -15_000)}}`)}.`
  await service.http('post', '/revoke').type('json').send(deep)
  await service.http('get', '/userinfo').set('content-type', 'application/json').send(JSON.stringify({ jwt }))
  const { status, body } = await door<{ json?: unknown; text?: string; jwts: object[] }[]>(bank, '/requests')
  expect(status).toBe(200)
  const [revoke, userinfo] = body
  expect([revoke?.json, revoke?.text]).toEqual([undefined, deep])
  expect([userinfo?.json, userinfo?.jwts]).toEqual([{ jwt }, [{ at: 'jwt', jwt, header: { alg: 'none' } }]])
})
