import { FailedExpectations, inWords } from './expectations.js'
import type { JudgedExpectation, Outcome } from './outcome.js'
import { judgeWrongAnswers } from './sharpness.js'
import type { WrongAt } from './wrong-answers.js'

const rule = 'introspection/live-token'

function expectation(member: string, variation?: string): JudgedExpectation {
  const where = `${member} of a token`
  const inOne = variation === undefined ? {} : { variation }
  return {
    ...{ at: `rules/a.js:${member}`, matcher: 'toBe', where, held: true, ...inOne },
    answer: {
      place: { conversation: rule, ...inOne, index: 0 },
      ways: [
        { what: 'status' },
        { what: 'member', name: 'exp', how: 'missing' },
        { what: 'member', name: 'active', how: 'other' },
      ],
    },
  }
}

function outcome(expectations: readonly JudgedExpectation[]): Outcome {
  const nothing = { requirement: 'INTR-1', places: [], needs: [], readings: [], routes: [] }
  return { rule, ...nothing, status: 'pass', expectations: [...expectations] }
}

/** A rule whose expectations fail where the member that they name is wrong. */
async function judged(...expectations: JudgedExpectation[]) {
  const failed = new FailedExpectations()
  const tried: WrongAt[][] = []
  await judgeWrongAnswers(failed, [outcome(expectations)], async (_rules, wrong) => {
    tried.push([...wrong])
    const isWrong = (one: JudgedExpectation) =>
      wrong.some(
        ({ wrong, place }) =>
          'name' in wrong && one.where.startsWith(`${wrong.name} `) && place.variation === one.variation,
      )
    return [outcome(expectations.map((one) => ({ ...one, held: !isWrong(one) })))]
  })
  return { open: failed.open([outcome(expectations)]).map(inWords), tried }
}

test('an expectation is tried first with what its words name wrong', async () => {
  const { open, tried } = await judged(expectation('active'))
  expect(open).toEqual([])
  expect(tried).toEqual([[expect.objectContaining({ wrong: { what: 'member', name: 'active', how: 'other' } })]])
})

test('variations beside each other are tried at once, and expectations of one after another', async () => {
  const { open, tried } = await judged(expectation('active', 'a'), expectation('exp', 'a'), expectation('active', 'b'))
  expect(open).toEqual([])
  expect(tried.map((round) => round.map(({ place }) => place.variation))).toEqual([['a', 'b'], ['a']])
})

test('what no wrong answer makes fail stays open once all were tried', async () => {
  const { open, tried } = await judged(expectation('scope'))
  expect(open).toEqual([`${rule}: scope of a token toBe (rules/a.js:scope)`])
  expect(tried).toHaveLength(3)
})
