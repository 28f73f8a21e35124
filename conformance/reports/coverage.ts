import { openEdition, type Requirement } from '../../schemas/editions/index.js'
import type { Status } from '../harness/result.js'
import { mostSevere, type Results } from '../harness/results.js'

/** What a run says of one section of the specification, in numbers of requirements. */
export interface SectionCoverage {
  section: string
  requirements: number
  /** By what came of their rules: of several the most severe. */
  examined: Partial<Record<Status, number>>
  /** That the harness, or an attestation of the bank, could show, but for which no rule was run. */
  notExamined: number
  /** That cannot be seen from outside. */
  inside: number
}

/** By section, in the order of the specification's requirements. */
export function coverageBySection({ edition, results }: Results): SectionCoverage[] {
  const { requirements } = openEdition(edition)
  return [...new Set(requirements.map(({ section }) => section))].map((section) => {
    const own = requirements.filter((requirement) => requirement.section === section)
    const examined: SectionCoverage['examined'] = {}
    let notExamined = 0
    for (const { id } of own.filter(hasRules)) {
      const status = mostSevere(results.filter(({ requirement }) => requirement === id))
      if (status) examined[status] = (examined[status] ?? 0) + 1
      else notExamined += 1
    }
    const inside = own.filter((requirement) => !hasRules(requirement)).length
    return { section, requirements: own.length, examined, notExamined, inside }
  })
}

function hasRules({ by }: Requirement): boolean {
  return by === 'harness' || by === 'manual'
}
