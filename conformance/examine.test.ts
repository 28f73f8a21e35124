import { validate } from '../schemas/index.js'
import { examine } from './examine.js'
import { rule } from './harness/rule.js'
import { jsonReport } from './reports/json.js'
import { toLogIn } from './target/needs.js'
import { bankForTest } from './testing/banks.js'
import { rulesKept } from './testing/foreign-bank.js'
import { html, json, redirect } from './testing/https-server.js'

const statusOf = ({ results }: Awaited<ReturnType<typeof examine>>) =>
  Object.fromEntries(results.map(({ rule: id, status }) => [id, status]))

describe('an edition', () => {
  test('is named by what a run found', async () => {
    const { target } = await bankForTest()
    expect((await examine({ target, only: ['HEALTH-1'] })).edition).toBe('1.2')
    expect((await examine({ target: { ...target, edition: '1.2' }, only: ['HEALTH-1'] })).edition).toBe('1.2')
  })

  test('that there is not, or that lacks the requirement of a rule, is an error before the bank is asked', async () => {
    const { target, seen } = await bankForTest()
    await expect(examine({ target: { ...target, edition: '9.9' } })).rejects.toThrow(
      "There is no edition '9.9'. The known ones are: 1.2.",
    )
    const later = rule({ id: 'testing/later', requirement: 'TOK-999', title: 'x', check: async () => {} })
    await expect(examine({ target, rules: [later] })).rejects.toThrow(
      'testing/later is about TOK-999, which edition 1.2 does not have',
    )
    expect(seen).toEqual([])
  })
})

describe('a bank that does right', () => {
  test('passes, and nothing is left at it', async () => {
    const { target, clients } = await bankForTest()
    const results = await examine({ target, only: rulesKept })
    expect(results.results.filter(({ status }) => status !== 'pass')).toEqual([])
    expect(results.partial).toBe(false)
    expect(results.registrationsLeft).toEqual([])
    expect(clients.size).toBe(0)
  })

  test('gets a report as its schema says, without a secret in it', async () => {
    const { target } = await bankForTest()
    const report = jsonReport(await examine({ target, only: rulesKept }), { whole: true })
    expect(validate('report', JSON.parse(report))).toEqual([])
    expect(report).not.toContain('jana-secret')
    expect(report).not.toContain('"rat-')
    const assertions = JSON.parse(report).evidence.flatMap((item: { request?: { headers: object } }) =>
      Object.entries(item.request?.headers ?? {}).filter(([name]) => name === 'client_assertion'),
    )
    for (const [, value] of assertions) expect(value).toMatch(/^client_assertion:‹[0-9a-f]{8}›$/)
    expect(assertions.length).toBeGreaterThan(0)
  })

  test('is asked for each shared thing once', async () => {
    const { target, seen } = await bankForTest()
    await examine({ target, only: ['authorization/code', 'token/code-exchange', 'userinfo/signed'] })
    // Each once more in each other dress; and once without the members that not every bank asks for, which the least dress leaves out.
    expect(seen.filter((request) => request === 'POST /register')).toHaveLength(5)
    // The first is left at the first page: it shows whether the bank takes a plain request.
    expect(seen.filter((request) => request === 'GET /auth')).toHaveLength(5)
    expect(seen.filter((request) => request === 'POST /token')).toHaveLength(4)
  })

  test('has the evidence of a shared login on each rule that used it, and what it fetched as well', async () => {
    const { target } = await bankForTest()
    const { results, evidence } = await examine({ target, only: ['token/code-exchange', 'DATA-13'] })
    const requestsOf = (id: string) =>
      evidence.flatMap((item) => {
        const of = results.find(({ rule: ruleId }) => ruleId === id)
        if (!of?.evidence.includes(item.id) || item.kind !== 'exchange') return []
        return [
          `${item.direction} ${item.request.method} ${new URL(item.request.url).pathname.replace(/^\/[\w-]{22}\//, '/APP/')}`,
        ]
      })
    const login = [
      'sent GET /.well-known/openid-configuration',
      'sent POST /register',
      'sent GET /auth',
      'sent GET /auth',
      'sent GET /login',
      'sent POST /login',
      'sent GET /consent',
      'sent POST /consent',
      'sent POST /token',
    ]
    const sent = requestsOf('token/code-exchange').filter((line) => line.startsWith('sent'))
    expect(sent.slice(0, login.length)).toEqual(login)
    expect(requestsOf('userinfo/encrypted')).toEqual(expect.arrayContaining([...login, 'received GET /APP/jwks.json']))
  })

  test('is told the same names in a run repeated with its seed', async () => {
    const { target } = await bankForTest()
    const statesOf = async (seed: string) => {
      const { evidence } = await examine({ target, seed, only: ['authorization/code'] })
      return evidence.flatMap((item) =>
        item.kind === 'exchange' ? (new URL(item.request.url).searchParams.get('state') ?? []) : [],
      )
    }
    const states = await statesOf('one')
    expect(states).toHaveLength(5)
    expect(await statesOf('one')).toEqual(states)
    expect(await statesOf('two')).not.toEqual(states)
  })
})

