import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Edition, openEdition } from '../schemas/editions/index.js'
import { packageFile } from '../schemas/package-file.js'
import { bankIn } from './bank/bank.js'
import { Conversation, type Run } from './bank/conversation.js'
import { fetchDiscovery } from './bank/discovery.js'
import { keysSeen } from './bank/key-set.js'
import type { KeysAt } from './bank/keys-seen.js'
import type { Leftover } from './bank/registration-ledger.js'
import type { Evidence } from './evidence/evidence.js'
import { NoAnswer, Unreachable } from './evidence/failure.js'
import { type Plan, planOf } from './harness/plan.js'
import type { PlannedRule } from './harness/planned-rule.js'
import type { Waiver } from './harness/result.js'
import { type ReadingTaken, type RuleResult, type Status, statuses } from './harness/result.js'
import type { Rule } from './harness/rule.js'
import { runRules } from './harness/runner.js'
import { matches, select } from './harness/selection.js'
import { withWaivers } from './harness/waiver.js'
import { openRun } from './open-run.js'
import { rules } from './rules/index.js'
import { loadTarget } from './target/load-target.js'
import { needsPerson } from './target/needs.js'
import type { Target } from './target/target.js'
import { TargetError } from './target/target-error.js'

/** The harness itself: what stands in reports, and what --version tells. */
export const harness: { name: string; version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))

export interface ExamineOptions {
  /** The bank, or the path of a target file. */
  target: Target | string
  /** The rules to choose from. Default: all. */
  rules?: readonly Rule[]
  /** Patterns of rules to run, by rule id or requirement id; all when left out. */
  only?: readonly string[]
  /** Patterns of rules to leave out. */
  skip?: readonly string[]
  /** What an earlier run saw of the bank's keys, such as keySet of its Results. */
  earlier?: KeysAt
  /** Failures that somebody answers for. */
  waivers?: readonly Waiver[]
  /** Fixes every name that the run chooses. Default: random. */
  seed?: string
  /** Ends the run: results are what is there by then, and registrations are taken away all the same. */
  signal?: AbortSignal
  /** Seconds of a clock that goes on while the machine sleeps. Default: the system's. */
  uptime?(): number
  /** For one rule. Default: 30. */
  boundSeconds?: number
  /** Called when a rule begins. */
  onBegin?(rule: string, total: number): void
  /** Called when a person is needed who logs in by hand, with the address that they have to open. */
  onInvitation?(url: string): void
  /** Called with each request that is sent, as METHOD /path. */
  onRequest?(request: string): void
  /** Called with each result as it comes, in no fixed order. */
  onProgress?(result: RuleResult, done: number, total: number): void
}

/** What a run found. Everything in it is masked. */
export interface Results {
  harness: { name: string; version: string }
  issuer: string
  /** Id of the edition of the specification by which the bank was examined. */
  edition: string
  /** The target file, and the file of the authorities that its `ca` names. */
  files?: { target: string; ca?: string }
  seed: string
  /** ISO 8601. */
  started: string
  milliseconds: number
  selection: { only: readonly string[]; skip: readonly string[]; leftOut: string[] }
  /** Whether the run was ended before every selected rule had a result. */
  partial: boolean
  /** Ids of selected rules without a result. */
  notRun: string[]
  counts: Record<Status, number>
  /** Waivers of rules that were run and did not fail: nothing is left to waive. */
  waiversUnused: Waiver[]
  /** In the order of the edition's ambiguities and their readings. */
  readings: (ReadingTaken & { rules: string[] })[]
  /** The keys that the bank published. */
  keySet: KeysAt
  /** Registrations that the bank did not take away again. */
  registrationsLeft: Leftover[]
  /** By rule id. */
  results: RuleResult[]
  /** In the order it came. */
  evidence: Evidence[]
}

/**
 * Examines a bank. Nothing of a run outlives it but the keys of clients, which are made once in a process.
 * @throws TargetError when the target file is wrong, or there is no bank at its address
 * @throws SelectionError when a pattern matches nothing
 * @throws Error when there is no such edition, or it does not have the requirement of a rule
 */
