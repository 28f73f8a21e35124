import { setMaxListeners } from 'node:events'
import type { Edition } from '../../schemas/editions/index.js'
import type { Bank } from '../bank/bank.js'
import type { Service } from '../bank/conversation.js'
import type { Dress } from '../bank/dress.js'
import { rulesAboutEndpoint } from '../bank/endpoints.js'
import type { Recorder } from '../evidence/evidence.js'
import { BankFailure, doubtOf, type Finding, Skip } from '../evidence/failure.js'
import type { Masking } from '../evidence/masking.js'
import { type SuspendDetector, wasSuspended } from '../evidence/suspend-detector.js'
import { type Unserved as UnservedAt, unserved as unservedAt } from '../evidence/unserved.js'
import { conclude, inWords, isRecent, isVerdict, masked, type Outcome, type Unserved } from './conclude.js'
import { checkDressed } from './dressed.js'
import { expect } from './expect.js'
import { type ExpectationReached, nameOf, watched } from './expectations.js'
import type { PlannedRule } from './planned-rule.js'
import { reference } from './reference.js'
import { type ReadingTaken, type RuleResult, readingInWords } from './result.js'
import type { Tools } from './rule.js'
import type { Turns } from './turns.js'
import { Variations } from './variations.js'

/** What every check of a run is done with. */
export interface RunnerOptions {
  edition: Edition
  turns: Turns
  /** Why rules are not run, by rule. */
  skips: ReadonlyMap<string, string>
  /** For one rule, shared steps included that it waits for; more, while the bank answers what the rule asks. */
  boundSeconds: number
  /** Milliseconds that do not count so far, as nobody's fault. */
  heldBack(): number
  /** Whether a rule ends at its first variation that fails. */
  untilFailure: boolean
  /** The only variation of a rule to try; all when left out. */
  variation?: string | undefined
  suspendDetector: SuspendDetector
  masking: Masking
  /** Ends the run: what runs is given up, what waits is not begun. */
  signal: AbortSignal
  /** In which dresses, beside the default one, a rule is done too. */
  dressesOf(rule: PlannedRule): readonly Dress[]
  /** Begins a rule's conversation with the bank, which the signal ends. */
  open(rule: PlannedRule, signal: AbortSignal): { bank: Bank; service: Service; evidence: Recorder }
  onBegin(rule: PlannedRule): void
  /** Told of each expectation that a check reaches. */
  onExpectation?(rule: PlannedRule, reached: ExpectationReached): void
}

/** Runs a rule when its turn has come. Nothing comes of it when the run is ended before it has a result. */
export async function checkRule(rule: PlannedRule, options: RunnerOptions): Promise<RuleResult | undefined> {
  const end = await options.turns.take(rule)
  try {
    return end && (await runUndisturbed(rule, options))
  } finally {
    end?.()
  }
}

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
    if (options.skips.has(rule.id) || doubt === undefined) return { ...result, notes: [...notes, ...result.notes] }
    if (notes.length === repeatsAtMost) {
      const { finding: _, blockedBy: __, timedOut: ___, ...rest } = result
      return { ...rest, status: 'error', reason: `it could not be examined: ${doubt}`, notes }
    }
    notes.push(`restarted: ${doubt}`)
  }
}

/** What one attempt at a rule came to. */
export interface Attempt {
  /** Absent when the run was ended before the rule came to a result. */
  result?: RuleResult
  /** Why the result may say nothing about the bank. */
  doubt?: string | undefined
}

