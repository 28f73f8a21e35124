import type { Router } from 'express'
import { nowSeconds } from '../clock.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { exactRouter } from '../router.js'
import { subSystemNames } from '../sub-systems.js'
import { membersOf, type Plain } from './members.js'

/** What the control door says of one announced outage; times are ISO 8601. */
export interface OutageAnswer {
  /** The sub-system concerned, or `bank` for all of it. */
  part: string
  from: string
  until: string | null
  reason: string | null
}

const parts = ['bank', ...subSystemNames]

function partOf(value: Plain | undefined): string {
  const part = value ?? 'bank'
  if (typeof part === 'string' && parts.includes(part)) return part
  throw new BankError('invalid_request', `part '${part}' is not one of ${parts.join(', ')}`)
}

/** Seconds since the epoch; null when nothing is given. */
function timeOf(name: string, value: Plain | undefined): number | null {
  if (value === undefined || value === null) return null
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isFinite(milliseconds)) return Math.floor(milliseconds / 1000)
  throw new BankError('invalid_request', `${name} '${value}' is not a time such as 2030-01-31T12:00:00Z`)
}

/** GET /outages; POST /outages {part?, from?, until?, reason?}; POST /outages/end {part?, from?}. */
export function outageControl({ outages }: Pick<BankContext, 'outages'>): Router {
  const list = (): OutageAnswer[] =>
    outages.announced().map(({ part, from, until, reason }) => ({
      part,
      from: new Date(from * 1000).toISOString(),
      until: until === null ? null : new Date(until * 1000).toISOString(),
      reason,
    }))
  return exactRouter()
    .get('/outages', (_req, res) => {
      res.json(list())
    })
    .post('/outages', async (req, res) => {
      const body = membersOf(req)
      const from = timeOf('from', body.from) ?? nowSeconds()
      const until = timeOf('until', body.until)
      if (until !== null && until <= Math.max(from, nowSeconds())) {
        throw new BankError('invalid_request', 'until must be after from, and in the future')
      }
      const reason = typeof body.reason === 'string' && body.reason !== '' ? body.reason : null
      await outages.announce({ part: partOf(body.part), from, until, reason })
      res.json(list())
    })
    .post('/outages/end', async (req, res) => {
      const { part: named, from } = membersOf(req)
      const part = partOf(named)
      if (!(await outages.end(part, timeOf('from', from) ?? undefined))) {
        throw new BankError('invalid_request', `no outage of ${part}${from ? ` from ${from}` : ''} is announced`)
      }
      res.json(list())
    })
}
