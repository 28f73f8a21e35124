import { type FailedExpectations, keyOf, type OpenExpectation } from './expectations.js'
import type { Outcome } from './outcome.js'
import type { WrongAnswer, WrongAt } from './wrong-answers.js'

/** Wrong answers that are tried for one expectation at most. */
const mostTried = 12

/** An expectation, and the wrong answers that were not tried yet. */
interface Candidate {
  expectation: OpenExpectation
  untried: WrongAnswer[]
}

/**
 * Has what no fault made fail judge wrong answers: for each expectation the answer that it looks at is made wrong in one thing after the
 * other, until it fails. Expectations that cannot come between each other are tried in one run.
 *
 * @param run runs rules against the right bank, some of whose answers are made wrong
 */
export async function judgeWrongAnswers(
  failed: FailedExpectations,
  rightBank: readonly Outcome[],
  run: (rules: readonly string[], wrong: readonly WrongAt[]) => Promise<Outcome[]>,
): Promise<void> {
  let candidates = failed.open(rightBank).map((expectation) => ({ expectation, untried: inOrder(expectation) }))
  for (;;) {
    const open = new Set(failed.open(rightBank).map(nameOf))
    candidates = candidates.filter(({ expectation, untried }) => untried.length > 0 && open.has(nameOf(expectation)))
    const chosen = sideBySide(candidates)
    if (chosen.length === 0) return
    const wrong = chosen.flatMap(({ expectation: { answer }, untried }) => {
      const next = untried.shift()
      return answer && next ? [{ place: answer.place, wrong: next }] : []
    })
    failed.note(await run([...new Set(chosen.map(({ expectation }) => expectation.rule))], wrong))
  }
}

function nameOf(expectation: OpenExpectation): string {
  return `${expectation.rule} ${keyOf(expectation)}`
}

/** What is most likely to make an expectation fail comes first: what it is about by its matcher, or by its words. */
function inOrder({ answer, matcher, where }: OpenExpectation): WrongAnswer[] {
  const rank = (wrong: WrongAnswer) => {
    if (wrong.what === 'status') return matcher === 'toHaveStatus' ? 0 : 4
    if (wrong.what === 'body') return aboutWhole.includes(matcher) ? 0 : 3
    if (matcher === 'toHaveMediaType') return wrong.name === 'content-type' ? 0 : 4
    if (where.includes(wrong.name)) return wrong.how === 'other' ? 0 : 1
    return wrong.what === 'header' ? 3 : 2
  }
  return [...(answer?.ways ?? [])].sort((a, b) => rank(a) - rank(b)).slice(0, mostTried)
}

/** Matchers that judge a body as a whole. */
const aboutWhole = ['toBeObject', 'toBeFilledArray', 'toFitSchema', 'toHaveMembers']

/** Those of which none is in a variation of the same rule within which another is: a failure in one leaves the others as they are. */
function sideBySide(candidates: readonly Candidate[]): Candidate[] {
  const chosen: Candidate[] = []
  for (const candidate of candidates)
    if (!chosen.some((one) => hides(one, candidate) || hides(candidate, one))) chosen.push(candidate)
  return chosen
}

function hides(
  { expectation: { variation: outer } }: Candidate,
  { expectation: { variation: inner } }: Candidate,
): boolean {
  return outer === undefined || inner === outer || inner?.startsWith(`${outer}, `) === true
}
