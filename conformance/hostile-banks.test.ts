import { type ExamineOptions, examine } from './examine.js'
import type { Results } from './harness/results.js'
import { rule } from './harness/rule.js'
import type { Target } from './target/target.js'
import { bankForTest } from './testing/banks.js'
import { changedBody } from './testing/changed-answers.js'
import { rulesKept } from './testing/foreign-bank.js'
import { html, json, type Replaced, type Route, redirect, type TestAnswer } from './testing/https-server.js'

/** What came of a bank in a time that is bounded. */
async function examined(
  replaced: Replaced,
  { target = {}, ...options }: Omit<Partial<ExamineOptions>, 'target'> & { target?: Partial<Target> } = {},
): Promise<Results & { left: number; said: Record<string, string> }> {
  const bank = await bankForTest(replaced)
  const whole = { ...bank.target, timeoutSeconds: 5, ...target }
  const results = await examine({ only: rulesKept, ...options, target: whole })
  const said = results.results.map(({ rule, status }) => [rule, status])
  return { ...results, left: bank.clients.size, said: Object.fromEntries(said) }
}

/** Every route but these answers so. */
const all =
  (answer: () => TestAnswer, but: readonly string[] = []): Replaced =>
  (own) =>
    Object.fromEntries(Object.keys(own).flatMap((name) => (but.includes(name) ? [] : [[name, answer]])))

const discovery = 'GET /.well-known/openid-configuration'
const reasonOf = ({ results }: Results, id: string) => results.find(({ rule }) => rule === id)?.reason

