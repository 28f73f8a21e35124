import type { JudgeAgain } from '../../conformance/examination.js'
import type { ExpectationReached } from '../../conformance/harness/expectations.js'
import { isPost, type KeptAnswer } from '../../conformance/harness/replay.js'
import { byName, keyOf, nameFor } from './expectations.js'
import type { Try } from './known-expectations.js'
import { asOthersSay, inWords, madeWrong, unasked, type WrongAnswer, wrongAnswersTo } from './wrong-answers.js'
import { withOwnKeys } from './wrong-jwts.js'
import { type How, isNamed, type Path } from './wrong-values.js'

/** Wrong answers that are tried for one expectation at most: nearly all fail at one of the first. */
const mostTried = 120

/** One answer, wrong in one thing. */
interface Trial {
  answer: KeptAnswer
  wrong: WrongAnswer
}

/** Which wrong answers are tried. */
export interface Search {
  /** Known to make expectations fail: these come first. */
  tries: readonly Try[]
  /** How many are tried for each expectation that none of those made fail; all when left out. */
  first?: number
}

/** What came of wrong answers. */
export interface Found {
  failed: ExpectationReached[]
  /** The tries that made expectations fail, none more than it takes beside the `first` of a later search. */
  tries: Try[]
}

/** Wrong answers that are tried for each expectation where it is known which others are needed. */
export const firstTries = 3

/**
 * Has a rule judge what the bank answered once more, each time with one answer wrong in one thing, until each of its expectations failed or
 * nothing is left to try.
 */
export async function failedByWrongAnswers(rule: string, again: JudgeAgain, search: Search): Promise<Found> {
  const failed = new Map<string, ExpectationReached>()
  const tried = new Set<string>()
  const found: Try[] = []
  const reached = byName(await again.judge(right))
  const answers = await usedBy(again)
  const alone = reachedAlone(again)
  const kept = new Map<string, Promise<ReadonlyMap<string, Attempt>>>()
  const attemptsAt = (name: string, expectation: ExpectationReached) => {
    const attempts = kept.get(name) ?? attemptsOf(expectation, again, answers, alone)
    kept.set(name, attempts)
    return attempts
  }

  async function attempt([name, words]: Try, { trial, only, index }: Attempt): Promise<void> {
    const identity = `${only} ${trial.answer.response.evidence} ${JSON.stringify(trial.wrong)}`
    if (tried.has(identity)) return
    tried.add(identity)
    const own = keyOf(reached.get(name) as ExpectationReached)
    const before = [failed.size, failed.has(own)] as const
    for (const one of await judged(trial, rule, again, only)) {
      if (!one.held && !failed.has(keyOf(one))) failed.set(keyOf(one), one)
    }
    const more = failed.size - before[0]
    // A later search comes by this one itself.
    const amongFirst = index < firstTries && more === 1 && !before[1] && failed.has(own)
    if (more > 0 && !amongFirst) found.push([name, words])
  }

  for (const [name, words] of search.tries) {
    const expectation = reached.get(name)
    const known = expectation && (await attemptsAt(name, expectation)).get(words)
    if (known) await attempt([name, words], known)
  }
  for (const [name, expectation] of reached) {
    if (failed.has(keyOf(expectation))) continue
    const attempts = await attemptsAt(name, expectation)
    for (const [words, one] of [...attempts].slice(0, search.first)) {
      if (failed.has(keyOf(expectation))) break
      await attempt([name, words], one)
    }
  }
  return { failed: [...failed.values()], tries: found }
}

/** A trial, the only variation that judges it, and how many are tried before it. */
interface Attempt {
  trial: Trial
  only: string | undefined
  index: number
}

/** What is tried to make an expectation fail, what is most likely to first, by its words, and a number where several have the same. */
async function attemptsOf(
  expectation: ExpectationReached,
  again: JudgeAgain,
  answers: readonly KeptAnswer[],
  alone: (expectation: ExpectationReached) => Promise<boolean>,
): Promise<ReadonlyMap<string, Attempt>> {
  const trials = await trialsOf(expectation, again, answers)
  const variation = (await alone(expectation)) ? expectation.variation : undefined
  // What another answer said may count beside the other variations alone.
  const beside = variation === undefined ? [] : trials.filter(({ wrong }) => saysAsAnother(wrong))
  const attempts = [
    ...trials.map((trial) => ({ trial, only: variation })),
    ...beside.map((trial) => ({ trial, only: undefined })),
  ]
  const named = new Map<string, Attempt>()
  for (const [index, one] of attempts.entries()) {
    named.set(nameFor(inWords(one.trial.wrong), named), { ...one, index })
  }
  return named
}

/** The answers that a rule comes by, its own and those of what rules have in common. */
async function usedBy({ answers, judge }: JudgeAgain): Promise<KeptAnswer[]> {
  const used = new Set<string>()
  const listen = ({ response }: KeptAnswer) => {
    used.add(response.evidence)
    return response
  }
  await judge(listen, { anew: true })
  return [...new Set(answers.values())]
    .filter(({ response }) => used.has(response.evidence))
    .toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
}

/** The same in every run, whatever came first. */
function placeOf({ place: { conversation, before, index, variation = '' } }: KeptAnswer): string {
  return [conversation, variation, String(before).padStart(3, '0'), String(index).padStart(4, '0')].join(' ')
}

function saysAsAnother(wrong: WrongAnswer): boolean {
  return 'how' in wrong && typeof wrong.how === 'object'
}

const right = ({ response }: KeptAnswer) => response

