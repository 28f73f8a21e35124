import { nowSeconds } from '../../clock.js'
import { BankError } from '../../errors.js'
import { subSystemNames } from '../../sub-systems.js'
import type { Bench, Operation } from '../operation.js'

/** What is said of one announced outage; times are ISO 8601. */
export interface OutageAnswer {
  /** The sub-system concerned, or `bank` for all of it. */
  part: string
  from: string
  until: string | null
  reason: string | null
}

/** An outage that begins or ends; what is null counts as left out. */
interface OutageInput {
  part?: string | null
  from?: string | null
  until?: string | null
  reason?: string | null
}

const parts = ['bank', ...subSystemNames]

const part = { enum: [...parts, null], description: 'A sub-system, or bank for all of it, which is the default.' }
const time = { type: ['string', 'null'], description: 'Such as 2030-01-31T12:00:00Z.' }

const output = {
  type: 'array',
  items: {
    type: 'object',
    required: ['part', 'from', 'until', 'reason'],
    properties: {
      part: { enum: parts },
      from: { type: 'string', format: 'date-time' },
      until: { type: ['string', 'null'], format: 'date-time' },
      reason: { type: ['string', 'null'] },
    },
  },
}

const example: OutageAnswer[] = [
  { part: 'kyc', from: '2030-01-31T12:00:00.000Z', until: '2030-01-31T13:00:00.000Z', reason: 'maintenance' },
]

/** The first time whose year has more than four digits, which no timestamp of the health record can have (RFC 3339 section 5.6). */
const endOfTime = Date.UTC(10_000, 0, 1)

/** Seconds since the epoch; null when nothing is given. */
function timeOf(name: string, value: string | null | undefined): number | null {
  if (value === undefined || value === null) return null
  const milliseconds = Date.parse(value)
  if (milliseconds < endOfTime) return Math.floor(milliseconds / 1000)
  throw new BankError('invalid_request', `${name} '${value}' is not a time such as 2030-01-31T12:00:00Z`)
}

function answer({ context: { outages } }: Bench): OutageAnswer[] {
  return outages.announced().map(({ part, from, until, reason }) => ({
    part,
    from: new Date(from * 1000).toISOString(),
    until: until === null ? null : new Date(until * 1000).toISOString(),
    reason,
  }))
}

export const listOutages: Operation<object, OutageAnswer[]> = {
  id: 'listOutages',
  method: 'get',
  path: '/outages',
  summary: 'The outages that are announced.',
  input: { properties: {} },
  output,
  example: { input: {}, output: example },
  run: answer,
}

export const announceOutage: Operation<OutageInput, OutageAnswer[]> = {
  id: 'announceOutage',
  method: 'post',
  path: '/outages',
  summary: 'Announces an outage: in its time the part concerned answers temporarily_unavailable.',
  input: { properties: { part, from: time, until: time, reason: { type: ['string', 'null'] } } },
  output,
  example: {
    input: { part: 'kyc', from: '2030-01-31T12:00:00Z', until: '2030-01-31T13:00:00Z', reason: 'maintenance' },
    output: example,
  },
  async run(bench, given) {
    const from = timeOf('from', given.from) ?? nowSeconds()
    const until = timeOf('until', given.until)
    if (until !== null && until <= Math.max(from, nowSeconds())) {
      throw new BankError('invalid_request', 'until must be after from, and in the future')
    }
    await bench.context.outages.announce({ part: given.part ?? 'bank', from, until, reason: given.reason || null })
    return answer(bench)
  },
}

export const endOutage: Operation<Pick<OutageInput, 'part' | 'from'>, OutageAnswer[]> = {
  id: 'endOutage',
  method: 'post',
  path: '/outages/end',
  summary: 'Ends the current outage of a part, or withdraws the next announced one.',
  input: { properties: { part, from: { ...time, description: 'Of the outage that begins at this time.' } } },
  output,
  example: { input: { part: 'kyc' }, output: [] },
  async run(bench, given) {
    const part = given.part ?? 'bank'
    if (!(await bench.context.outages.end(part, timeOf('from', given.from) ?? undefined))) {
      const begun = given.from ? ` from ${given.from}` : ''
      const others = answer(bench).map((other) => `of ${other.part} from ${other.from}`)
      const known = others.length > 0 ? `; there is one ${others.join(', and one ')}` : ''
      const what = part === 'bank' ? 'the whole bank' : part
      throw new BankError('invalid_request', `no outage of ${what}${begun} is announced${known}`)
    }
    return answer(bench)
  },
}

export const outageOperations = [listOutages, announceOutage, endOutage]
