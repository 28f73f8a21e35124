import { advanceClock, clockOffsetSeconds, clockStands, freezeClock, now, resetClock, setClock } from '../../clock.js'
import type { BankContext } from '../../context.js'
import { BankError } from '../../errors.js'
import { tellClock } from '../../shared-clock.js'
import type { Operation } from '../operation.js'

/** What is said of the clock. */
export interface ClockAnswer {
  /** ISO 8601. */
  now: string
  /** How far the bank's time is ahead of the machine's; less than 0: behind it. */
  offset_seconds: number
  /** Whether it stands still. */
  frozen: boolean
}

/** One of these; each concerns the whole process. */
export interface ClockChange {
  /** More than 0. */
  advance_seconds?: number
  /** More than 0: what was issued since then lies in the future. */
  back_seconds?: number
  /** A time such as 2030-01-31T12:00:00Z. */
  set?: string
  /** Stands still, or goes on from where it stands. */
  frozen?: boolean
  /** The machine's time again. */
  reset?: true
}

const output = {
  type: 'object',
  required: ['now', 'offset_seconds', 'frozen'],
  properties: {
    now: { type: 'string', format: 'date-time', description: 'The time at the bank, and in its whole process.' },
    offset_seconds: { type: 'number', description: "How far it is ahead of the machine's; less than 0: behind it." },
    frozen: { type: 'boolean', description: 'Whether it stands still.' },
  },
}

const example: ClockAnswer = { now: '2026-01-31T09:32:09.000Z', offset_seconds: 3600, frozen: false }

export function readClock(): ClockAnswer {
  return { now: new Date(now()).toISOString(), offset_seconds: clockOffsetSeconds(), frozen: clockStands() }
}

/** What each change does. @throws {RangeError} */
const changes: { [Name in keyof Required<ClockChange>]: (value: NonNullable<ClockChange[Name]>) => void } = {
  advance_seconds: advanceClock,
  back_seconds(seconds) {
    if (!(seconds > 0)) throw new RangeError('the clock moves back by a positive number of seconds')
    setClock(now() - seconds * 1000)
  },
  set: (time) => setClock(Date.parse(time)),
  frozen: freezeClock,
  reset: resetClock,
}

/**
 * Moves the time of the process, and does what has become due.
 *
 * @throws {RangeError} when it leads nowhere
 */
export async function changeClock<Name extends keyof ClockChange>(
  { scheduler, shared }: Pick<BankContext, 'scheduler' | 'shared'>,
  name: Name,
  value: NonNullable<ClockChange[Name]>,
): Promise<void> {
  await shared.fresh()
  changes[name](value)
  await tellClock(shared)
  await scheduler.run()
}

export const showClock: Operation<object, ClockAnswer> = {
  id: 'showClock',
  method: 'get',
  path: '/clock',
  summary: "The bank's time, which is that of its whole process.",
  input: { properties: {} },
  output,
  example: { input: {}, output: example },
  run: readClock,
}

export const moveClock: Operation<ClockChange, ClockAnswer> = {
  id: 'changeClock',
  method: 'post',
  path: '/clock',
  summary:
    'Moves, sets, stops or resets the time of the whole process, so that of every bank in it, and does what has become due. One member at a time.',
  input: {
    properties: {
      advance_seconds: { type: 'number', description: 'More than 0.' },
      back_seconds: { type: 'number', description: 'More than 0: what was issued since then lies in the future.' },
      set: { type: 'string', description: 'A time such as 2030-01-31T12:00:00Z.' },
      frozen: { type: 'boolean', description: 'Stands still, or goes on from where it stands.' },
      reset: { const: true, description: "The machine's time again." },
    },
  },
  output,
  example: { input: { advance_seconds: 3600 }, output: example },
  async run({ context }, input) {
    const [change, ...further] = Object.keys(input) as (keyof ClockChange)[]
    if (change === undefined || further.length > 0) {
      throw new BankError('invalid_request', `give one of ${Object.keys(changes).join(', ')}`)
    }
    try {
      await changeClock(context, change, input[change] as never)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      throw new BankError('invalid_request', error.message, { cause: error })
    }
    return readClock()
  },
}

export const clockOperations = [showClock, moveClock]
