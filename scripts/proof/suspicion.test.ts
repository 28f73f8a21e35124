import fc from 'fast-check'
import type { Case } from './case.js'
import type { Outcome } from './outcome.js'
import { suspicions } from './suspicion.js'

const ruleIds = ['r/1', 'r/2', 'r/3', 'r/4', 'r/5', 'r/6']

function outcome(rule: string, status: Outcome['status']): Outcome {
  return {
    rule,
    requirement: 'TOK-2',
    status,
    needs: [],
    readings: [],
    places: [],
    routes: [],
    expectations: [],
    tries: [],
    ...(status !== 'pass' && { reason: 'because' }),
  }
}

const rightBank = ruleIds.map((rule) => outcome(rule, 'pass'))

/** @param own the rules that the case says it moves */
function caseOf(name: string, own: string[]): Case {
  return {
    name,
    title: name,
    options: {},
    shapes: [],
    members: [],
    seams: [name],
    alone: false,
    own,
    concerns: () => true,
    judge: () => [],
  }
}

/** @param moves what each case moves in truth */
function bankOf(moves: ReadonlyMap<Case, readonly string[]>) {
  const requested: string[] = []
  return {
    requested,
    async ask(cases: readonly Case[], rules: readonly string[]) {
      requested.push(`${cases.map(({ name }) => name).join('+')}: ${rules.join(' ')}`)
      return rules.map((rule) => outcome(rule, cases.some((one) => moves.get(one)?.includes(rule)) ? 'fail' : 'pass'))
    },
  }
}

test('what a case declares is asked of the others without it, and what nobody declares of each half', async () => {
  const [a, b, c] = [caseOf('a', ['r/1']), caseOf('b', ['r/2']), caseOf('c', [])]
  const { ask, requested } = bankOf(
    new Map([
      [a, ['r/1']],
      [b, ['r/2']],
      [c, ['r/3']],
    ]),
  )
  const suspected = await suspicions([a, b, c], rightBank, ask)
  expect(requested).toEqual([`a+b+c: ${ruleIds.join(' ')}`, 'b+c: r/1', 'a+c: r/2', 'a+b: r/3'])
  expect([...suspected].map(([{ name }, rules]) => `${name}: ${[...rules].join(' ')}`)).toEqual([
    'a: r/1',
    'b: r/2',
    'c: r/3',
  ])
})

test('a bank that has the whole group is not asked once more where it is known what came of it', async () => {
  const [a, b] = [caseOf('a', ['r/1']), caseOf('b', [])]
  const { ask, requested } = bankOf(
    new Map([
      [a, ['r/1']],
      [b, ['r/2']],
    ]),
  )
  const known = await ask([a, b], ruleIds)
  requested.length = 0
  const suspected = await suspicions([a, b], rightBank, ask, known)
  expect(requested).toEqual([])
  expect([...suspected].map(([{ name }, rules]) => `${name}: ${[...rules].join(' ')}`)).toEqual([
    'a: r/1 r/2',
    'b: r/1 r/2',
  ])
})

test('a rule that is blocked is asked again without the case that moves the rule about the step', async () => {
  const [a, b, c] = [caseOf('a', ['r/1']), caseOf('b', []), caseOf('c', [])]
  const suspected = await suspicions([a, b, c], rightBank, async (cases, rules) =>
    rules.map((rule) => {
      if (!cases.includes(a)) return outcome(rule, 'pass')
      return rule === 'r/1' ? outcome(rule, 'fail') : { ...outcome(rule, 'blocked'), blockedBy: 'r/1' }
    }),
  )
  expect([...(suspected.get(a) ?? [])]).toEqual(ruleIds)
  expect([...(suspected.get(b) ?? []), ...(suspected.get(c) ?? [])]).toEqual([])
})

test('of a case that is alone every rule is suspected that touches what it changes', async () => {
  const one = { ...caseOf('a', []), concerns: ({ rule }: Outcome) => rule < 'r/3' }
  const suspected = await suspicions([one], rightBank, async () => {
    throw new Error('nothing is to be asked')
  })
  expect([...(suspected.get(one) ?? [])]).toEqual(['r/1', 'r/2'])
})

test('whatever cases move and say they move, each is left with every rule that it moves', async () => {
  const some = fc.subarray(ruleIds)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(some, some), { maxLength: 5 }), async (drawn) => {
      const moves = new Map(drawn.map(([own, moved], i) => [caseOf(`case ${i}`, own), moved] as const))
      const suspected = await suspicions([...moves.keys()], rightBank, bankOf(moves).ask)
      for (const [one, moved] of moves) {
        expect(moved.filter((rule) => !suspected.get(one)?.has(rule))).toEqual([])
      }
    }),
  )
})