export async function examine(options: ExamineOptions): Promise<Results> {
  const target = typeof options.target === 'string' ? loadTarget(options.target) : options.target
  const candidates = options.rules ?? rules
  const { only = [], skip = [], seed = randomBytes(6).toString('hex') } = options
  const selected = select(candidates, { only, skip })
  const plan = planOf(openEdition(target.edition), selected, target)
  const started = new Date().toISOString()
  const began = performance.now()
  const { run, heldBack, close } = await openRun(target, { ...options, seed })
  const { results, notRun } = await examineWith(run, heldBack, plan, options).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const keySet = await keysSeen(run)
  const registrationsLeft = await close()
  return run.evidence.masking.late({
    harness: { name: harness.name, version: harness.version },
    issuer: target.issuer,
    edition: plan.edition.id,
    ...(target.files && { files: target.files }),
    seed,
    started,
    milliseconds: Math.round(performance.now() - began),
    selection: { only, skip, leftOut: candidates.filter((rule) => !selected.includes(rule)).map(({ id }) => id) },
    partial: notRun.length > 0,
    notRun,
    counts: countsOf(results),
    waiversUnused: unused(options.waivers ?? [], results),
    readings: readingsOf(results, plan.edition),
    keySet,
    registrationsLeft,
    results,
    evidence: run.evidence.items,
  })
}

async function examineWith(
  run: Run,
  heldBack: () => number,
  { edition, rules: planned, skips }: Plan,
  { boundSeconds = 30, waivers = [], onBegin, onProgress }: ExamineOptions,
) {
  await findBank(run)
  let done = 0
  const { results, notRun } = await runRules({
    edition,
    rules: inTurn(planned, run.target),
    skips,
    concurrency: run.target.concurrency,
    boundSeconds,
    heldBack,
    suspendDetector: run.suspendDetector,
    masking: run.evidence.masking,
    signal: run.signal,
    open(rule, signal) {
      const conversation = new Conversation(run, rule.id, signal)
      return { bank: bankIn(conversation), service: run.service, evidence: conversation.evidence }
    },
    onBegin: (rule) => onBegin?.(rule.id, planned.length),
    onResult(result) {
      done += 1
      onProgress?.(withWaivers(result, waivers), done, planned.length)
    },
  })
  const { notExamined = [] } = run.target
  return {
    results: results.map((result) => withDeclared(withWaivers(result, waivers), notExamined)),
    notRun,
  }
}

/** A skipped rule tells why the target file says that it cannot be examined. */
function withDeclared(result: RuleResult, notExamined: NonNullable<Target['notExamined']>): RuleResult {
  const { rule: id, requirement, status, notes } = result
  const declared = notExamined.filter(({ rules: own }) => own.some((pattern) => matches(pattern, { id, requirement })))
  if (status !== 'skip' || declared.length === 0) return result
  return { ...result, notes: [...notes, ...declared.map(({ reason }) => `declared in the target file: ${reason}`)] }
}

function unused(waivers: readonly Waiver[], results: readonly RuleResult[]): Waiver[] {
  return waivers.filter(({ rule }) => results.some((result) => result.rule === rule && result.status !== 'waived'))
}

/** By hand there is one person with one browser: what one rule does in it must not be another's surprise. */
function inTurn(planned: readonly PlannedRule[], { login }: Target): readonly PlannedRule[] {
  if (login?.by !== 'person') return planned
  return planned.map((rule) => (needsPerson(rule.needs) ? { ...rule, alone: [...rule.alone, 'session'] } : rule))
}

/** @throws TargetError when nobody answers at the issuer's address */
async function findBank(run: Run): Promise<void> {
  try {
    await fetchDiscovery(new Conversation(run, 'first contact', run.signal))
  } catch (error) {
    if (run.signal.aborted) return
    if (error instanceof Unreachable) throw new TargetError([`issuer: ${error.finding.sentence}`])
    if (!(error instanceof NoAnswer)) throw error
    throw new TargetError([`issuer: no bank answers at ${run.target.issuer}: it ${error.finding.actual}`])
  }
}

function countsOf(results: readonly RuleResult[]): Record<Status, number> {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>
  for (const { status } of results) counts[status] += 1
  return counts
}

function readingsOf(results: readonly RuleResult[], edition: Edition): Results['readings'] {
  const readings = new Map<string, Results['readings'][number]>()
  for (const { rule, readings: taken } of results) {
    for (const reading of taken) {
      const key = `${reading.ambiguity} ${reading.reading}`
      const known = readings.get(key) ?? { ...reading, rules: [] }
      readings.set(key, { ...known, rules: [...known.rules, rule] })
    }
  }
  return edition.ambiguities.flatMap((ambiguity) =>
    ambiguity.readings.flatMap(({ id }) => readings.get(`${ambiguity.id} ${id}`) ?? []),
  )
}
