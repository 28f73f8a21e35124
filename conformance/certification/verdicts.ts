import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../../schemas/package-file.js'
import type { RuleResult, Status, Waiver } from '../harness/result.js'
import type { Results } from '../harness/results.js'

/** What a run says of the bank as a whole. */
export type Outcome = 'conformant' | 'conformant with waivers' | 'not conformant'

/** What came of one rule, without what differs from run to run. */
export interface Verdict {
  rule: string
  requirement: string
  level: string
  status: Status
  /** Of observed: false when the bank does not do what it may. */
  holds?: false
  /** Such as AMB-15=ok. */
  readings: string[]
  waiver?: Waiver
}

/** The verdicts of a run: two runs that found the same are equal in them, whatever their times, ports, names and durations. */
export interface Verdicts {
  harness: Results['harness']
  /** Id of the edition of the specification. */
  edition: string
  /** SHA-256 of the register of requirements and of the register of ambiguities, by which rules judge; no rule reads the rest of an edition. */
  registers: { requirements: string; ambiguities: string }
  outcome: Outcome
  /** By rule id. */
  results: Verdict[]
}

export function verdictsOf(results: Results): Verdicts {
  const { edition } = results
  return {
    harness: results.harness,
    edition,
    registers: {
      requirements: digestOf(edition, 'requirements.yaml'),
      ambiguities: digestOf(edition, 'ambiguities.yaml'),
    },
    outcome: outcomeOf(results.results),
    results: results.results.map(verdictOf),
  }
}

export function verdictOf({ rule, requirement, level, status, finding, readings, waiver }: RuleResult): Verdict {
  return {
    rule,
    requirement,
    level,
    status,
    ...(status === 'observed' && finding && { holds: false }),
    readings: readings.map(({ ambiguity, reading }) => `${ambiguity}=${reading}`).sort(),
    ...(waiver && { waiver }),
  }
}

/** What the results of all rules make of the bank. */
export function outcomeOf(results: readonly Pick<Verdict, 'status' | 'level'>[]): Outcome {
  const unreached = results.some(({ status, level }) => status === 'blocked' && level === 'MUST')
  if (unreached || results.some(({ status }) => status === 'fail')) return 'not conformant'
  return results.some(({ status }) => status === 'waived') ? 'conformant with waivers' : 'conformant'
}

function digestOf(edition: string, register: string): string {
  return createHash('sha256')
    .update(readFileSync(packageFile(`schemas/editions/${edition}/${register}`)))
    .digest('hex')
}
