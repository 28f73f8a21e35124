import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import { plannedRules } from '../../conformance/harness/planned-rule.js'
import { rules } from '../../conformance/rules/index.js'
import { openEdition } from '../../schemas/editions/index.js'
import { byName, FailedExpectations, inWords, neverJudged } from './expectations.js'
import { readKnown } from './known-expectations.js'
import type { Outcome } from './outcome.js'

function outcome(rule: string, ...expectations: ExpectationReached[]): Outcome {
  const nothing = { requirement: 'TOK-1', places: [], needs: [], readings: [], routes: [] }
  return { rule, ...nothing, status: 'pass', expectations, tries: [] }
}

const scope: ExpectationReached = { at: 'rules/a.js:1:2', matcher: 'toBe', where: 'scope', held: true }
const inRow = (variation: string): ExpectationReached => ({ ...scope, variation })
const failing = (expectation: ExpectationReached): ExpectationReached => ({ ...expectation, held: false })

test('an expectation is proven by the same one, of the same rule and row, that failed under a fault', () => {
  const failed = new FailedExpectations()
  failed.note([outcome('token/a', failing(inRow('second')), scope), outcome('token/b', failing(scope))])
  const open = failed.open([outcome('token/a', scope, inRow('first'), inRow('second')), outcome('token/b', scope)])
  expect(open.map(inWords)).toEqual([
    'token/a: scope toBe (rules/a.js:1:2)',
    'token/a: first: scope toBe (rules/a.js:1:2)',
  ])
})

test('an expectation in another dress is proven by the same one in the first', () => {
  const failed = new FailedExpectations()
  failed.note([outcome('token/a', failing(scope), failing(inRow('first')))])
  const dressed = [inRow('in another dress'), inRow('in another dress, first'), inRow('in another dress, second')]
  expect(failed.open([outcome('token/a', ...dressed)]).map(inWords)).toEqual([
    'token/a: in another dress, second: scope toBe (rules/a.js:1:2)',
  ])
})

test('an expectation has a name that outlives its line, with a number where several ask the same', () => {
  const again: ExpectationReached = { ...scope, at: 'rules/a.js:9:2' }
  expect([...byName([scope, again, inRow('in another dress, a row'), scope]).keys()]).toEqual([
    'toBe scope',
    'toBe scope (2)',
    'toBe scope in a row',
  ])
})

test('the name of an expectation about a client is the same for each client', () => {
  const read = { ...scope, where: 'GET /register/{client_id}' }
  const [name] = byName([{ ...scope, where: 'GET /register/0e3fa66b-a39a-4c32-8ee7-9f42ee6c6e0f' }]).keys()
  expect([name]).toEqual([...byName([read]).keys()])
})

test('as few cases are named as make fail what no wrong answer does', () => {
  const failed = new FailedExpectations()
  const [first, second, third] = ['first', 'second', 'third'].map(inRow) as [
    ExpectationReached,
    ExpectationReached,
    ExpectationReached,
  ]
  failed.note([outcome('token/a', failing(third))])
  failed.note([outcome('token/a', failing(first))], 'fault/first')
  failed.note([outcome('token/a', failing(first), failing(second), failing(third))], 'fault/more')
  expect(failed.casesOf(outcome('token/a', first, second, third))).toEqual(['fault/more'])
})

test('a rule that has more expectations than were judged is told, and one whose number depends on the others is not', () => {
  const counted = { 'token/a': { count: 1 }, 'token/b': { count: 1 }, 'token/c': {} }
  const more = neverJudged([outcome('token/a', scope, inRow('second')), outcome('token/b', scope)], counted)
  expect(more).toEqual([expect.stringContaining('token/a has expectations (1)')])
  const last = { ...outcome('token/b', scope, inRow('second')), last: true }
  expect(neverJudged([last, outcome('token/c', scope)], counted)).toEqual([])
})

test('of each rule is written down what makes its expectations fail, each of them', () => {
  const known = readKnown()
  const examined = plannedRules(openEdition(), rules).filter(({ requirement }) => requirement.by !== 'manual')
  expect(Object.keys(known).toSorted()).toEqual(examined.map(({ id }) => id).toSorted())
  expect(Object.values(known).flatMap(({ open = [] }) => open)).toEqual([])
})
