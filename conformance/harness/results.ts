import type { Edition } from '../../schemas/editions/index.js'
import type { Agreed } from '../bank/agreed.js'
import type { KeysAt } from '../bank/keys-seen.js'
import type { Leftover } from '../bank/registration-ledger.js'
import type { Evidence } from '../evidence/evidence.js'
import { type ReadingTaken, type RuleResult, type Status, statuses, type Waiver } from './result.js'

/** What a run found. Everything in it is masked. */
export interface Results {
  harness: { name: string; version: string }
  issuer: string
  /** Id of the edition of the specification by which the bank was examined. */
  edition: string
  /** The target file, and the file of the authorities that its `ca` names. */
  files?: { target: string; ca?: string }
  seed: string
  /** ISO 8601. */
  started: string
  milliseconds: number
  selection: {
    only: readonly string[]
    skip: readonly string[]
    /** Which part of those was run, such as 2/5; left out where all were. */
    shard?: string
    leftOut: string[]
  }
  /** The runs that these results were merged of; left out where it was one. */
  parts?: Part[]
  /** Whether the run was ended before every selected rule had a result. */
  partial: boolean
  /** Ids of selected rules without a result. */
  notRun: string[]
  counts: Record<Status, number>
  /** Waivers of rules that were run and did not fail: nothing is left to waive. */
  waiversUnused: Waiver[]
  /** In the order of the edition's ambiguities and their readings. */
  readings: (ReadingTaken & { rules: string[] })[]
  /** What its clients and the bank agreed on. */
  agreed: Agreed[]
  /** The keys that the bank published. */
  keySet: KeysAt
  /** Registrations that the bank did not take away again. */
  registrationsLeft: Leftover[]
  /** By rule id. */
  results: RuleResult[]
  /** In the order it came. */
  evidence: Evidence[]
}

/** One run of several that examined a bank, of which one report is made. */
export interface Part {
  seed: string
  /** ISO 8601. */
  started: string
  milliseconds: number
  /** Such as 2/5. */
  shard: string
  /** Ids of the rules whose results are its own. */
  rules: string[]
}

/** The parts that a merged report lacks, such as 2/5. */
export function partsMissing({ parts = [] }: Results): string[] {
  const [, of = 0] = (parts[0]?.shard ?? '').split('/').map(Number)
  const all = Array.from({ length: of }, (_, i) => `${i + 1}/${of}`)
  return all.filter((one) => parts.every(({ shard }) => shard !== one))
}

/** What is read from the report of a run: all but the evidence, which a report tells in another form, and what was agreed, which older ones lack. */
export type Report = Omit<Results, 'evidence' | 'agreed'>

/** The most severe first. */
export const bySeverity: readonly Status[] = [
  'fail',
  'error',
  'blocked',
  'waived',
  'warn',
  'skip',
  'observed',
  'attested',
  'pass',
]

/** What came of the rules of one requirement; undefined when there is none. */
export function mostSevere(results: Results['results']): Status | undefined {
  return bySeverity.find((status) => results.some((result) => result.status === status))
}

/** What the results of its rules say of a run as a whole. @param results by rule id */
export function summaryOf(
  results: readonly RuleResult[],
  waivers: readonly Waiver[],
  edition: Edition,
): Pick<Results, 'counts' | 'waiversUnused' | 'readings'> {
  return { counts: countsOf(results), waiversUnused: unused(waivers, results), readings: readingsOf(results, edition) }
}

function countsOf(results: readonly RuleResult[]): Record<Status, number> {
  const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>
  for (const { status } of results) counts[status] += 1
  return counts
}

function unused(waivers: readonly Waiver[], results: readonly RuleResult[]): Waiver[] {
  return waivers.filter(({ rule }) => results.some((result) => result.rule === rule && result.status !== 'waived'))
}

function readingsOf(results: readonly RuleResult[], edition: Edition): Results['readings'] {
  const readings = new Map<string, Results['readings'][number]>()
  for (const { rule, readings: taken } of results) {
    for (const reading of taken) {
      const key = `${reading.ambiguity} ${reading.reading}`
      const known = readings.get(key) ?? { ...reading, rules: [] }
      readings.set(key, { ...known, rules: [...known.rules, rule] })
    }
  }
  return edition.ambiguities.flatMap((ambiguity) =>
    ambiguity.readings.flatMap(({ id }) => readings.get(`${ambiguity.id} ${id}`) ?? []),
  )
}
