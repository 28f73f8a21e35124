import { setMaxListeners } from 'node:events'
import type { Edition, Level } from '../../schemas/editions/index.js'
import type { Bank } from '../bank/bank.js'
import type { Service } from '../bank/conversation.js'
import type { Recorder } from '../evidence/evidence.js'
import { BankFailure, doubtOf, type Finding, inVariation, Skip, StepFailure, Unreachable } from '../evidence/failure.js'
import type { Masking } from '../evidence/masking.js'
import { type SuspendDetector, wasSuspended } from '../evidence/suspend-detector.js'
import { TargetError } from '../target/target-error.js'
import { expect } from './expect.js'
import type { PlannedRule } from './planned-rule.js'
import { type ReadingTaken, type RuleResult, readingInWords, type Status } from './result.js'
import type { Lock } from './rule.js'

export interface RunnerOptions {
  edition: Edition
  rules: readonly PlannedRule[]
  /** Why rules are not run, by rule. */
  skips: ReadonlyMap<string, string>
  /** Rules that run side by side, beside those that wait for time to pass. */
  concurrency: number
  /** For one rule, shared steps included that it waits for. */
  boundSeconds: number
  /** Milliseconds that do not count so far, as nobody's fault. */
  heldBack(): number
  suspendDetector: SuspendDetector
  masking: Masking
  /** Ends the run: what runs is given up, what waits is not begun. */
  signal: AbortSignal
  /** Begins a rule's conversation with the bank, which the signal ends. */
  open(rule: PlannedRule, signal: AbortSignal): { bank: Bank; service: Service; evidence: Recorder }
  onBegin(rule: PlannedRule): void
  onResult(result: RuleResult): void
}

/** Runs rules side by side, those that ask for the same lock one after the other. Results are ordered by rule id. */
export async function runRules(options: RunnerOptions): Promise<{ results: RuleResult[]; notRun: string[] }> {
  const waiting = options.rules.toSorted((a, b) => Number(b.waits) - Number(a.waits))
  const held = new Set<Lock>()
  const results: RuleResult[] = []
  const notRun: string[] = []

  async function work(rule: PlannedRule): Promise<void> {
    const result = await runUndisturbed(rule, options)
    if (!result) {
      notRun.push(rule.id)
      return
    }
    results.push(result)
    options.onResult(result)
  }

  await new Promise<void>((resolve, reject) => {
    let running = 0
    let working = 0
    // When time passes at the bank nothing else is under way.
    const early = new Set(waiting.filter(({ needs }) => !needs.includes('clock')))
    const fill = () => {
      while (!options.signal.aborted) {
        const next = waiting.findIndex(
          (rule) =>
            (early.size === 0 || early.has(rule)) &&
            (rule.waits || working < options.concurrency) &&
            !rule.alone.some((lock) => held.has(lock)),
        )
        const [rule] = next < 0 ? [] : waiting.splice(next, 1)
        if (!rule) break
        const share = rule.waits ? 0 : 1
        running += 1
        working += share
        for (const lock of rule.alone) held.add(lock)
        work(rule)
          .finally(() => {
            running -= 1
            working -= share
            early.delete(rule)
            for (const lock of rule.alone) held.delete(lock)
          })
          .then(fill, reject)
      }
      if (running === 0) resolve()
    }
    fill()
  })
  notRun.push(...waiting.map(({ id }) => id))
  return { results: results.sort((a, b) => (a.rule < b.rule ? -1 : 1)), notRun: notRun.sort() }
}

/** How a check ended. */
type Outcome = { passed: true } | { error: unknown } | { ended: 'time up' | 'given up' }

/** How often a rule is begun again that was disturbed. */
const repeatsAtMost = 2

/** Runs a rule, again where something came in between; what cannot be told in the end is no verdict on the bank. */
async function runUndisturbed(rule: PlannedRule, options: RunnerOptions): Promise<RuleResult | undefined> {
  const notes: string[] = []
  for (;;) {
    const began = options.suspendDetector.moment()
    const { result, doubt = options.suspendDetector.since(began) ? wasSuspended : undefined } = await runRule(
      rule,
      options,
    )
    if (!result) return undefined
    if (result.status === 'skip' || doubt === undefined) return { ...result, notes: [...notes, ...result.notes] }
    if (notes.length === repeatsAtMost) {
      const { finding: _, blockedBy: __, timedOut: ___, ...rest } = result
      return { ...rest, status: 'error', reason: `it could not be examined: ${doubt}`, notes }
    }
    notes.push(`begun again: ${doubt}`)
  }
}

/** What one attempt at a rule came to. */
interface Attempt {
  /** Absent when the run was ended before the rule came to a result. */
  result?: RuleResult
  /** Why the result may say nothing about the bank. */
  doubt?: string | undefined
}

