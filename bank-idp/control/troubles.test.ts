import { bankForFile, bankForTest } from '../testing/banks.js'
import { door } from '../testing/control-door.js'

const { bank, service } = await bankForFile({ control: true })
const redirectUris = ['https://app.example/cb']
const client = await bank.registerClient({ redirectUris, tokenEndpointAuthMethod: 'client_secret_post' })
const health = () => service.http('get', '/healthcheck')

afterEach(() => door(bank, '/troubles/clear', {}))

test('a status comes so many times, and then the answer', async () => {
  const { text } = await health()
  await bank.trouble('GET /healthcheck', { status: 503, times: 2 })
  const answers = [await health(), await health(), await health()]
  expect(answers.map((answer) => [answer.status, answer.text.length])).toEqual([
    [503, 0],
    [503, 0],
    [200, text.length],
  ])
})

test('a body is what it is told, or bytes that mean nothing', async () => {
  await bank.trouble('GET /healthcheck', { body: '<html>', status: 502 })
  await bank.trouble('GET /healthcheck', { broken: 'garbled' })
  const [told, garbled] = [await health().buffer(true).parse(bytesOf), await health().buffer(true).parse(bytesOf)]
  expect([told.status, String(told.body)]).toEqual([502, '<html>'])
  expect([garbled.status, Buffer.from(garbled.body).toString()]).toEqual([200, expect.not.stringContaining('{')])
  expect(garbled.body.length).toBe(Number(garbled.get('content-length')))
})

/** Reads an answer as bytes, whatever it says that it is. */
function bytesOf(answer: unknown, done: (error: Error | null, body: unknown) => void): void {
  const chunks: Buffer[] = []
  const stream = answer as NodeJS.ReadableStream
  stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)))
}

test.each(['reset', 'truncated'] as const)('the connection ends: %s', async (broken) => {
  bank.requests.clear()
  await bank.trouble('GET /healthcheck', { broken })
  await expect(health()).rejects.toThrow(/socket hang up|aborted|ECONNRESET/)
  expect((await health()).status).toBe(200)
})

test('an answer waits', async () => {
  await bank.trouble('GET /healthcheck', { delaySeconds: 0.3 })
  const start = performance.now()
  expect((await health()).status).toBe(200)
  expect(performance.now() - start).toBeGreaterThan(290)
})

test('an answer may wait for longer than a connection may be idle', async () => {
  const impatient = await bankForTest({ limits: { idleTime: 1 } })
  await impatient.bank.trouble('GET /healthcheck', { delaySeconds: 1.5 })
  expect((await impatient.service.http('get', '/healthcheck')).status).toBe(200)
})

test('one client has it alone, wherever the bank comes to know who asks', async () => {
  const other = await bank.registerClient({ redirectUris, tokenEndpointAuthMethod: 'client_secret_post' })
  await bank.trouble('POST /token', { client: client.client_id, status: 500, body: '{"error":"server_error"}' })
  expect((await bank.login(other, 'jana')).tokens.token_type).toBe('Bearer')
  await expect(bank.login(client, 'jana')).rejects.toMatchObject({ code: 'server_error' })
  expect(bank.requests.last('POST /token')?.answer?.status).toBe(500)
  expect((await bank.login(client, 'jana')).tokens.token_type).toBe('Bearer')
})

test('a login whose answer is cut, or means nothing, says so', async () => {
  await bank.trouble('POST /token', { broken: 'truncated' })
  await expect(bank.login(client, 'jana')).rejects.toThrow('the bank ended the connection at /token')
  await bank.trouble('POST /token', { broken: 'garbled' })
  const told = 'POST /token answered with status 200 and what is no JSON'
  await expect(bank.login(client, 'jana')).rejects.toMatchObject({ code: 'invalid_request', message: told })
})

test.each([
  [{ route: 'POST /token' }, 'give one of status, body, delay_seconds, broken'],
  [{ route: '/token', status: 500 }, 'route is not of the required form: A method and a path below the address'],
  [{ route: 'POST /tokn', status: 503 }, 'route: nothing is served at POST /tokn: did you mean POST /token?'],
  [{ route: 'GET /token', status: 503 }, 'route: nothing is served at GET /token: did you mean POST /token?'],
  [{ route: 'POST /token', client: 'nobody', status: 503 }, "no client is registered as 'nobody'"],
  [{ route: 'POST /token', status: 503, times: 1.5 }, 'times must be a whole number, but is a fraction.'],
  [{ route: 'POST /token', broken: 'gone' }, 'broken must be one of reset, truncated, garbled.'],
])('%j is refused', async (body, told) => {
  const answer = await door(bank, '/troubles', body)
  expect([answer.status, answer.body.error_description]).toEqual([400, expect.stringContaining(told)])
})

test.each(['HEAD /healthcheck', 'GET /register/a-client', 'GET /auth/a-login', 'GET /device'])(
  '%s is a route that trouble may be at',
  async (route) => {
    expect((await door(bank, '/troubles', { route, status: 503 })).status).toBe(200)
  },
)

test('the next login of a client ends as it is told, once', async () => {
  await bank.endNextLogin(client, 'not-eligible')
  await expect(bank.login(client, 'jana')).rejects.toMatchObject({ code: 'eid_doesnt_exist' })
  expect((await bank.login(client, 'jana')).claims.iss).toBe(bank.issuer)
})

test.each(['reset', 'close'] as const)('a delayed answer comes at once on %s', async (ending) => {
  const { bank, service } = await bankForTest()
  await bank.trouble('GET /healthcheck', { delaySeconds: 600 })
  const asked = service.http('get', '/healthcheck').then(({ status }) => status)
  await service.http('get', '/.well-known/jwks.json')
  await bank[ending]()
  expect(await asked).toBe(200)
})
