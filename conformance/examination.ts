import { randomBytes } from 'node:crypto'
import { openEdition } from '../schemas/editions/index.js'
import { harness } from './about.js'
import { agreedIn } from './bank/agreed.js'
import { bankIn } from './bank/bank.js'
import { Conversation, type Run, renewShared } from './bank/conversation.js'
import { fetchDiscovery } from './bank/discovery.js'
import { keysSeen } from './bank/key-set.js'
import type { KeysAt } from './bank/keys-seen.js'
import { NoAnswer, Unreachable } from './evidence/failure.js'
import { dressesOf } from './harness/dressed-rules.js'
import type { ExpectationReached } from './harness/expectations.js'
import { type Plan, planOf } from './harness/plan.js'
import type { PlannedRule } from './harness/planned-rule.js'
import { type Alteration, type KeptAnswer, Replay } from './harness/replay.js'
import type { RuleResult, Status, Waiver } from './harness/result.js'
import { type Results, summaryOf } from './harness/results.js'
import type { Rule } from './harness/rule.js'
import { checkRule, runRule } from './harness/runner.js'
import { matches, select } from './harness/selection.js'
import { rulesOfShard, type Shard, shardInWords } from './harness/shard.js'
import { hasTimePass, Turns } from './harness/turns.js'
import { withWaivers } from './harness/waiver.js'
import { type OpenRun, openRun } from './open-run.js'
import { explanationOf } from './reports/explanation.js'
import { RuleFailure, RunEnded } from './rule-failure.js'
import { rules } from './rules/index.js'
import { loadTarget } from './target/load-target.js'
import { missing, needsPerson, toRegister } from './target/needs.js'
import type { Target } from './target/target.js'
import { TargetError } from './target/target-error.js'

export interface ExaminationOptions {
  /** The rules to choose from. Default: all. */
  rules?: readonly Rule[]
  /** Patterns of rules to check, by rule id or requirement id, where * stands for any characters and ! leaves out; all when left out. */
  only?: readonly string[]
  /** Patterns of rules to leave out. */
  skip?: readonly string[]
  /** Only this part of them, where several machines examine the bank side by side. */
  shard?: Shard
  /** What an earlier run saw of the bank's keys, such as keySet of its Results. */
  earlier?: KeysAt
  /** Failures that somebody answers for. */
  waivers?: readonly Waiver[]
  /** Fixes every name that the run chooses. Default: random. */
  seed?: string
  /** Ends the run: results are what is there by then, and registrations are taken away all the same. */
  signal?: AbortSignal
  /** Ends the taking away, too: what is still registered then is listed. */
  hurry?: AbortSignal
  /** Seconds of a clock that goes on while the machine sleeps. Default: the system's. */
  uptime?(): number
  /** For one rule; up to ten times as much while the bank answers what it asks. Default: 30. */
  boundSeconds?: number
  /** Ends each rule at its first variation that fails, in place of trying the others too. */
  untilFailure?: boolean
  /** The only variation to try of a rule, by the id of the rule: {@link Finding.variation} of a failure has its name. */
  variations?: Readonly<Record<string, string>>
  /** Called when a rule begins. */
  onBegin?(rule: string, total: number): void
  /** Called when a person is needed who logs in by hand, with the address that they have to open. */
  onInvitation?(url: string): void
  /** Called with what whoever started the run has to know of it, such as that the browser has no sandbox. */
  onNotice?(text: string): void
  /** Called with each request that is sent, as METHOD /path. */
  onRequest?(request: string): void
  /** Called with each expectation that a rule reaches, whether it holds or not. */
  onExpectation?(rule: string, reached: ExpectationReached): void
  /** Called when a rule was checked, to have it judge once more what the bank answered: what comes of that is about the rule. */
  onChecked?(rule: string, again: JudgeAgain): Promise<void>
  /** Called with each result as it comes, in no fixed order. */
  onProgress?(result: RuleResult, done: number, total: number): void
}

/** Has a rule judge the answers that the bank gave in the run, without asking the bank. */
export interface JudgeAgain {
  /** What the bank answered in the run so far, by the id of the exchange. */
  answers: ReadonlyMap<string, KeptAnswer>
  /**
   * @param anew whether what rules have in common is done once more too, and not taken as it came out
   * @param variation the only one of its variations to try
   * @returns the expectations that it reached
   */
  judge(alter: Alteration, how?: { anew?: boolean; variation?: string | undefined }): Promise<ExpectationReached[]>
}

/**
 * A run against one bank whose rules are checked when they are asked for, all at once or one after the other. What rules have in common
 * (logins, registrations, documents) is done once for all of them. Rules that may not run beside each other wait for their turn.
 */
