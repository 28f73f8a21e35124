import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import { serveHttps, type TestServer } from '../testing/https-server.js'

const { bank } = await bankForFile({ control: true })

/** What the service was asked, and what it answers next: a status and a body. */
const asked: Record<string, unknown>[] = []
let next: [status: number, body: string]
let statistics: TestServer

beforeAll(async () => {
  statistics = await serveHttps(bank.identity.service.certificate, async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    asked.push(JSON.parse(Buffer.concat(chunks).toString()))
    res.writeHead(next[0], { 'content-type': 'application/json' }).end(next[1])
  })
})
afterAll(() => statistics.close())

const noRecords = { numberOfRecords: 0, numberOfIdpRecords: 0, authHistory: [] }

async function ask(request: object, status: number, body: unknown) {
  next = [status, typeof body === 'string' ? body : JSON.stringify(body)]
  return door(bank, '/stats', { request, service: statistics.url })
}

test('a person without records may have null for the first and the last use', async () => {
  const answer = { firstAuth: null, lastAuth: null, ...noRecords }
  expect(await ask({ idpSub: 'somebody' }, 200, answer)).toEqual({ status: 200, body: answer })
})

test.each([
  [
    400,
    { error: 'invalid_request', error_description: 'dateFrom: too early' },
    'status 400, invalid_request: dateFrom: too early',
  ],
  [500, { error: 'internal_server_error', error_description: 'no' }, 'status 500, internal_server_error: no'],
  [401, { error: 'invalid_token' }, 'status 401, invalid_token'],
  [200, { numberOfRecords: 0, numberOfIdpRecords: 0 }, 'status 200; authHistory is missing.'],
  [502, '<html>', 'status 502, and the body is not JSON'],
  [200, `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'status 200, and the body is not JSON'],
])('an answer %i %j is told', async (status, body, reason) => {
  expect(await ask({ idpSub: 'somebody' }, status, body)).toEqual({
    status: 503,
    body: {
      error: 'temporarily_unavailable',
      error_description: `POST ${statistics.url}/user-stat-data: ${reason}`,
    },
  })
})

test('180 days are asked for, up to now or to the end that is named', async () => {
  const days180 = 180 * 86_400_000
  const before = Date.now()
  await ask({ idpSub: 'somebody' }, 200, noRecords)
  const { dateFrom, dateTo, idpSub } = asked.at(-1) ?? {}
  expect(idpSub).toBe('somebody')
  for (const date of [dateFrom, dateTo]) expect(date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/)
  const to = Date.parse(String(dateTo))
  expect(to - Date.parse(String(dateFrom))).toBe(days180)
  expect(to).toBeGreaterThanOrEqual(before)
  expect(to).toBeLessThanOrEqual(Date.now())

  await ask({ idpSub: 'somebody', dateTo: '2026-07-01T00:00:00+02:00' }, 200, noRecords)
  expect(asked.at(-1)).toMatchObject({ dateFrom: '2026-01-01T22:00:00.000+00:00', dateTo: '2026-07-01T00:00:00+02:00' })
  await ask({ idpSub: 'somebody', dateFrom: '2026-07-01T00:00:00+02:00' }, 200, noRecords)
  expect(asked.at(-1)).toMatchObject({ dateFrom: '2026-07-01T00:00:00+02:00', dateTo: expect.any(String) })
})
