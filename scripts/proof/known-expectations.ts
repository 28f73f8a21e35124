import { readFileSync, writeFileSync } from 'node:fs'
import { packageFile } from '../../schemas/package-file.js'

const file = packageFile('scripts/proof/expectations.json')

/** What is tried: the name of an expectation, and what is wrong, in words. */
export type Try = readonly [expectation: string, wrong: string]

/** What makes the expectations of a rule fail, beside the first wrong answers that are tried for each. */
export interface KnownOfRule {
  tries?: readonly Try[]
  /** Faults and variants under which each variation of the rule is tried. */
  cases?: readonly string[]
  /** Names of expectations that nothing is known to make fail. */
  open?: readonly string[]
  /** How many expectations it had then; left out of a rule that judges what others asked for, which has more in a run of them all. */
  count?: number
}

/** By the id of the rule; of a rule that is missing, what makes its expectations fail was never sought. */
export type KnownExpectations = Record<string, KnownOfRule>

/** What is checked in. */
export function readKnown(): KnownExpectations {
  return JSON.parse(readFileSync(file, 'utf8')) as KnownExpectations
}

/** Writes it, each rule in a line of its own: changes of different rules can then be merged. */
export function writeKnown(known: KnownExpectations): void {
  const rows = Object.entries(known).map(([rule, ofRule]) => {
    const said = Object.entries(ofRule).filter(([, one]) => typeof one === 'number' || one.length > 0)
    return `${JSON.stringify(rule)}: ${JSON.stringify(Object.fromEntries(said))}`
  })
  writeFileSync(file, `{\n${rows.toSorted().join(',\n')}\n}\n`)
}
