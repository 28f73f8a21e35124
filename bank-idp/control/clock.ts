import type { Router } from 'express'
import { advanceClock, clockOffsetSeconds, now } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { exactRouter } from '../router.js'
import { membersOf } from './members.js'

/** What the control door says of the clock. */
export interface ClockAnswer {
  /** ISO 8601. */
  now: string
  /** How far the bank's time is ahead of the machine's. */
  offset_seconds: number
}

/**
 * Moves the time of the process forward, and does what has become due.
 *
 * @throws {RangeError} when `seconds` is no positive number or leads past the year 9999
 */
export async function advance({ scheduler }: Pick<BankContext, 'scheduler'>, seconds: number): Promise<void> {
  advanceClock(seconds)
  await scheduler.run()
}

function read(): ClockAnswer {
  return { now: new Date(now()).toISOString(), offset_seconds: clockOffsetSeconds() }
}

/** GET /clock; POST /clock {advance_seconds}, which also does what has become due. */
export function clockControl(context: Pick<BankContext, 'scheduler'>): Router {
  return exactRouter()
    .get('/clock', (_req, res) => {
      res.json(read())
    })
    .post('/clock', async (req, res) => {
      try {
        await advance(context, Number(membersOf(req).advance_seconds))
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        throw new BankError('invalid_request', error.message, { cause: error })
      }
      res.json(read())
    })
}
