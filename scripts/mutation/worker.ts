import type { RuleResult } from '../../conformance/harness/result.js'
import type { ChosenReadings } from '../../schemas/editions/index.js'
import { activate, takeHits } from './switchboard.js'

/** What came of one rule. */
export type RuleOutcome = Pick<RuleResult, 'rule' | 'requirement' | 'status' | 'reason' | 'timedOut'>

/** One rule at the right bank, by itself: what came of it, what it cost, and the mutants that make a difference where it led. */
export interface Reached extends RuleOutcome {
  milliseconds: number
  hits: number[]
}

/** What a rule came to at the right bank, by its id. */
export type RightBank = Readonly<Record<string, Pick<RuleOutcome, 'status' | 'reason'>>>

export type Job =
  | { kind: 'start' }
  | { kind: 'reach'; rules: readonly string[] }
  | { kind: 'judge'; mutant: number; rules: readonly string[]; rightBank: RightBank; all: boolean }

/** What a mutant did to the rules that were run; what ended the run, where something else did. */
export interface Judged {
  outcomes: RuleOutcome[]
  /** Of a bank that does not start: why. */
  crashed?: string
  /** Of a bank that the harness cannot begin to examine: why. */
  blocked?: string
}

export interface Answers {
  start: number[]
  reach: Reached[]
  judge: Judged
}

/** Seconds for an answer: a bank that never gives one deviates, and a rule has to live to say so. */
const timeoutSeconds = 15

/** Seconds for a rule, on a machine that has other things to do. */
const boundSeconds = 45

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The programs are loaded once a mutant is on, for some change what happens as they are. */
async function load() {
  const { withBank } = await import('../bundled-bank.js')
  const { examine } = await import('../../conformance/examine.js')
  const { rules } = await import('../../conformance/rules/index.js')
  const { turnedRed } = await import('../proof/outcome.js')
  return { withBank, examine, rules, turnedRed }
}

/** The mutants that make a difference before any rule: as the programs are loaded, and as the first bank starts and ends. */
async function start(readings: ChosenReadings): Promise<number[]> {
  takeHits()
  const { withBank } = await load()
  await withBank({ readings }, async () => {})
  return [...takeHits()]
}

async function reach(ids: readonly string[], readings: ChosenReadings): Promise<Reached[]> {
  const { withBank, examine, rules } = await load()
  await withBank({ readings }, async () => {})
  const reached: Reached[] = []
  for (const rule of rules.filter(({ id }) => ids.includes(id))) {
    takeHits()
    const began = performance.now()
    const { results } = await withBank({ readings }, (target) =>
      examine({ target: { ...target, timeoutSeconds }, boundSeconds, rules: [rule], seed: 'mutation' }),
    )
    const milliseconds = Math.round(performance.now() - began)
    for (const result of results) reached.push({ ...told(result), milliseconds, hits: [...takeHits()] })
  }
  return reached
}

function told({ rule, requirement, status, reason, timedOut }: RuleResult): RuleOutcome {
  return { rule, requirement, status, ...(reason !== undefined && { reason }), ...(timedOut && { timedOut }) }
}

/** Runs the rules in the order given, up to the first that is red; all of them when `all` is asked for. */
async function judge(
  { mutant, rules: ids, rightBank, all }: Extract<Job, { kind: 'judge' }>,
  readings: ChosenReadings,
): Promise<Judged> {
  activate(mutant)
  const outcomes: RuleOutcome[] = []
  const before = Object.entries(rightBank).map(([rule, outcome]) => ({ rule, ...outcome }))
  const { withBank, examine, rules, turnedRed } = await load()
  const definitions = new Map(rules.map((rule) => [rule.id, rule]))
  let started = false
  try {
    await withBank({ readings }, async (target) => {
      started = true
      process.send?.('started')
      const ending = new AbortController()
      await examine({
        target: { ...target, timeoutSeconds },
        boundSeconds,
        rules: ids.flatMap((id) => definitions.get(id) ?? []),
        seed: 'mutation',
        signal: ending.signal,
        onProgress(result) {
          outcomes.push(told(result))
          if (!all && !result.timedOut && turnedRed([told(result)], before).length > 0) ending.abort()
        },
      })
    })
    return { outcomes }
  } catch (error) {
    return { outcomes, [started ? 'blocked' : 'crashed']: messageOf(error) }
  }
}

// What the bank's library says on the console of an error that a mutant causes is no news.
console.error = () => {}

// Nobody waits for the answer any more once the pool has ended.
process.on('disconnect', () => process.exit())

/** Does one job at a bank that takes these readings; the pool calls it in a process, where it has the instrumented bank to itself. */
export default function work({ readings, ...job }: Job & { readings: ChosenReadings }): Promise<Answers[Job['kind']]> {
  if (job.kind === 'start') return start(readings)
  return job.kind === 'reach' ? reach(job.rules, readings) : judge(job, readings)
}
