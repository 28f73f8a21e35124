import fc from 'fast-check'
import { schema } from '../../schemas/index.js'
import { bankForFile, bankForTest } from '../testing/banks.js'
import { serveHttps, type TestServer } from '../testing/https-server.js'

const { bank, service } = await bankForFile()
let other: TestServer

beforeAll(async () => {
  other = await serveHttps(bank.identity.service.certificate, (req, res) => {
    if (req.url === '/moved') res.writeHead(302, { location: `${service.url}/jwks.json` }).end()
    else if (req.url === '/endless') {
      const more = setInterval(() => res.write('['.repeat(16_384)), 1)
      res.on('close', () => clearInterval(more))
    } else if (req.url === '/failing') res.writeHead(500).end('out of order')
    else if (req.url === '/nonsense') res.end('<!doctype html>')
    else if (req.url !== '/silent') res.writeHead(404).end()
  })
})

afterAll(() => other.close())

const addresses = fc.constantFrom(
  'https://user@app.example/',
  'https://app.example/#part',
  'javascript:alert(1)',
  'data:text/html,x',
  'http://app.example/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://přiklad.example/',
  'https://app.example:99999/',
  'https://',
  '//app.example/',
  'https://app.example/\u0000',
  '',
)

const fields = Object.keys(schema('registration-record').properties as object)

const deep = JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`) as unknown

const hostile = fc.oneof(
  addresses,
  fc.array(addresses, { maxLength: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constant('x'.repeat(50_000)),
  fc.constant(deep),
  fc.jsonValue({ maxDepth: 3 }),
)

test('hostile records are refused with 400, or come back as they were sent and are read as they came back', async () => {
  const records = fc.sample(fc.dictionary(fc.constantFrom(...fields), hostile, { minKeys: 1, maxKeys: 2 }), {
    numRuns: Number(process.env.HOSTILE_RECORDS ?? 150),
    seed: 20_261_120,
  })
  for (const changes of records) {
    const { status, body } = await service.register(changes)
    if (status === 400) {
      expect(body).toEqual({ error: expect.any(String), error_description: expect.stringMatching(/^[\x20-\x7e]+$/) })
      expect(body.error_description.length).toBeLessThan(400)
      continue
    }
    expect(status).toBe(200)
    const sent = Object.fromEntries(Object.entries(changes).filter(([name]) => name in body))
    expect(body).toMatchObject(sent)
    const read = await service
      .http('get', `/register/${body.client_id}`, { mutualTls: true })
      .set({ ...(await service.registrationHeaders()), authorization: `Bearer ${body.registration_access_token}` })
    expect(read.body).toEqual(body)
  }
})

test.each([
  ['a member twice', '{"client_name":"first","client_name":"second"}', 200, 'second'],
  ['a prototype', '{"__proto__":{"scope":"openid authorization"},"constructor":1}', 200, 'Test client'],
])('%s: the body means what JSON.parse makes of it', async (_case, text, status, client_name) => {
  const good = JSON.stringify(service.record())
  const answer = await service
    .http('post', '/register', { mutualTls: true })
    .set({ ...(await service.registrationHeaders()), 'content-type': 'application/json' })
    .send(`${good.slice(0, -1)},${text.slice(1)}`)
  expect([answer.status, answer.body.client_name]).toEqual([status, client_name])
  expect(answer.body.scope).toBe(service.record().scope)
})

test('default_max_age is bounded as max_age at /auth is', async () => {
  const { status, body } = await service.register({ default_max_age: 2 ** 31 })
  expect([status, body]).toEqual([
    400,
    {
      error: 'invalid_client_metadata',
      error_description: 'default_max_age must be a whole number of seconds from 0 to 2147483647',
    },
  ])
  const client = await service.client({ default_max_age: 2 ** 31 - 1 })
  expect(await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }])).toHaveProperty('code')
})

test('a body of more than 100 kB is refused', async () => {
  const { status, body } = await service.register({ client_name: 'x'.repeat(110_000) })
  expect([status, body.error]).toEqual([413, 'invalid_client_metadata'])
  expect(body.error_description).toContain('too large')
})

test.each([
  ['/moved', 'unexpected redirect'],
  ['/endless', ''],
  ['/failing', 'status 500'],
  ['/nonsense', 'JSON'],
])('a sector_identifier_uri at %s is refused and named', async (path, reason) => {
  const { status, body } = await service.register({ sector_identifier_uri: other.url + path })
  expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
  expect(body.error_description).toMatch(/^sector_identifier_uri: /)
  expect(body.error_description).toContain(reason)
})

test('a sector_identifier_uri that never answers is refused in bounded time, and the bank serves others meanwhile', async () => {
  const waiting = service.register({ sector_identifier_uri: `${other.url}/silent` })
  const first = await Promise.race([
    waiting.then(() => 'the silent'),
    service.register().then(({ status }) => `the lively, ${status}`),
  ])
  expect(first).toBe('the lively, 200')
  const { status, body } = await waiting
  expect([status, body]).toEqual([
    400,
    {
      error: 'invalid_client_metadata',
      error_description: 'sector_identifier_uri: TimeoutError: nothing came of it within 5 s',
    },
  ])
})

test("the bank's own network can be shut to what clients name", async () => {
  const { bank: careful, service: own } = await bankForTest({ fetchNetworks: ['public'] })
  const shut = expect.stringContaining('fetch-networks does not allow')
  const { status, body } = await own.register({ sector_identifier_uri: `${own.url}/sector.json` })
  expect([status, body.error_description]).toEqual([400, shut])
  // jwks_uri is read when something has to be verified; the bank's own address is no exception.
  for (const jwks_uri of [`${own.url}/jwks.json`, `${careful.issuer}/.well-known/jwks.json`]) {
    const answer = await own.redeem(await own.client({ jwks_uri }), 'no-code')
    expect([answer.status, answer.body.error, answer.body.error_description]).toEqual([400, 'invalid_client', shut])
  }
})

test.each(['/moved', '/endless', '/failing', '/nonsense', '/missing'])(
  'with jwks_uri at %s an assertion is refused as the client’s fault',
  async (path) => {
    const client = await service.client({ jwks_uri: other.url + path })
    const { status, body } = await service.redeem(client, 'no-code')
    expect([status, body.error]).toEqual([400, 'invalid_client'])
  },
)

test('a jwks_uri that does not answer holds up nobody else', async () => {
  const silent = await service.client({ jwks_uri: `${other.url}/silent` })
  const lively = await service.client()
  const waiting = Promise.all(Array.from({ length: 20 }, () => service.redeem(silent, 'no-code')))
  const { body } = await service.redeem(lively, 'no-code')
  expect(body.error).toBe('invalid_grant')
  const first = await Promise.race([
    waiting.then(() => 'the silent'),
    service.redeem(lively, 'no').then(() => 'the lively'),
  ])
  expect(first).toBe('the lively')
  expect((await waiting).map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 400))
})

test('two hundred clients with a jwks_uri each are served side by side', async () => {
  // So many connections make the bank end those over which nothing is asked.
  service.hangUp()
  const clients = await Promise.all(
    Array.from({ length: 200 }, (_, i) => service.client({ jwks_uri: `${service.url}/${i}/jwks.json` })),
  )
  service.hangUp()
  const answers = await Promise.all(clients.map((client) => service.redeem(client, 'no-code')))
  expect(new Set(answers.map(({ body }) => body.error))).toEqual(new Set(['invalid_grant']))
})
