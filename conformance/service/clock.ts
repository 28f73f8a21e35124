import { setTimeout } from 'node:timers/promises'
import { TargetError } from '../target/target-error.js'
import { askDoor, type Control } from './control-door.js'

/** Tells the time at the bank, in Unix seconds. */
export type BankClock = () => number

/** The time at the bank, as far as the harness can tell and move it. */
export interface BankTime {
  clock: BankClock
  /** Has so many seconds pass at the bank: by its control door, or by waiting. */
  pass?(seconds: number): Promise<void>
  /** Milliseconds that were waited so far. */
  waited(): number
}

/**
 * The bank's time, as its control door tells it; without a door the bank's time is taken for ours.
 *
 * @param slow whether time may pass by waiting where there is no door
 * @param signal ends the waiting, for the door too
 * @throws TargetError when the door named in the target file does not tell it
 */
export async function bankTime(
  { control, slow = false }: { control?: Control; slow?: boolean },
  signal?: AbortSignal,
): Promise<BankTime> {
  let ahead = control ? await secondsAhead(control, { signal }) : 0
  let waited = 0
  let waitingSince: number | undefined
  const time: BankTime = {
    clock: () => Math.floor(Date.now() / 1000) + ahead,
    waited: () => waited + (waitingSince === undefined ? 0 : performance.now() - waitingSince),
  }
  if (control) {
    time.pass = async (seconds) => {
      ahead = await secondsAhead(control, { advance: seconds, signal })
    }
  } else if (slow) {
    time.pass = async (seconds) => {
      waitingSince = performance.now()
      await setTimeout(seconds * 1000, undefined, { signal })
      waited = time.waited()
      waitingSince = undefined
    }
  }
  return time
}

/** How far the bank's time is ahead of ours. @param asking.advance moves it by so many seconds first */
async function secondsAhead(
  control: Control,
  { advance, signal }: { advance?: number; signal: AbortSignal | undefined },
): Promise<number> {
  const address = `${control.url}/clock`
  const body = advance === undefined ? {} : { body: { advance_seconds: advance } }
  const { said } = await askDoor(control, '/clock', { ...body, signal }).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw new TargetError([
      `control.url: ${address} does not answer (${error instanceof Error ? error.message : error})`,
    ])
  })
  const { now } = Object(said) as { now?: unknown }
  // Not its offset from its own machine's time, whose clock may differ from ours.
  const ahead = Math.round((Date.parse(String(now)) - Date.now()) / 1000)
  if (typeof now === 'string' && Number.isFinite(ahead)) return ahead
  throw new TargetError([
    `control.url: ${address} does not answer with the time as now; is control.token_file the bank's?`,
  ])
}