async function runRule(rule: PlannedRule, options: RunnerOptions): Promise<Attempt> {
  const began = performance.now()
  const { edition, masking, signal } = options
  const base = { rule: rule.id, requirement: rule.requirement.id, level: rule.requirement.level, title: rule.title }
  const lacking = options.skips.get(rule.id)
  if (lacking !== undefined) {
    const nothing = { readings: [], notes: [], milliseconds: 0, evidence: [] }
    return { result: { ...base, ...nothing, status: 'skip', reason: lacking } }
  }

  options.onBegin(rule)
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  const { bank, service, evidence } = options.open(rule, ending.signal)
  const readings = new Map<string, ReadingTaken>()
  const notes: string[] = []
  const warnings: string[] = []
  const checking = rule.check({
    bank,
    service,
    expect,
    inVariation: (name, work) => inVariation({ name, since: evidence.next() }, work),
    reading(...[ambiguity, reading]) {
      const { text, level } = edition.readingOf(ambiguity, reading)
      if (!edition.bearsOn(ambiguity, rule.requirement))
        throw new Error(`${ambiguity} does not bear on ${rule.requirement.id}`)
      readings.set(`${ambiguity} ${reading}`, { ambiguity, reading, text, level })
    },
    warn: (text) => warnings.push(text),
    note: (text) => notes.push(masking.text(text)),
    skip(reason) {
      throw new Skip(reason)
    },
  })
  const outcome = await endOf(checking, options)
  const pending = evidence.pending()
  ending.abort()
  if (signal.aborted && !('passed' in outcome) && !isVerdict(outcome)) return {}
  const readingsTaken = [...readings.values()]
  const warned = [...readingsTaken.filter(({ level }) => level === 'warn').map(readingInWords), ...warnings]
  const result = {
    ...base,
    ...masked(conclude(rule, outcome, warned, pending, options.boundSeconds), masking),
    readings: readingsTaken,
    notes,
    milliseconds: Math.round(performance.now() - began),
    evidence: evidence.all().map(({ id }) => id),
  }
  return { result, doubt: 'error' in outcome ? doubtOf(outcome.error) : undefined }
}

async function endOf(checking: Promise<void>, { boundSeconds, heldBack, signal }: RunnerOptions): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined
  let giveUp = () => {}
  try {
    return await Promise.race([
      checking.then(
        (): Outcome => ({ passed: true }),
        (error: unknown): Outcome => ({ error }),
      ),
      new Promise<Outcome>((resolve) => {
        const wait = (milliseconds: number) => {
          const before = heldBack()
          timer = setTimeout(() => {
            const longer = heldBack() - before
            if (longer > 0) wait(longer)
            else resolve({ ended: 'time up' })
          }, milliseconds)
        }
        wait(boundSeconds * 1000)
      }),
      new Promise<Outcome>((resolve) => {
        giveUp = () => resolve({ ended: 'given up' })
        signal.addEventListener('abort', giveUp, { once: true })
      }),
    ])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', giveUp)
  }
}

/** Whether the check had come to an end of its own before the run was ended. */
function isVerdict(outcome: Outcome): boolean {
  if (!('error' in outcome)) return false
  const { error } = outcome
  return (
    error instanceof Unreachable ||
    error instanceof BankFailure ||
    error instanceof StepFailure ||
    error instanceof Skip
  )
}

type Conclusion = Pick<RuleResult, 'status' | 'reason' | 'finding' | 'blockedBy' | 'timedOut' | 'targetAtFault'>

/** What a broken requirement of each level comes to. */
const broken: Record<Level, Status> = { MUST: 'fail', SHOULD: 'warn', MAY: 'observed' }

function conclude(
  rule: PlannedRule,
  outcome: Outcome,
  warnings: readonly string[],
  pending: ReturnType<Recorder['pending']>,
  boundSeconds: number,
): Conclusion {
  const { level, by } = rule.requirement
  if ('passed' in outcome) {
    if (level !== 'MAY' && warnings.length > 0) return { status: 'warn', reason: warnings.join('; ') }
    if (by === 'manual') return { status: 'attested' }
    return { status: level === 'MAY' ? 'observed' : 'pass' }
  }
  if ('ended' in outcome) return timeUp(rule, pending, boundSeconds)
  const { error } = outcome
  if (error instanceof BankFailure) return wrong(rule, error.finding)
  if (error instanceof StepFailure) {
    const { finding } = error.failure
    if (error.about === rule.id) return wrong(rule, finding)
    return { status: 'blocked', reason: finding.sentence, finding, blockedBy: error.about }
  }
  if (error instanceof Unreachable) return { status: 'blocked', reason: error.finding.sentence, finding: error.finding }
  if (error instanceof Skip) return { status: 'skip', reason: error.message }
  if (error instanceof TargetError)
    return { status: 'error', reason: `the target file: ${error.mistakes.join('; ')}`, targetAtFault: true }
  return { status: 'error', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}

function wrong(rule: PlannedRule, finding: Finding): Conclusion {
  return { status: broken[rule.requirement.level], reason: inWords(finding), finding }
}

function inWords({ sentence, variation }: Finding): string {
  return variation ? `${variation.name}: ${sentence}` : sentence
}

/** A rule whose time is up: the bank's failure when the bank owes an answer, else the harness's. */
function timeUp(rule: PlannedRule, pending: ReturnType<Recorder['pending']>, boundSeconds: number): Conclusion {
  if (!pending) return { status: 'error', reason: `the rule did not end within ${boundSeconds} s`, timedOut: true }
  const { exchange, shared } = pending
  const finding = {
    sentence: `the bank did not answer ${exchange.request.method} ${exchange.request.url} in the rule's ${boundSeconds} s`,
    evidence: exchange.id,
  }
  if (shared) return { status: 'blocked', reason: finding.sentence, finding, timedOut: true }
  return { ...wrong(rule, finding), timedOut: true }
}

function masked(conclusion: Conclusion, masking: Masking): Conclusion {
  const { reason, finding } = conclusion
  return {
    ...conclusion,
    ...(reason !== undefined && { reason: masking.text(reason) }),
    ...(finding && { finding: maskedFinding(finding, masking) }),
  }
}

function maskedFinding(finding: Finding, masking: Masking): Finding {
  const { sentence, expected, actual, variation } = finding
  return {
    ...finding,
    sentence: masking.text(sentence),
    ...(variation && { variation: { ...variation, name: masking.text(variation.name) } }),
    ...(expected !== undefined && { expected: masking.text(expected) }),
    ...(actual !== undefined && { actual: masking.text(actual) }),
  }
}
