import type { Level } from '../../schemas/editions/index.js'
import type { Recorder } from '../evidence/evidence.js'
import { BankFailure, type Finding, Skip, StepFailure, Unreachable } from '../evidence/failure.js'
import type { Masking } from '../evidence/masking.js'
import { TargetError } from '../target/target-error.js'
import type { PlannedRule } from './planned-rule.js'
import type { RuleResult, Status } from './result.js'

/** How a check ended. */
export type Outcome =
  | { passed: true }
  | { error: unknown }
  | { ended: 'time up'; seconds: number }
  | { ended: 'given up' }

/** Whether the check had come to an end of its own before the run was ended. */
export function isVerdict(outcome: Outcome): boolean {
  if (!('error' in outcome)) return false
  const { error } = outcome
  return (
    error instanceof Unreachable ||
    error instanceof BankFailure ||
    error instanceof StepFailure ||
    error instanceof Skip
  )
}

/** What the end of a check says about the bank. */
type Conclusion = Pick<RuleResult, 'status' | 'reason' | 'finding' | 'blockedBy' | 'timedOut' | 'targetAtFault'>

/** What a broken requirement of each level comes to. */
const broken: Record<Level, Status> = { MUST: 'fail', SHOULD: 'warn', MAY: 'observed' }

/** Where the bank served nobody who asked as the exchange of a finding did: what came there. */
export type Unserved = (finding: Finding) => string | undefined

/** What a conclusion goes by, beside how the check ended. */
interface Circumstances {
  /** What makes a passing rule warn. */
  warnings: readonly string[]
  /** The request whose answer the rule waited for at its end. */
  pending: ReturnType<Recorder['pending']>
  boundSeconds: number
  unserved: Unserved
}

/** What comes of a rule whose check ended like this. */
export function conclude(
  rule: PlannedRule,
  outcome: Outcome,
  { warnings, pending, boundSeconds, unserved }: Circumstances,
): Conclusion {
  const { level, by } = rule.requirement
  if ('passed' in outcome) {
    if (level !== 'MAY' && warnings.length > 0) return { status: 'warn', reason: warnings.join('; ') }
    if (by === 'manual') return { status: 'attested' }
    return { status: level === 'MAY' ? 'observed' : 'pass' }
  }
  if ('ended' in outcome) {
    const seconds = outcome.ended === 'time up' ? outcome.seconds : boundSeconds
    return timeUp(rule, pending, { seconds, boundSeconds })
  }
  const { error } = outcome
  if (error instanceof BankFailure) {
    const came = unserved(error.finding)
    if (came === undefined) return wrong(rule, error.finding)
    return { status: 'blocked', reason: came, finding: { ...error.finding, sentence: came } }
  }
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

/** What was found, after the name of the variation in which it was. */
export function inWords({ sentence, variation }: Finding): string {
  return variation ? `${variation.name}: ${sentence}` : sentence
}

/** Whether something was begun less than half a rule's bound ago. @param at ISO 8601 */
export function isRecent(at: string, boundSeconds: number): boolean {
  return Date.now() - Date.parse(at) < (boundSeconds / 2) * 1000
}

/** A rule whose time is up: the bank's failure when the bank owes an answer, else the harness's. */
function timeUp(
  rule: PlannedRule,
  pending: ReturnType<Recorder['pending']>,
  { seconds, boundSeconds }: { seconds: number; boundSeconds: number },
): Conclusion {
  const late = `the rule did not end within ${seconds} s`
  if (!pending) return { status: 'error', reason: late, timedOut: true }
  const { exchange, shared } = pending
  // One of many requests, all of which are answered: the rule has more to ask than this bank answers in its time.
  if (isRecent(exchange.at, boundSeconds))
    return { status: 'error', reason: `${late}: it has more to ask than that`, timedOut: true }
  const finding = {
    sentence: `the bank did not answer ${exchange.request.method} ${exchange.request.url} in the rule's ${boundSeconds} s`,
    evidence: exchange.id,
  }
  if (shared) return { status: 'blocked', reason: finding.sentence, finding, timedOut: true }
  return { ...wrong(rule, finding), timedOut: true }
}

/** The conclusion as it may be shown. */
export function masked(conclusion: Conclusion, masking: Masking): Conclusion {
  const { reason, finding } = conclusion
  return {
    ...conclusion,
    ...(reason !== undefined && { reason: masking.prose(reason) }),
    ...(finding && { finding: maskedFinding(finding, masking) }),
  }
}

function maskedFinding(finding: Finding, masking: Masking): Finding {
  const { sentence, expected, actual, variation, further } = finding
  return {
    ...finding,
    sentence: masking.prose(sentence),
    ...(variation && { variation: { ...variation, name: masking.prose(variation.name) } }),
    ...(further && { further: further.map((one) => masking.prose(one)) }),
    ...(expected !== undefined && { expected: masking.prose(expected) }),
    ...(actual !== undefined && { actual: masking.prose(actual) }),
  }
}
