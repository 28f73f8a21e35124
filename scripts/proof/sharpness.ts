import type { JudgeAgain } from '../../conformance/examination.js'
import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import type { KeptAnswer } from '../../conformance/harness/replay.js'
import { keyOf } from './expectations.js'
import { madeWrong, type WrongAnswer, wrongAnswersTo } from './wrong-answers.js'
import { withOwnKeys } from './wrong-jwts.js'

/** Wrong answers that are tried for one expectation at most. */
const mostTried = 40

/** One answer, wrong in one thing. */
interface Trial {
  answer: KeptAnswer
  wrong: WrongAnswer
}

/**
 * Has a rule judge what the bank answered once more, each time with one answer wrong in one thing, until each of these expectations failed
 * or nothing is left to try.
 *
 * @param open keys of the expectations that nothing made fail so far
 * @returns the expectations that failed
 */
export async function failedByWrongAnswers(
  rule: string,
  again: JudgeAgain,
  open: ReadonlySet<string>,
): Promise<ExpectationReached[]> {
  const failed = new Map<string, ExpectationReached>()
  const tried = new Set<string>()
  const reached = await again.judge(({ response }) => response)
  for (const expectation of reached.filter((one) => open.has(keyOf(one)))) {
    for (const trial of await trialsOf(expectation, rule, again)) {
      if (failed.has(keyOf(expectation))) break
      const name = nameOf(trial)
      if (tried.has(name)) continue
      tried.add(name)
      for (const one of await judged(trial, rule, again)) if (!one.held) failed.set(keyOf(one), one)
    }
  }
  return [...failed.values()]
}

async function judged({ answer, wrong }: Trial, rule: string, again: JudgeAgain): Promise<ExpectationReached[]> {
  const { evidence } = answer.response
  const isClaim = wrong.what === 'claim'
  const alter = async ({ response }: KeptAnswer) => {
    if (response.evidence === evidence) return madeWrong(response, wrong)
    return isClaim ? withOwnKeys(response) : response
  }
  return again.judge(alter, isClaim || !isOf(rule, answer))
}

function nameOf({ answer, wrong }: Trial): string {
  return `${answer.response.evidence} ${JSON.stringify(wrong)}`
}

/** What might make an expectation fail: a wrong answer in place of that which it judges, or where that is not known of any in its variation. */
async function trialsOf(expectation: ExpectationReached, rule: string, { answers }: JudgeAgain): Promise<Trial[]> {
  const known = expectation.evidence === undefined ? undefined : answers.get(expectation.evidence)
  const judgedAnswers = known
    ? [known]
    : [...answers.values()].filter((answer) => isOf(rule, answer) && answer.place.variation === expectation.variation)
  const trials = await Promise.all(
    judgedAnswers.map(async (answer) => (await wrongAnswersTo(answer.response)).map((wrong) => ({ answer, wrong }))),
  )
  return trials
    .flat()
    .sort((a, b) => rank(a.wrong, expectation) - rank(b.wrong, expectation))
    .slice(0, mostTried)
}

/** Whether a rule asked for an answer itself. */
function isOf(rule: string, { place: { conversation } }: KeptAnswer): boolean {
  return conversation === rule || conversation.startsWith(`${rule}, again `)
}

/** What is most likely to make an expectation fail comes first: what it is about by its matcher, or by its words. */
function rank(wrong: WrongAnswer, { matcher, where }: ExpectationReached): number {
  if (wrong.what === 'status') return matcher === 'toHaveStatus' ? 0 : 4
  if (wrong.what === 'failure') return matcher === 'toHaveStatus' ? 1 : 5
  if (wrong.what === 'address') return 1
  if (wrong.what === 'body') return aboutWhole.includes(matcher) ? 0 : 3
  if (matcher === 'toHaveMediaType') return wrong.name === 'content-type' ? 0 : 4
  if (where.includes(wrong.name)) return wrong.how === 'other' || wrong.how.startsWith('a little') ? 0 : 1
  return wrong.what === 'header' ? 3 : 2
}

/** Matchers that judge a body as a whole. */
const aboutWhole = ['toBeObject', 'toBeFilledArray', 'toFitSchema', 'toHaveMembers']
