import { Conversation } from '../bank/conversation.js'
import { Skip, Unreachable } from '../evidence/failure.js'
import { openRun } from '../open-run.js'
import type { Target } from '../target/target.js'
import { abilityChecks, nameChecks } from './ability-checks.js'
import { bankChecks } from './bank-checks.js'
import { type Check, type CheckResult, type DoctorContext, NotChecked, Trouble } from './check.js'
import { connectionChecks } from './connection-checks.js'
import { unlessAborted } from './unless-aborted.js'

export interface DoctorOptions {
  /** Only what a run begins with that registers clients, or registers none. */
  quick?: { registers: boolean }
  signal?: AbortSignal
  /** Ends the taking away of what was registered, too. */
  hurry?: AbortSignal | undefined
  /** Called when a person is needed who logs in by hand, with the address that they have to open. */
  onInvitation?(url: string): void
  onNotice?(text: string): void
  /** Called with each result as it comes. */
  onResult?(result: CheckResult): void
}

/**
 * Checks a set-up step by step, before any rule: what has to be right lest every rule fails for a reason that no rule is about.
 * What it registers it takes away again.
 * @throws TargetError when the control door does not answer, or the server's address cannot be listened on
 * @throws the signal's reason
 */
export async function doctor(
  target: Target,
  { quick, signal, hurry, onInvitation, onNotice, onResult }: DoctorOptions = {},
): Promise<CheckResult[]> {
  const { run, close } = await openRun(target, { seed: 'doctor', signal, hurry, onInvitation, onNotice })
  const conversation = new Conversation(run, 'doctor', run.signal)
  const results = new Map<string, CheckResult>()
  try {
    for (const check of [...nameChecks, ...connectionChecks, ...bankChecks, ...abilityChecks]) {
      if (quick && check.quick !== 'always' && !(quick.registers && check.quick)) continue
      // A name that is looked up, or a handshake, knows of no signal.
      const looked = await unlessAborted(resultOf(check, { target, conversation }, results), run.signal)
      const result = run.evidence.masking.late(looked)
      results.set(check.name, result)
      onResult?.(result)
    }
  } finally {
    await close()
  }
  return [...results.values()]
}

async function resultOf(
  check: Check,
  context: DoctorContext,
  before: ReadonlyMap<string, CheckResult>,
): Promise<CheckResult> {
  const { name } = check
  const missing = check.after.find((other) => ['bad', 'not reached'].includes(before.get(other)?.status ?? ''))
  if (missing) return { check: name, status: 'not reached', said: `the check ${missing} has to succeed first` }
  try {
    return { check: name, status: 'good', said: await check.look(context) }
  } catch (error) {
    if (error instanceof Trouble) return { check: name, status: 'bad', ...error.diagnosis }
    if (error instanceof NotChecked || error instanceof Skip)
      return { check: name, status: 'not checked', said: error.message }
    if (error instanceof Unreachable) {
      const fix = "allow the harness's address, or lower concurrency"
      return { check: name, status: 'bad', said: error.message, cause: 'the bank rejects our requests', fix }
    }
    throw error
  }
}