describe('a bank that', () => {
  test('hangs everywhere but in discovery fails what is asked of it, blocks the rest, and ends soon', async () => {
    const results = await examined(
      all(() => 'hang', [discovery]),
      { target: { timeoutSeconds: 1 } },
    )
    expect(results.said).toMatchObject({
      'discovery/document': 'pass',
      'health/record': 'fail',
      'registration/create': 'fail',
      'token/code-exchange': 'blocked',
    })
    expect(results.counts).toMatchObject({ error: 0 })
    expect(results.milliseconds).toBeLessThan(20_000)
  })

  test('takes its time over its pages is not blamed for it', async () => {
    const slow = async (answer: TestAnswer | undefined | Promise<TestAnswer>) => {
      await new Promise((resolve) => setTimeout(resolve, 600))
      return (await answer) ?? 'cut'
    }
    const results = await examined((own) => ({ 'GET /login': (request) => slow(own['GET /login']?.(request)) }), {
      target: { timeoutSeconds: 0.5 },
      boundSeconds: 0.5,
      only: ['token/code-exchange', 'authorization/code'],
    })
    expect(results.said).toEqual({ 'token/code-exchange': 'pass', 'authorization/code': 'pass' })
  })

  test('is gone half-way is not asked any more, and what it keeps is listed', async () => {
    let gone = false
    const results = await examined(
      (own) => ({
        ...Object.fromEntries(
          Object.entries(own).map(([name, route]) => [name, (request) => (gone ? 'cut' : route(request))]),
        ),
        'POST /token': () => {
          gone = true
          return 'cut'
        },
      }),
      { target: { concurrency: 1 } },
    )
    expect(results.said).toMatchObject({ 'registration/create': 'pass', 'token/code-exchange': 'blocked' })
    expect(reasonOf(results, 'token/code-exchange')).toMatch(
      /^the bank does not answer any more: at \S+ it also closed/,
    )
    expect(results.counts).toMatchObject({ fail: 0, error: 0 })
    expect(results.left).toBeGreaterThan(0)
    expect(results.registrationsLeft).toHaveLength(results.left)
  })

  test('ends a connection twice by chance is asked again, once it is seen to be there', async () => {
    let cuts = 0
    const results = await examined(
      (own) => ({
        'GET /healthcheck': (request) => (cuts++ < 2 ? 'cut' : (own['GET /healthcheck']?.(request) ?? 'cut')),
      }),
      { only: ['health/record'] },
    )
    expect(results.said).toEqual({ 'health/record': 'pass' })
    expect(cuts).toBeGreaterThan(2)
  })

  test('does not answer at all any more is looked for once, and then not asked any more', async () => {
    let gone = false
    const asks = Array.from({ length: 20 }, (_, i) =>
      rule({
        id: `testing/asks-${i}`,
        requirement: 'TOK-2',
        title: 'Asks',
        check: async ({ bank }) => {
          gone = true
          await bank.get('/healthcheck')
        },
      }),
    )
    const results = await examined(
      (own) => ({
        'GET /healthcheck': () => 'hang',
        [discovery]: (request) => (gone ? 'hang' : (own[discovery]?.(request) ?? 'cut')),
      }),
      { rules: asks, only: [], target: { concurrency: 5, timeoutSeconds: 1 } },
    )
    // Those under way when nothing was heard any more failed; nothing is said of the others.
    expect(results.counts.fail).toBeLessThan(10)
    expect(results.counts.fail + results.counts.blocked).toBe(20)
    expect(results.results.filter(({ status }) => status === 'blocked').map(({ reason }) => reason)).toContain(
      `the bank does not answer any more: at ${results.issuer}/.well-known/openid-configuration it also did not answer within 1 s`,
    )
    expect(results.milliseconds).toBeLessThan(10_000)
  })

  test('shows HTML everywhere is failed by every rule that it reaches', async () => {
    const results = await examined(all(() => html('<title>Welcome</title>')))
    expect(results.said).toMatchObject({
      'discovery/document': 'fail',
      'health/record': 'fail',
    })
    expect(results.counts).toMatchObject({ pass: 0, error: 0 })
  })

  test('nests its JSON 100000 deep is failed, and does not exhaust the harness', async () => {
    const body = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const results = await examined(
      all(() => ({ status: 200, headers: { 'content-type': 'application/json' }, body }), [discovery]),
    )
    expect(results.said).toMatchObject({ 'health/record': 'fail', 'registration/create': 'fail' })
    expect(results.counts).toMatchObject({ error: 0 })
  })

  test('gives an access token that no header can carry is told so', async () => {
    const results = await examined(changedBody('POST /token', (tokens) => ({ ...tokens, access_token: 'a\r\nb: c' })))
    expect(results.said).toMatchObject({ 'userinfo/signed': 'fail' })
    expect(reasonOf(results, 'userinfo/signed')).toMatch(/: the bank gave a value that a request cannot carry$/)
    expect(results.counts).toMatchObject({ error: 0 })
  })

  test('has a form that leads to no address is failed', async () => {
    const page = '<form id="sign-in" action="https://["><input name="user"><input name="pin"><button>In</button></form>'
    const results = await examined(() => ({ 'GET /login': () => html(page) }), { only: ['authorization/code'] })
    expect(results.said).toEqual({ 'authorization/code': 'fail' })
    expect(reasonOf(results, 'authorization/code')).toBe(
      'the form of page sign-in leads to "https://[", which is not an address',
    )
  })

  test('has keys that are no objects, and an address that is none, is no error of the harness', async () => {
    const results = await examined(
      (own) => ({
        'GET /.well-known/jwks.json': () => json({ keys: [null, 1, 'x'] }),
        ...changedBody(discovery, (document) => ({ ...document, revocation_endpoint: 'https://[' }))(own),
      }),
      { only: ['client-authentication/other-curve', 'general/paths', 'key-set/*'] },
    )
    expect(results.counts).toMatchObject({ error: 0 })
  })

  test('sends 50 MB is read no further than 1 MiB', async () => {
    const results = await examined(
      (own) => ({ ...own, 'GET /userinfo': () => ({ status: 200, body: 'x'.repeat(50 * 1024 * 1024) }) }),
      { target: { timeoutSeconds: 5 } },
    )
    expect(reasonOf(results, 'userinfo/signed')).toMatch(/: the bank sent a body of more than 1 MiB$/)
    expect(results.said).toMatchObject({ 'token/code-exchange': 'pass' })
  })

  test('breaks TLS in the middle of an answer is told so', async () => {
    const results = await examined((own) => ({ ...own, 'GET /healthcheck': () => 'garble' }))
    expect(results.said).toMatchObject({ 'health/record': 'fail', 'discovery/document': 'pass' })
    expect(reasonOf(results, 'health/record')).toMatch(/: the bank (did not complete the TLS handshake|closed)/)
  })

  test('redirects in circles is followed only so long', async () => {
    const results = await examined((own) => ({ ...own, 'GET /login': () => redirect('/login') }))
    expect(reasonOf(results, 'authorization/code')).toBe(
      'the bank did not redirect the browser to the client within 30 requests',
    )
    expect(results.said).toMatchObject({ 'token/code-exchange': 'blocked', 'registration/create': 'pass' })
    expect(results.left).toBe(0)
  })

  test('answers 429 is asked again when its Retry-After is over, and not before', async () => {
    const asked: number[] = []
    const results = await examined(
      (own) => ({
        ...own,
        'POST /token': (request) => {
          asked.push(Date.now())
          return asked.length === 1
            ? { status: 429, headers: { 'retry-after': '4' } }
            : (own['POST /token']?.(request) ?? 'cut')
        },
      }),
      { only: ['token/code-exchange'], boundSeconds: 3 },
    )
    expect(results.said).toEqual({ 'token/code-exchange': 'pass' })
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(3_990)
  })

  test('serves nobody for a second is asked again, and wholly examined', async () => {
    let asked = 0
    let until = 0
    let refused = 0
    const now: (route: Route) => Route = (route) => (request) => {
      asked += 1
      if (asked === 20) until = Date.now() + 1_000
      if (Date.now() >= until) return route(request)
      refused += 1
      return { status: 503, headers: { 'retry-after': '1' } }
    }
    const results = await examined((own) =>
      Object.fromEntries(Object.entries(own).map(([name, route]) => [name, now(route)])),
    )
    expect(refused).toBeGreaterThan(0)
    expect(results.counts).toMatchObject({ fail: 0, blocked: 0, error: 0 })
    expect(results.said).toEqual((await examined((own) => own)).said)
  })

  test.each(['3600', '0'])(
    'answers 429 for ever (Retry-After %s) blocks the rules, and fails none',
    async (seconds) => {
      const results = await examined((own) => ({
        ...own,
        'POST /token': () => ({ status: 429, headers: { 'retry-after': seconds } }),
      }))
      expect(results.said).toMatchObject({
        'authorization/code': 'pass',
        'token/code-exchange': 'blocked',
        'userinfo/signed': 'blocked',
      })
      expect(results.counts).toMatchObject({ fail: 0, error: 0 })
      expect(reasonOf(results, 'token/code-exchange')).toMatch(
        /^the bank answers POST \S+\/token with 429 and asks to wait/,
      )
    },
  )

  test('takes five requests in a fifth of a second is asked at the pace that it takes, and is wholly examined', async () => {
    const windowMs = 200
    let window = 0
    let inWindow = 0
    let refused = 0
    const paced =
      (route: Route): Route =>
      (request) => {
        const now = Math.floor(Date.now() / windowMs)
        inWindow = now === window ? inWindow + 1 : 1
        window = now
        if (inWindow <= 5) return route(request)
        refused += 1
        return { status: 429, headers: { 'retry-after': '1' } }
      }
    const results = await examined((own) =>
      Object.fromEntries(Object.entries(own).map(([name, route]) => [name, paced(route)])),
    )
    expect(refused).toBeGreaterThan(0)
    expect(results.counts).toMatchObject({ fail: 0, blocked: 0, error: 0 })
    expect(results.said).toEqual((await examined((own) => own)).said)
  })

  test('takes one request at a time is sent one at a time', async () => {
    let now = 0
    let most = 0
    const results = await examined(
      (own) =>
        Object.fromEntries(
          Object.entries(own).map(([name, route]) => [
            name,
            async (request) => {
              now += 1
              most = Math.max(most, now)
              const answer = await route(request)
              now -= 1
              return answer
            },
          ]),
        ),
      { target: { concurrency: 1, timeoutSeconds: 5 } },
    )
    expect(results.counts).toMatchObject({ pass: rulesKept.length })
    expect(most).toBe(1)
  })

  test('does not take registrations away has them listed', async () => {
    const results = await examined((own) => ({ ...own, 'DELETE /register/*': () => json({}, 500) }))
    expect(results.registrationsLeft.map(({ reason }) => reason)).toContain('the bank answers DELETE with status 500')
    expect(results.registrationsLeft).toHaveLength(results.left)
  })
})