describe('a step that fails', () => {
  test('is the failure of the rule about it, and blocks the others by name', async () => {
    const refused = json({ error: 'invalid_grant', error_description: 'no' }, 400)
    const { target } = await bankForTest(() => ({ 'POST /token': () => refused }))
    const results = await examine({
      target,
      only: ['authorization/code', 'token/code-exchange', 'token/scope-listed', 'userinfo/signed'],
    })
    expect(statusOf(results)).toEqual({
      'authorization/code': 'pass',
      'token/code-exchange': 'fail',
      'token/scope-listed': 'blocked',
      'userinfo/signed': 'blocked',
    })
    for (const { status, blockedBy } of results.results) {
      expect(blockedBy).toBe(status === 'blocked' ? 'token/code-exchange' : undefined)
    }
  })

  test('is told in words when the bank breaks off', async () => {
    const { target } = await bankForTest(() => ({ 'POST /token': () => 'cut' }))
    const { results } = await examine({ target, only: ['token/code-exchange'] })
    expect(results[0]).toMatchObject({
      status: 'fail',
      reason: `POST ${target.issuer}/token: the bank closed the connection`,
    })
  })

  test('is told in words when the bank does not answer in time', async () => {
    const { target } = await bankForTest(() => ({ 'GET /healthcheck': () => 'hang' }))
    const { results } = await examine({ target: { ...target, timeoutSeconds: 0.2 }, only: ['HEALTH-1'] })
    expect(results[0]).toMatchObject({
      status: 'fail',
      reason: `GET ${target.issuer}/healthcheck: the bank did not answer within 0.2 s`,
    })
  })

  test('is an error of the target file when that does not say how to go on', async () => {
    const unknown = html('<title>News</title><form id="news"><input name="read"><button>Next</button></form>')
    const { target } = await bankForTest(() => ({ 'GET /login': () => unknown }))
    const { results } = await examine({ target, only: ['authorization/code'] })
    expect(results[0]).toMatchObject({
      status: 'error',
      targetAtFault: true,
      reason:
        'the target file: login.pages: no entry recognises the page of GET /login, which is a page titled "News", forms: form#news with read, buttons: "Next", status 200',
    })
  })
})

describe('a negative rule', () => {
  test('takes away what the bank registered by mistake', async () => {
    const registered = new Set<string>()
    const { target, clients, seen } = await bankForTest((own) => ({
      'POST /register': async (request) => {
        const answer = await own['POST /register']?.({ ...request, body: request.body.replaceAll('"http:', '"https:') })
        for (const id of clients.keys()) registered.add(id)
        return answer ?? 'hang'
      },
    }))
    const results = await examine({ target, only: ['registration/redirect-uri-not-https'] })
    expect(results.results[0]).toMatchObject({
      status: 'fail',
      finding: { expected: '400', actual: '200', where: 'the answer to POST /register' },
    })
    expect(registered.size).toBeGreaterThan(1)
    expect(seen.filter((request) => request.startsWith('DELETE'))).toHaveLength(registered.size)
    expect(clients.size).toBe(0)
  })

  test('is blocked when the good request does not succeed', async () => {
    const { target } = await bankForTest(() => ({
      'POST /register': () => json({ error: 'invalid_redirect_uri', error_description: 'whatever' }, 400),
    }))
    const { results } = await examine({ target, only: ['registration/redirect-uri-not-https'] })
    expect(results[0]).toMatchObject({ status: 'blocked', blockedBy: 'registration/create' })
  })
})

describe('what is left at the bank', () => {
  test('is listed with the reason', async () => {
    const { target, clients } = await bankForTest(() => ({ 'DELETE /register/*': () => json({}, 403) }))
    const { registrationsLeft } = await examine({ target, only: ['authorization/code'] })
    const reason = 'the bank answers DELETE with status 403'
    expect(registrationsLeft).toEqual([...clients.keys()].map((clientId) => ({ clientId, reason })))
  })

  test('is nothing when the run is ended early: results are what is there, and the run is partial', async () => {
    const ending = new AbortController()
    const { target, clients } = await bankForTest(() => ({
      'POST /token': () => {
        ending.abort()
        return 'hang'
      },
    }))
    const results = await examine({
      target,
      signal: ending.signal,
      only: ['discovery/document', 'token/code-exchange'],
    })
    expect(statusOf(results)).toEqual({ 'discovery/document': 'pass' })
    expect(results.partial).toBe(true)
    expect(results.notRun).toEqual(['token/code-exchange'])
    expect(results.registrationsLeft).toEqual([])
    expect(clients.size).toBe(0)
    expect(validate('report', JSON.parse(jsonReport(results)))).toEqual([])
  })

  test('is nothing when a rule falls over', async () => {
    const fallsOver = rule({
      id: 'testing/falls-over',
      requirement: 'TOK-1',
      title: 'Falls over after a login',
      needs: toLogIn,
      async check({ bank: examined }) {
        await examined.token.fresh()
        throw new TypeError('we made a mistake')
      },
    })
    const { target, clients } = await bankForTest()
    const { results } = await examine({ target, rules: [fallsOver] })
    expect(results[0]).toMatchObject({ status: 'error', reason: expect.stringContaining('we made a mistake') })
    expect(clients.size).toBe(0)
  })
})

test('what the selection left out is told', async () => {
  const { target } = await bankForTest()
  const { selection } = await examine({ target, only: ['DISC-1', 'HEALTH-*'], skip: ['health/*'] })
  expect(selection).toMatchObject({ only: ['DISC-1', 'HEALTH-*'], skip: ['health/*'] })
  expect(selection.leftOut).toContain('health/record')
  expect(selection.leftOut).not.toContain('discovery/document')
})

test('a redirect to a foreign address is told and not followed', async () => {
  const { target } = await bankForTest(() => ({
    'POST /consent': () => redirect('https://elsewhere.invalid/cb?code=x'),
  }))
  const { results } = await examine({ target, only: ['authorization/code'] })
  expect(results[0]).toMatchObject({
    status: 'fail',
    reason:
      'the bank sends the browser to https://elsewhere.invalid/cb?code=x, which is neither an address of the bank nor the registered redirect URI',
  })
})
