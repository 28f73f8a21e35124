import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { readFileSync } from 'node:fs'
import { packageFile } from '../schemas/package-file.js'
import { bankIn } from './bank/bank.js'
import { Conversation, type Run, type Service } from './bank/conversation.js'
import { fetchDiscovery } from './bank/discovery.js'
import { createHttpClient } from './bank/http.js'
import { type Leftover, RegistrationLedger } from './bank/registration-ledger.js'
import { loadTarget, type Target } from './bank/target.js'
import { formsEndUser } from './end-user/forms.js'
import { type Evidence, EvidenceLog } from './harness/evidence.js'
import { NoAnswer, TargetError } from './harness/failure.js'
import { Masking } from './harness/masking.js'
import { type ReadingTaken, type RuleResult, type Status, statuses } from './harness/result.js'
import type { Rule } from './harness/rule.js'
import { runRules } from './harness/runner.js'
import { select } from './harness/selection.js'
import { rules } from './rules/index.js'
import { registrationSigner } from './service/assertions.js'
import { bankClock } from './service/clock.js'
import { startServer } from './service/server.js'

const harness: { name: string; version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))

export interface ExamineOptions {
  /** The bank, or the path of a target file. */
  target: Target | string
  /** The rules to choose from. Default: all. */
  rules?: readonly Rule[]
  /** Patterns of rules to run, by rule id or requirement id; all when left out. */
  only?: readonly string[]
  /** Patterns of rules to leave out. */
  skip?: readonly string[]
  /** Fixes every name that the run chooses. Default: random. */
  seed?: string
  /** Ends the run: results are what is there by then, and registrations are taken away all the same. */
  signal?: AbortSignal
  /** For one rule. Default: 30. */
  boundSeconds?: number
  /** Called when a rule begins. */
  onBegin?(rule: string, total: number): void
  /** Called with each request that is sent, as METHOD /path. */
  onRequest?(request: string): void
  /** Called with each result as it comes, in no fixed order. */
  onProgress?(result: RuleResult, done: number, total: number): void
}

/** What a run found. Everything in it is masked. */
export interface Results {
  harness: { name: string; version: string }
  issuer: string
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
  /** By ambiguity, then reading. */
  readings: (ReadingTaken & { rules: string[] })[]
  /** Registrations that the bank did not take away again. */
  registrationsLeft: Leftover[]
  /** By rule id. */
  results: RuleResult[]
  /** In the order it came. */
  evidence: Evidence[]
}

/**
 * Examines a bank. Nothing of a run outlives it but the keys of applications, which are made once in a process.
 * @throws TargetError when the target file is wrong, or there is no bank at its address
 * @throws SelectionError when a pattern matches nothing
 */
export async function examine(options: ExamineOptions): Promise<Results> {
  const target = typeof options.target === 'string' ? loadTarget(options.target) : options.target
  const candidates = options.rules ?? rules
  const { only = [], skip = [], seed = randomBytes(6).toString('hex') } = options
  const selected = select(candidates, { only, skip })
  const started = new Date().toISOString()
  const began = performance.now()
  const ending = new AbortController()
  setMaxListeners(0, ending.signal)
  const end = () => ending.abort()
  const run = await openRun(target, seed, ending.signal, options.onRequest)
  options.signal?.addEventListener('abort', end, { once: true })
  if (options.signal?.aborted) end()

  const close = async () => {
    options.signal?.removeEventListener('abort', end)
    end()
    const left = await run.registrations.removeAll()
    await Promise.all([run.http.close(), run.service.server?.close()])
    return left
  }
  const { results, notRun } = await examineWith(run, selected, options).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const registrationsLeft = await close()
  return run.evidence.masking.late({
    harness: { name: harness.name, version: harness.version },
    issuer: target.issuer,
    ...(target.files && { files: target.files }),
    seed,
    started,
    milliseconds: Math.round(performance.now() - began),
    selection: { only, skip, leftOut: candidates.filter((rule) => !selected.includes(rule)).map(({ id }) => id) },
    partial: notRun.length > 0,
    notRun,
    counts: countsOf(results),
    readings: readingsOf(results),
    registrationsLeft,
    results,
    evidence: run.evidence.items,
  })
}

async function examineWith(
  run: Run,
  selected: readonly Rule[],
  { boundSeconds = 30, onBegin, onProgress }: ExamineOptions,
) {
  await findBank(run)
  let done = 0
  return runRules({
    rules: selected,
    target: run.target,
    concurrency: run.target.concurrency,
    boundSeconds,
    masking: run.evidence.masking,
    signal: run.signal,
    open(rule, signal) {
      const conversation = new Conversation(run, rule.id, signal)
      return { bank: bankIn(conversation), service: run.service, evidence: conversation.evidence }
    },
    onBegin: (rule) => onBegin?.(rule.id, selected.length),
    onResult(result) {
      done += 1
      onProgress?.(result, done, selected.length)
    },
  })
}

async function openRun(
  target: Target,
  seed: string,
  signal: AbortSignal,
  onRequest?: ExamineOptions['onRequest'],
): Promise<Run> {
  const masking = new Masking()
  for (const { password } of target.people) masking.secret('password', password)
  if (target.control) masking.secret('control_token', target.control.token)
  if (target.client?.clientSecret) masking.secret('client_secret', target.client.clientSecret)
  const [clock, signer] = await Promise.all([bankClock(target.control), target.keys && registrationSigner(target.keys)])
  const server = target.server && (await startServer(target.server))
  const service: Service = { clock, ...(signer && { signer }), ...(server && { server }) }
  return {
    target,
    seed,
    http: createHttpClient(target),
    service,
    endUser: formsEndUser(target.pages),
    evidence: new EvidenceLog(masking, onRequest),
    registrations: new RegistrationLedger(),
    signal,
    shared: new Map(),
  }
}

/** @throws TargetError when nobody answers at the issuer's address */
async function findBank(run: Run): Promise<void> {
  try {
    await fetchDiscovery(new Conversation(run, 'first contact', run.signal))
  } catch (error) {
    if (run.signal.aborted) return
    if (!(error instanceof NoAnswer)) throw error
    throw new TargetError([`issuer: no bank answers at ${run.target.issuer}: it ${error.finding.actual}`])
  }
}

function countsOf(results: readonly RuleResult[]): Record<Status, number> {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>
  for (const { status } of results) counts[status] += 1
  return counts
}

function readingsOf(results: readonly RuleResult[]): Results['readings'] {
  const readings = new Map<string, Results['readings'][number]>()
  for (const { rule, readings: taken } of results) {
    for (const reading of taken) {
      const key = `${reading.ambiguity} ${reading.reading}`
      const known = readings.get(key) ?? { ...reading, rules: [] }
      readings.set(key, { ...known, rules: [...known.rules, rule] })
    }
  }
  const numbered = (id: string) => Number(id.slice('AMB-'.length))
  return [...readings.values()].sort((a, b) => numbered(a.ambiguity) - numbered(b.ambiguity) || a.reading - b.reading)
}
