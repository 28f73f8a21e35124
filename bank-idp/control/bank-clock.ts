import { now } from '../clock.js'
import { secondsOf } from '../duration.js'
import type { BankClock } from './bank-operations.js'
import type { Bench } from './operation.js'
import { changeClock } from './operations/clock.js'

/** Whole seconds of a duration, or of a text such as `30d`. @throws {RangeError} when it is none */
function inSeconds(duration: number | string): number {
  return typeof duration === 'number' ? duration : secondsOf(duration)
}

/** A time as a text; of no time a text that is none. */
function isoTime(time: Date): string {
  return Number.isNaN(time.getTime()) ? String(time) : time.toISOString()
}

export function bankClock(bench: Pick<Bench, 'context'>): BankClock {
  return {
    now: () => new Date(now()),
    advance: (duration) => changeClock(bench.context, 'advance_seconds', inSeconds(duration)),
    back: (duration) => changeClock(bench.context, 'back_seconds', inSeconds(duration)),
    set: (time) => changeClock(bench.context, 'set', typeof time === 'string' ? time : isoTime(time)),
    freeze: (still = true) => changeClock(bench.context, 'frozen', still),
    reset: () => changeClock(bench.context, 'reset', true),
  }
}
