import { fault } from '../../bank-idp/faults/fault.js'
import { judgeFault, judgeRightBank, judgeRules, judgeVariant } from './judge.js'
import { type Outcome, routeOf } from './outcome.js'
import { touches } from './touches.js'

function outcome(rule: string, requirement: string, status: Outcome['status'], more: Partial<Outcome> = {}): Outcome {
  return {
    rule,
    requirement,
    status,
    places: [],
    needs: [],
    readings: [],
    routes: [],
    expectations: [],
    tries: [],
    reason: 'because',
    ...more,
  }
}

const nothingAllowed = { skip: {}, warn: {} }
const broken = fault({ id: 'token/wrong', breaks: ['TOK-2'], title: 'Wrong', without: ['client-assertion/exp'] })
const rightBank = [outcome('token/a', 'TOK-2', 'pass'), outcome('token/b', 'TOK-1', 'pass')]

test('a rule that fails on the right bank is named, and so is a skip that is not on the list', () => {
  const outcomes = [
    outcome('a/fails', 'TOK-1', 'fail'),
    outcome('a/skips', 'TOK-2', 'skip'),
    outcome('a/passes', 'TOK-3', 'pass'),
  ]
  expect(judgeRightBank(outcomes, nothingAllowed)).toEqual([
    'right bank: a/fails is fail: because',
    'right bank: a/skips is skip: because',
  ])
  expect(judgeRightBank(outcomes.slice(1), { skip: { 'a/skips': 'known' }, warn: {} })).toEqual([])
  expect(judgeRightBank(outcomes.slice(2), { skip: { 'a/skips': 'known' }, warn: {} })).toEqual([
    'right bank: a/skips is on the list of allowed skips but is not one',
  ])
})

test('a fault that nothing notices is named; a blocked rule is no proof', () => {
  const outcomes = [outcome('token/a', 'TOK-2', 'blocked'), outcome('token/b', 'TOK-1', 'pass')]
  expect(judgeFault(broken, outcomes, rightBank)).toEqual([
    'token/wrong: no rule of TOK-2 turns red (token/a is blocked)',
  ])
})

test('collateral red is declared, and what is declared happens', () => {
  const outcomes = [outcome('token/a', 'TOK-2', 'fail'), outcome('token/b', 'TOK-1', 'fail')]
  expect(judgeFault(broken, outcomes, rightBank)).toEqual([
    'token/wrong: token/b turns red too, which the fault does not declare: because',
  ])
  const declaring = fault({ ...broken, collateral: { 'token/b': 'it rests on a' } })
  expect(judgeFault(declaring, outcomes, rightBank)).toEqual([])
  expect(judgeFault(declaring, outcomes.slice(0, 1), rightBank)).toEqual([
    'token/wrong: declares that token/b turns red too, but it does not',
  ])
})

test('a time-out or an error proves nothing', () => {
  const outcomes = [outcome('token/a', 'TOK-2', 'fail', { timedOut: true })]
  expect(judgeFault(broken, outcomes, rightBank)).toEqual([
    'token/wrong: token/a ended in an error, which proves nothing: because',
  ])
})

test('a variant that offers less is recognised by the rules that are skipped for it, and by those alone', () => {
  const variant = { ambiguity: 'AMB-38', reading: 'not-served', options: {}, lacks: 'signing' } as const
  const skipped = outcome('signing/a', 'SIGN-1', 'skip', { needs: ['signing'] })
  expect(judgeVariant(variant, [skipped], [])).toEqual([])
  expect(judgeVariant(variant, [outcome('signing/a', 'SIGN-1', 'skip')], [])).toEqual([
    'AMB-38=not-served: signing/a is skip: because',
    'AMB-38=not-served: no rule tells that the bank took this reading',
  ])
})

test('a variant skips the rules that it declares, and all of them', () => {
  const variant = { ambiguity: 'AMB-11', reading: 'refused', options: {}, skips: ['r/a'] } as const
  expect(judgeVariant(variant, [outcome('r/a', 'AUTH-7', 'skip')], [])).toEqual([])
  const taken = { readings: [{ ambiguity: 'AMB-11', reading: 'refused' }] }
  expect(judgeVariant(variant, [outcome('r/a', 'AUTH-7', 'pass', taken)], [])).toEqual([
    'AMB-11=refused: declares that r/a is skipped, but it is not',
  ])
})

test('a variant is never failed, is recognised, and is warned where the register says so', () => {
  const variant = { ambiguity: 'AMB-15', reading: 'created', options: {} } as const
  const taken = { readings: [{ ambiguity: 'AMB-15', reading: 'created' }] }
  expect(judgeVariant(variant, [outcome('r/a', 'REG-1', 'warn', taken)], [])).toEqual([])
  expect(judgeVariant(variant, [outcome('r/a', 'REG-1', 'pass', taken)], [])).toEqual([
    'AMB-15=created: has the level warn, but no rule warns',
  ])
  expect(judgeVariant(variant, [outcome('r/a', 'REG-1', 'fail', taken)], [])).toContain(
    'AMB-15=created: r/a is fail: because',
  )
  expect(judgeVariant(variant, [outcome('r/a', 'REG-1', 'warn')], [])).toContain(
    'AMB-15=created: no rule tells that the bank took this reading',
  )
})

test('a rule that no fault turns red is named', () => {
  expect(
    judgeRules(['a/proven', 'a/always-green'], { 'f/one': { title: 'One', red: { 'a/proven': 'fail' } } }),
  ).toEqual(['a/always-green: no fault turns it red'])
})

test('a request falls under an entry of the endpoint table, and a fault touches those whose answers it changes', () => {
  const issuer = 'https://bank.example/idp'
  expect(routeOf('GET', `${issuer}/auth/abc?x=1`, { issuer })).toBe('GET /auth')
  expect(routeOf('DELETE', `${issuer}/register/abc`, { issuer })).toBe('DELETE /register/{client_id}')
  expect(touches(broken)).toEqual(['POST /token', 'POST /token-info', 'POST /revoke'])
})