export interface Examination {
  /** What was selected, in an order that does well for checking one rule after the other, and what is going to be skipped and why. */
  plan: Plan
  /** The same names are chosen in another run that is given it. */
  seed: string
  /**
   * Checks a rule of the plan; asked again, it gives what came the first time.
   * @returns the result where its status is pass, attested, warn, observed, waived or skip; `reason` says why of warn, waived and skip
   * @throws RuleFailure where the status is fail, blocked or error; its message is for people, `result` for programs
   * @throws RunEnded when the run was ended or closed before the rule had a result
   * @throws Error when the plan does not have the rule
   */
  check(rule: Pick<Rule, 'id'>): Promise<RuleResult>
  /**
   * As {@link check}, but gives the result whatever its status is.
   * @throws RunEnded when the run was ended or closed before the rule had a result
   * @throws Error when the plan does not have the rule
   */
  resultOf(rule: Pick<Rule, 'id'>): Promise<RuleResult>
  /**
   * Ends what is still under way, takes away at the bank what the run registered, and frees every connection and port. Closed again, it
   * gives the same.
   * @returns what `conformance run` makes its reports of; rules that were not asked for stand under `notRun`
   */
  close(): Promise<Results>
}

/** Parts of one run with one seed choose other names all the same: a bank takes each only once. */
function seedOf({ seed = randomBytes(6).toString('hex'), shard }: ExaminationOptions): string {
  return shard ? `${seed}.${shard.part}` : seed
}

/** Seconds for a rule that judges what was answered before: nobody is waited for, but what a bank was expected to post. */
const replayBoundSeconds = 3

/** Statuses that no test may pass by. */
const failures: readonly Status[] = ['fail', 'blocked', 'error']

/**
 * Opens an examination of a bank, which has to be closed. Nothing of it outlives it but the keys of clients, which are made once in a
 * process.
 * @param target the bank, or the path of a target file
 * @throws TargetError when the target file is wrong, or there is no bank at its address
 * @throws SelectionError when a pattern matches nothing
 * @throws Error when there is no such edition, or it does not have the requirement of a rule
 */
export async function openExamination(target: Target | string, options: ExaminationOptions = {}): Promise<Examination> {
  const examined = typeof target === 'string' ? loadTarget(target) : target
  const { rules: candidates = rules, only = [], skip = [], shard } = options
  const seed = seedOf(options)
  const wanted = select(candidates, { only, skip })
  const selected = shard ? rulesOfShard(wanted, shard, examined) : wanted
  const leftOut = candidates.filter((rule) => !selected.includes(rule)).map(({ id }) => id)
  const plan = planOf(openEdition(examined.edition), inTurn(selected, examined), examined)
  const started = new Date().toISOString()
  const began = performance.now()
  const replay = options.onChecked && new Replay()
  const open = await openRun(examined, { ...options, seed, ...(replay && { ask: replay.ask, heard: replay.heard }) })
  const { run } = open
  try {
    await findBank(run)
  } catch (error) {
    await open.close()
    throw error
  }
  const { waivers = [] } = options
  const checks = checksOf(plan, open, options, replay)

  async function close(): Promise<Results> {
    open.end()
    const results = (await checks.ended()).sort((a, b) => (a.rule < b.rule ? -1 : 1))
    const [keySet, agreed] = [await keysSeen(run), await agreedIn(run)]
    const registrationsLeft = await open.close()
    const had = new Set(results.map(({ rule }) => rule))
    const notRun = plan.rules.flatMap(({ id }) => (had.has(id) ? [] : [id])).sort()
    return run.evidence.masking.late({
      harness: { name: harness.name, version: harness.version },
      issuer: examined.issuer,
      edition: plan.edition.id,
      ...(examined.files && { files: examined.files }),
      seed,
      started,
      milliseconds: Math.round(performance.now() - began),
      selection: { only, skip, ...(shard && { shard: shardInWords(shard) }), leftOut },
      partial: notRun.length > 0,
      notRun,
      ...summaryOf(results, waivers, plan.edition),
      agreed,
      keySet,
      registrationsLeft,
      results,
      evidence: run.evidence.items,
    })
  }

  let closing: Promise<Results> | undefined
  return {
    plan,
    seed,
    async check(rule) {
      const result = await checks.resultOf(rule)
      if (!failures.includes(result.status)) return result
      const evidence = run.evidence.items.filter(({ id }) => result.evidence.includes(id))
      const { files } = examined
      const soFar = { ...(files && { files }), edition: plan.edition.id, seed, results: checks.results(), evidence }
      throw new RuleFailure(result, explanationOf(result, run.evidence.masking.late(soFar)))
    },
    resultOf: checks.resultOf,
    close: () => (closing ??= close()),
  }
}

