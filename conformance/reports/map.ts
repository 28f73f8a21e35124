import { openEdition } from '../../schemas/editions/index.js'
import type { RuleResult } from '../harness/result.js'
import { mostSevere, type Results } from '../harness/results.js'

/** A requirement on the map of the specification. */
export interface Cell {
  requirement: string
  text: string
  /** The gravest of its results; absent where no rule about it was run. */
  result?: RuleResult
}

/** The requirements of the run's edition by section, both in its order, each with what came of its rules. */
export function mapOf({
  edition,
  results,
}: Pick<Results, 'edition' | 'results'>): { section: string; cells: Cell[] }[] {
  const { requirements } = openEdition(edition)
  return [...new Set(requirements.map(({ section }) => section))].map((section) => ({
    section,
    cells: requirements
      .filter((requirement) => requirement.section === section)
      .map(({ id, text }) => {
        const own = results.filter(({ requirement }) => requirement === id)
        const status = mostSevere(own)
        const result = own.find((one) => one.status === status)
        return { requirement: id, text, ...(result && { result }) }
      }),
  }))
}
