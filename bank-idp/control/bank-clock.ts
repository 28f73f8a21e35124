import { now } from '../clock.js'
import { secondsOf } from '../duration.js'
import type { BankClock } from './bank-operations.js'
import type { Bench } from './operation.js'
import { type ClockChange, changeClock } from './operations/clock.js'

/** Whole seconds of a duration, or of a text such as `30d`. @throws {RangeError} when it is none */
function inSeconds(duration: number | string): number {
  return typeof duration === 'number' ? duration : secondsOf(duration)
}

/** A time as a text; of no time a text that is none. */
function isoTime(time: Date): string {
  return Number.isNaN(time.getTime()) ? String(time) : time.toISOString()
}

/** A bank that was closed moves no clock: nobody would give the process the machine's time back. */
export function bankClock(bench: Pick<Bench, 'context' | 'checkOpen'>): BankClock {
  async function change<Name extends keyof ClockChange>(name: Name, value: () => NonNullable<ClockChange[Name]>) {
    bench.checkOpen()
    await changeClock(bench.context, name, value())
  }
  return {
    now: () => new Date(now()),
    advance: (duration) => change('advance_seconds', () => inSeconds(duration)),
    back: (duration) => change('back_seconds', () => inSeconds(duration)),
    set: (time) => change('set', () => (typeof time === 'string' ? time : isoTime(time))),
    freeze: (still = true) => change('frozen', () => still),
    reset: () => change('reset', () => true),
  }
}