/** Tells whether an expectation is reached where its variation alone is tried: the others need not be, each time. */
function reachedAlone({ judge }: JudgeAgain): (expectation: ExpectationReached) => Promise<boolean> {
  const reached = new Map<string, Promise<ExpectationReached[]>>()
  return async (expectation) => {
    const { variation } = expectation
    if (variation === undefined) return false
    const judged = reached.get(variation) ?? judge(right, { variation })
    reached.set(variation, judged)
    return (await judged).some((one) => one.held && keyOf(one) === keyOf(expectation))
  }
}

async function judged(
  { answer, wrong }: Trial,
  rule: string,
  again: JudgeAgain,
  variation: string | undefined,
): Promise<ExpectationReached[]> {
  const isJwt = wrong.what === 'JWT'
  const alter = async (kept: KeptAnswer) => {
    if (isSame(kept, answer)) return madeWrong(kept.response, wrong)
    return isJwt ? withOwnKeys(kept.response) : kept.response
  }
  return again.judge(alter, { anew: isJwt || !isOf(rule, answer), variation })
}

/** What might make an expectation fail: a wrong answer in place of that which it judges, or where that is not known of any that the rule used. */
async function trialsOf(
  expectation: ExpectationReached,
  { answers }: JudgeAgain,
  used: readonly KeptAnswer[],
): Promise<Trial[]> {
  const known = expectation.evidence === undefined ? undefined : answers.get(expectation.evidence)
  const inVariation = used.filter(({ place }) => [undefined, expectation.variation].includes(place.variation))
  const judgedAnswers = known ? [known] : inVariation.length > 0 ? inVariation : used
  const trials = await Promise.all(
    judgedAnswers.map(async (answer) => {
      const wrong = await wrongAnswersTo(answer.response, expectation.where)
      const alike = used.filter((other) => !isSame(other, answer) && isAlike(other, answer))
      const others = alike.map(({ response }) => response)
      return [...wrong, ...(await asOthersSay(answer.response, expectation.where, others))].map((one) => ({
        answer,
        wrong: one,
      }))
    }),
  )
  return trials
    .flat()
    .sort((a, b) => rank(a.wrong, expectation) - rank(b.wrong, expectation))
    .slice(0, mostTried)
}

/** Whether two are the same answer, or what the bank posted until it was taken. */
function isSame({ place, response: one }: KeptAnswer, { response: other }: KeptAnswer): boolean {
  return one.evidence === other.evidence || (isPost(place) && one.text === other.text)
}

/** Whether two answers came from the same address, or lead to the same. */
function isAlike({ place, response: one }: KeptAnswer, { place: otherPlace, response: other }: KeptAnswer): boolean {
  if (isPost(place) && isPost(otherPlace)) return true
  if (addressIn(one.request.url) === addressIn(other.request.url)) return true
  return one.location !== undefined && addressIn(one.location) === addressIn(other.location)
}

/** An address without what is asked for there. */
function addressIn(url = ''): string {
  return url.split(/[?#]/, 1)[0] ?? ''
}

/** Whether a rule asked for an answer itself. */
function isOf(rule: string, { place: { conversation } }: KeptAnswer): boolean {
  return conversation === rule
}

/** What is most likely to make an expectation fail comes first: what it is about by its matcher, or by its words. */
function rank(wrong: WrongAnswer, { matcher, where }: ExpectationReached): number {
  switch (wrong.what) {
    case 'status':
      return matcher === 'toHaveStatus' || where.includes('status') ? 0 : 2.5
    case 'address':
    case 'redirect':
      return leads.test(where) ? 0 : 2
    case 'body':
      return aboutWhole.includes(matcher) ? 0 : 4
    case 'header':
      if (matcher === 'toHaveMediaType') return wrong.name === 'content-type' ? 0 : 5
      if (wrong.name === 'location') return leads.test(where) ? 0.5 : 5
      return isNamed(wrong.name, where.toLowerCase()) ? likely(wrong.how) : 5
    case 'parameter':
      return isNamed(wrong.name, where) ? likely(wrong.how) : 3
    case 'member':
      if (aboutWhole.includes(matcher) && wrong.how === 'missing') return 0.6
      return named(where, wrong.path) + likely(wrong.how)
    case 'JWT':
      if (wrong.path.at(-1) === unasked) return 0
      if (wrong.path.length === 1) return aboutWhole.includes(matcher) ? 0 : 5
      return named(where, wrong.path) + likely(wrong.how)
  }
}

/** Words about an address that somebody is sent to. */
const leads = /lead|redirect|sent/

function likely(how: How): number {
  if (typeof how === 'object') return 0.4
  return how === 'other' || how.startsWith('a little') ? 0 : 0.5
}

/** What no words of an expectation name. */
const partsOfJwt: readonly (string | number)[] = ['header', 'claims', 'encryption']

/** 0 where the words name a place, more the less of it they name: of `keys[3]` another number is another place. */
function named(where: string, path: Path): number {
  if (path.some((index) => typeof index === 'number' && where.includes('[') && !where.includes(`[${index}]`))) return 3
  const names = path.filter((name) => typeof name === 'string' && !partsOfJwt.includes(name))
  const among = names.filter((name) => isNamed(String(name), where)).length
  return among === names.length ? 0 : 3 - among / names.length + names.length / 10
}

/** Matchers that judge a body as a whole. */
const aboutWhole = ['toBeObject', 'toBeFilledArray', 'toFitSchema', 'toHaveMembers']
