import type { Exchange } from '../evidence/evidence.js'
import type { Finding } from '../evidence/failure.js'
import type { RuleResult } from '../harness/result.js'
import { rootsOf } from './roots.js'

/** The answer to a request of its own that a rule found wrong. */
interface Found {
  rule: string
  asked: [method: string, path: string]
  where: string
  expected: string
  actual: string
}

/** The rules of each card, whose it is first. */
function cardsFor(all: readonly Found[]): string[][] {
  const evidence = all.map(
    ({ asked: [method, path] }, i): Exchange => ({
      id: `e${i}`,
      kind: 'exchange',
      direction: 'sent',
      at: '2026-01-31T08:32:09.000Z',
      milliseconds: 5,
      request: { method, url: `https://bank.example${path}`, headers: {} },
      response: { status: 400, headers: {}, body: '' },
    }),
  )
  const results = all.map(({ rule, where, expected, actual }, i): RuleResult => {
    const sentence = `${where} should be ${expected}, but is ${actual}`
    const finding: Finding = { sentence, where, expected, actual, evidence: `e${i}` }
    const told = { title: rule, readings: [], notes: [], milliseconds: 1, evidence: [`e${i}`] }
    return { rule, requirement: 'AUTH-1', level: 'MUST', status: 'fail', reason: sentence, finding, ...told }
  })
  return rootsOf({ results, evidence }).map(({ first, same }) => [first.rule, ...same.map(({ rule }) => rule)])
}

const found = (rule: string, [method, path]: Found['asked'], expected: string, actual: string): Found => ({
  rule,
  asked: [method, path],
  where: `the answer to ${method} ${path}`,
  expected,
  actual,
})

const auth: Found['asked'] = ['GET', '/auth']

test('redirects by 303 in place of 302 are one thing, told by the rule about the step, wherever they are seen', () => {
  const refusal = (error: string, status: number) => `a redirect (${status}) with the error ${error}`
  expect(
    cardsFor([
      found('authorization/state-missing', auth, refusal('invalid_request', 302), refusal('invalid_request', 303)),
      found('authorization/code', ['GET', '/auth/resumed'], '302', '303'),
      found('signing/refused', ['GET', '/authorize'], '302 or 400', '303'),
    ]),
  ).toEqual([['authorization/code', 'authorization/state-missing', 'signing/refused']])
})

test('a redirect with another error beside another status is a thing of its own', () => {
  expect(
    cardsFor([
      found('authorization/code', auth, '302', '303'),
      found(
        'authorization/scope-missing',
        auth,
        'a redirect (302) with the error invalid_request',
        'a redirect (303) with the error invalid_scope',
      ),
    ]),
  ).toEqual([['authorization/code'], ['authorization/scope-missing']])
})

test('another status of refusals is one thing at one address, and what is served in their place is not', () => {
  const token: Found['asked'] = ['POST', '/token']
  expect(
    cardsFor([
      found('token/missing-parameter', token, '400', '422'),
      found('token/unknown-grant', token, '400', '422'),
      found('token/redirect-uri', token, '400 or 401', '200'),
      found('token/code-once', token, '400 or 401', '200'),
      found('revocation/unknown-client', ['POST', '/revoke'], '400', '422'),
    ]),
  ).toEqual([
    ['token/missing-parameter', 'token/unknown-grant'],
    ['token/redirect-uri'],
    ['token/code-once'],
    ['revocation/unknown-client'],
  ])
})

test('an address at which nothing is, and errors that are no JSON, are one thing each', () => {
  const page = (rule: string, path: string) => ({
    ...found(rule, ['GET', path], 'refused', 'status 400 carries no JSON with an error'),
    where: 'the authorization request',
  })
  expect(
    cardsFor([
      found('profile/of-all-signed', ['GET', '/profile'], '200', '404'),
      found('profile/signed', ['GET', '/profile'], '200', '404'),
      found('health/record', ['GET', '/healthcheck'], '200', '404'),
      page('authorization/client-id-missing', '/auth'),
      page('authorization/client-id-unknown', '/auth'),
    ]),
  ).toEqual([
    ['profile/signed', 'profile/of-all-signed'],
    ['authorization/client-id-missing', 'authorization/client-id-unknown'],
    ['health/record'],
  ])
})

test('a body that lacks the same member in each refusal is one thing', () => {
  const introspected = { asked: ['POST', '/token-info'] as Found['asked'], where: 'the introspection response' }
  const body = {
    where: 'the body of GET /auth',
    expected: 'of the form "Error"',
    actual: 'error_description is missing.',
  }
  expect(
    cardsFor([
      { rule: 'authorization/client-id-missing', asked: auth, ...body },
      { rule: 'authorization/redirect-uri-missing', asked: auth, ...body },
      { rule: 'authorization/response-type-missing', asked: auth, ...body, actual: 'error is missing.' },
      { rule: 'introspection/live-token', ...introspected, expected: 'aud', actual: 'only active, sub' },
      { rule: 'introspection/second-person', ...introspected, expected: 'aud', actual: 'only active, sub, scope' },
      { rule: 'introspection/refresh-token', ...introspected, expected: 'aud, token_type', actual: 'only active, sub' },
    ]),
  ).toEqual([
    ['introspection/live-token', 'introspection/second-person'],
    ['authorization/client-id-missing', 'authorization/redirect-uri-missing'],
    ['authorization/response-type-missing'],
    ['introspection/refresh-token'],
  ])
})