/** Runs a rule once, at once. */
export async function runRule(rule: PlannedRule, options: RunnerOptions): Promise<Attempt> {
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
  const notes = new Set<string>()
  const warnings = new Set<string>()
  const variations = new Variations(rule.id, () => evidence.next(), options.untilFailure, options.variation)
  const judged = new Set<string>()
  const tools: Tools = {
    bank,
    service,
    expect: watched(expect, options.onExpectation !== undefined, (reached) => {
      judged.add(nameOf(reached))
      options.onExpectation?.(rule, reached)
    }),
    inVariation: (name, work) => variations.attempt(name, work),
    reading(...[ambiguity, reading]) {
      const { text, level } = edition.readingOf(ambiguity, reading)
      if (!edition.bearsOn(ambiguity, rule.requirement))
        throw new Error(`${ambiguity} does not bear on ${rule.requirement.id}`)
      readings.set(`${ambiguity} ${reading}`, { ambiguity, reading, text, level })
    },
    warn: (text) => warnings.add(text),
    note: (text) => notes.add(masking.prose(text)),
    skip(reason) {
      throw new Skip(reason)
    },
  }
  let isJudged = false
  const checking = async () => {
    await rule.check(tools)
    const dresses = options.dressesOf(rule)
    isJudged = dresses.length > 0
    for (const dress of dresses) await checkDressed(dress, rule, tools, () => evidence.all())
  }
  const unserved = ({ evidence: id }: Finding) => {
    const found = id === undefined ? undefined : unservedAt(id, evidence.ofRun())
    return found && !judgesService(rule, found) ? found.came : undefined
  }
  const ended = await endOf(checking(), evidence, options)
  const outcome = withFailures(variations, isJudged ? unlessLate(ended, tools) : ended, unserved)
  const pending = evidence.pending()
  ending.abort()
  if (signal.aborted && !('passed' in outcome) && !isVerdict(outcome)) return {}
  const readingsTaken = [...readings.values()]
  const warned = [...readingsTaken.filter(({ level }) => level === 'warn').map(readingInWords), ...warnings]
  // What a bank attests is read in the target file.
  const asked = rule.requirement.by === 'manual' || evidence.all().length > 0
  const seen = warned.length > 0 ? outcome : unlessEmpty(outcome, asked, judged.size + readings.size > 0)
  const known = reference()[rule.id]
  const result = {
    ...base,
    ...masked(
      conclude(rule, seen, { warnings: warned, pending, boundSeconds: options.boundSeconds, unserved }),
      masking,
    ),
    readings: readingsTaken,
    notes: [...notes],
    milliseconds: Math.round(performance.now() - began),
    judged: judged.size,
    ...(known !== undefined && { judgedAtBundledBank: known }),
    evidence: evidence.all().map(({ id }) => id),
  }
  return { result, doubt: 'error' in outcome ? doubtOf(outcome.error) : undefined }
}

/** Whether a rule is about whether the bank serves: at this endpoint, or in what the bank says of its health (AMB-57). */
function judgesService({ id, requirement }: PlannedRule, { method, path }: UnservedAt): boolean {
  return rulesAboutEndpoint(method, path).includes(id) || requirement.id.startsWith('HEALTH-')
}

/** The end of a check of which variations failed: whatever came later may have come of them. What says something of the bank counts first. */
function withFailures({ failures }: Variations, outcome: Outcome, unserved: Unserved): Outcome {
  const telling = failures.filter(({ finding }) => unserved(finding) === undefined)
  const [first, ...further] = telling.length > 0 ? telling : failures
  if (!first) return outcome
  return {
    error: new BankFailure({
      ...first.finding,
      ...(further.length > 0 && { further: further.map(({ finding }) => inWords(finding)) }),
    }),
  }
}

/** A check that came to its end without an attempt, or judged nothing of what it saw, says nothing about the bank. */
function unlessEmpty(outcome: Outcome, asked: boolean, judged: boolean): Outcome {
  if (!('passed' in outcome) || (asked && judged)) return outcome
  const reason = asked ? 'the bank gave nothing that this rule could judge' : 'nothing was asked of the bank'
  return { error: new Skip(reason) }
}

/** How a rule ended that was judged before it was done in another dress, for which the time may not have been enough. */
function unlessLate(outcome: Outcome, { note }: Tools): Outcome {
  if (!('ended' in outcome) || outcome.ended !== 'time up') return outcome
  note(`not done in another dress to its end, which takes more than ${outcome.seconds} s`)
  return { passed: true }
}

/** How many times its bound a rule may take that has much to ask of a bank which answers. */
const boundsAtMost = 10

/** Whether a rule asked for something a short while ago: what it had asked before was answered. */
function asksOn(evidence: Recorder, boundSeconds: number): boolean {
  const last = evidence.all().findLast((item) => item.kind === 'exchange' && item.direction === 'sent')
  return last !== undefined && isRecent(last.at, boundSeconds)
}

async function endOf(
  checking: Promise<void>,
  evidence: Recorder,
  { boundSeconds, heldBack, signal }: RunnerOptions,
): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined
  let giveUp = () => {}
  let bounds = 1
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
            else if (bounds < boundsAtMost && asksOn(evidence, boundSeconds)) {
              bounds += 1
              wait(boundSeconds * 1000)
            } else resolve({ ended: 'time up', seconds: bounds * boundSeconds })
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