/** The checks of a plan, each made once. */
function checksOf(plan: Plan, { run, heldBack }: OpenRun, options: ExaminationOptions, replay: Replay | undefined) {
  const { boundSeconds = 30, untilFailure = false, variations = {}, waivers = [] } = options
  const { onBegin, onExpectation, onProgress, onChecked } = options
  const { notExamined = [], concurrency } = run.target
  const planned = new Map(plan.rules.map((rule) => [rule.id, rule]))
  const asked = new Map<string, Promise<RuleResult>>()
  const results: RuleResult[] = []
  let timePassed = false
  const how = {
    edition: plan.edition,
    turns: new Turns(concurrency, run.signal),
    skips: plan.skips,
    boundSeconds,
    untilFailure,
    heldBack,
    suspendDetector: run.suspendDetector,
    masking: run.evidence.masking,
    signal: run.signal,
    dressesOf: ({ id }: PlannedRule) => (canDress(run.target) ? dressesOf(id) : []),
    open(rule: PlannedRule, signal: AbortSignal) {
      if (timePassed && !hasTimePass(rule)) renewShared(run)
      timePassed = hasTimePass(rule)
      const conversation = new Conversation(run, rule.id, signal)
      return { bank: bankIn(conversation), service: run.service, evidence: conversation.evidence }
    },
    onBegin: (rule: PlannedRule) => onBegin?.(rule.id, plan.rules.length),
    ...(onExpectation && {
      onExpectation: ({ id }: PlannedRule, reached: ExpectationReached) => onExpectation(id, reached),
    }),
  }

  async function checked(id: string): Promise<RuleResult> {
    const rule = planned.get(id)
    if (!rule) throw new Error(`the plan of this run does not have the rule ${id}`)
    const found = await checkRule(rule, { ...how, variation: variations[id] })
    if (!found) throw new RunEnded(`the run was ended before ${id} had a result`)
    if (replay && !plan.skips.has(id)) await onChecked?.(id, judgeAgain(rule, replay))
    const result = withDeclared(withWaivers(found, waivers), notExamined)
    results.push(result)
    onProgress?.(result, results.length, plan.rules.length)
    return result
  }

  function judgeAgain(rule: PlannedRule, replay: Replay): JudgeAgain {
    return {
      answers: replay.answers,
      async judge(alter, { anew = false, variation } = {}) {
        const reached: ExpectationReached[] = []
        const replayed = await replay.runOf(run, rule.id, { alter, anew })
        await runRule(rule, {
          ...how,
          untilFailure: false,
          variation,
          boundSeconds: replayBoundSeconds,
          open(_, signal) {
            const conversation = new Conversation(replayed, rule.id, signal)
            return { bank: bankIn(conversation), service: replayed.service, evidence: conversation.evidence }
          },
          onBegin: () => {},
          onExpectation: (_, expectation) => reached.push(expectation),
        })
        return reached
      },
    }
  }

  return {
    resultOf({ id }: Pick<Rule, 'id'>): Promise<RuleResult> {
      const result = asked.get(id) ?? checked(id)
      asked.set(id, result)
      return result
    },
    /** What there is so far. */
    results: () => [...results],
    /** Every result, once what is under way has ended. */
    async ended(): Promise<RuleResult[]> {
      await Promise.allSettled(asked.values())
      return [...results]
    },
  }
}

/** Whether rules can be done in another dress: as other clients, which have to be registered, and without a person who would be asked more often. */
function canDress(target: Target): boolean {
  const registers = toRegister.every((need) => missing(need, target) === undefined)
  return registers && target.client === undefined && target.login?.by !== 'person'
}

/** A skipped rule tells why the target file says that it cannot be examined. */
function withDeclared(result: RuleResult, notExamined: NonNullable<Target['notExamined']>): RuleResult {
  const { rule: id, requirement, status, notes } = result
  const declared = notExamined.filter(({ rules: own }) => own.some((pattern) => matches(pattern, { id, requirement })))
  if (status !== 'skip' || declared.length === 0) return result
  return { ...result, notes: [...notes, ...declared.map(({ reason }) => `declared in the target file: ${reason}`)] }
}

/** By hand there is one person with one browser: what one rule does in it must not be another's surprise. */
function inTurn(selected: readonly Rule[], { login }: Target): readonly Rule[] {
  if (login?.by !== 'person') return selected
  return selected.map((rule) => (needsPerson(rule.needs) ? { ...rule, alone: [...rule.alone, 'session'] } : rule))
}

/** @throws TargetError when nobody answers at the issuer's address */
async function findBank(run: Run): Promise<void> {
  try {
    await fetchDiscovery(new Conversation(run, 'first contact', run.signal))
  } catch (error) {
    if (run.signal.aborted) return
    if (error instanceof Unreachable || error instanceof NoAnswer)
      throw new TargetError([`issuer: ${error.finding.sentence}`])
    throw error
  }
}
