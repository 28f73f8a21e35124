import express, { type RequestHandler } from 'express'
import { examine } from '../conformance/examine.js'
import { rulesInDresses } from '../conformance/harness/dressed-rules.js'
import { rules } from '../conformance/rules/index.js'
import type { Target } from '../conformance/target/target.js'
import { withBank } from './bundled-bank.js'
import { withBankOf } from './proof/shapes.js'

const rule = 'authorization/display-unsupported'

async function resultOf(faults: readonly string[], only: string) {
  const { results } = await withBank({ faults }, (target) => examine({ target, only: [only] }))
  return results[0]
}

test('what is done in every dress are rules that there are', () => {
  const known = new Set(rules.map(({ id }) => id))
  expect([...rulesInDresses].filter((id) => !known.has(id))).toEqual([])
})

describe('a bank that is wrong only where something else is so', () => {
  test.each([
    ['authorization/display-capitals-beside-challenge', rule, 'AUTH-13', 'another dress'],
    ['introspection/unknown-hint-invalid-request-once-replaced', 'introspection/hint', 'INTR-3', 'another dress'],
    ['authorization/display-too-long-of-sealed-id-tokens', rule, 'AUTH-13', 'a third dress'],
    ['token/redirect-uri-scheme-ignored-by-secret-jwt', 'token/redirect-uri', 'TOK-36', 'a third dress'],
    ['authorization/display-not-checked-of-few-members', rule, 'AUTH-13', 'the least dress'],
    ['token/code-usable-twice-of-few-members', 'token/code-once', 'TOK-12', 'the least dress'],
  ])('with the fault %s fails %s (%s), in %s alone', async (fault, only, requirement, dress) => {
    expect(await resultOf([fault], only)).toMatchObject({
      status: 'fail',
      requirement,
      reason: expect.stringMatching(new RegExp(`^in ${dress}[:,] `)),
    })
  })
})

/** Whether a request names the organization that requests in another dress name. */
const isDressed = ({ headers }: Parameters<RequestHandler>[0]) => headers['x-sep-identifier'] === 'another-organization'

/** Refuses at one endpoint what it has to do with in another dress. */
function refusedAt(method: string, path: RegExp): RequestHandler {
  return (req, res, next) => {
    if (!isDressed(req) || req.method !== method || !path.test(req.path)) next()
    else res.status(400).json({ error: 'invalid_request', error_description: 'not so' })
  }
}

/** Refuses a grant, of the clients that it registered in another dress. */
const grantRefused = (grant: string): RequestHandler =>
  express.Router().post('/token', express.text({ type: '*/*' }), (req, res, next) => {
    if (!isDressed(req) || new URLSearchParams(req.body).get('grant_type') !== grant) next()
    else res.status(400).json({ error: 'invalid_request', error_description: 'not so' })
  })

/** Takes no state of more than a hundred characters. */
const shortStates: RequestHandler = ({ path, query: { state, redirect_uri } }, res, next) => {
  if (path !== '/auth' || String(state).length <= 100) next()
  else res.redirect(302, `${redirect_uri}?${new URLSearchParams({ error: 'invalid_request', state: String(state) })}`)
}

/** Shows a page that nobody described, where a request in another dress comes to the person. */
const undescribed: RequestHandler = (req, res, next) => {
  if (!isDressed(req) || !req.path.startsWith('/interaction/')) next()
  else res.type('html').send('<h1>What is new</h1><form method="post"><button>Go on</button></form>')
}

/** Never answers what is asked in another dress. */
const silent =
  (path: string): RequestHandler =>
  (req, _res, next) => {
    if (!isDressed(req) || req.path !== path) next()
  }

describe('a bank whose policy another dress is beyond', () => {
  const notTaken = 'not done in another dress'
  async function resultsOf(front: RequestHandler, only: readonly string[], target: Partial<Target> = {}) {
    const shape = { front: () => front, target: () => target }
    const examined = await withBankOf({}, shape, (it) => examine({ target: it, only, boundSeconds: 5 }))
    return Object.fromEntries(examined.results.map((result) => [result.rule, result]))
  }

  test.each<[string, RequestHandler, string, string]>([
    ['the registration', refusedAt('POST', /^\/register$/), 'registration/create', 'registration/read'],
    ['the state', shortStates, 'authorization/code', 'errors/redirect-uri-query'],
    ['the code', grantRefused('authorization_code'), 'token/code-exchange', 'user-data/filled'],
    ['the request object', refusedAt('POST', /^\/ros$/), 'signing/request-object', 'signing/eleven-documents'],
  ])('in that it refuses %s is warned of once, and judged as it was', async (_what, front, about, through) => {
    const results = await resultsOf(front, [about, through])
    expect(results).toMatchObject({
      [about]: { status: 'warn', reason: expect.stringContaining(notTaken) },
      [through]: { status: 'pass', notes: [expect.stringContaining(notTaken)] },
    })
  })

  test.each<[string, RequestHandler, string]>([
    ['refuses a refresh', grantRefused('refresh_token'), 'token/refresh-narrowed'],
    ['shows a page that the target file does not describe', undescribed, 'authorization/code'],
    ['is silent at the token endpoint', silent('/token'), 'user-data/filled'],
  ])('and that %s is judged as it was', async (_what, front, rule) => {
    const results = await resultsOf(front, [rule], { timeoutSeconds: 2 })
    expect(results[rule]).toMatchObject({ status: 'pass', notes: [expect.stringContaining(notTaken)] })
  })
})

test('the right bank passes in every dress', async () => {
  expect(await resultOf([], rule)).toMatchObject({ status: 'pass' })
})
