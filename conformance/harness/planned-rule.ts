import type { Edition, Requirement } from '../../schemas/editions/index.js'
import type { Rule } from './rule.js'

/** A rule of a run, with what the edition of the run says of its requirement. */
export type PlannedRule = Omit<Rule, 'requirement'> & { readonly requirement: Requirement }

/**
 * The rules with their requirements of an edition; their order stays.
 * @throws Error when the edition does not have the requirement of a rule, or has it shown neither by the harness nor by an attestation
 */
export function plannedRules(edition: Edition, rules: readonly Rule[]): PlannedRule[] {
  return rules.map((rule) => ({ ...rule, requirement: requirementFor(edition, rule) }))
}

function requirementFor(edition: Edition, { id, requirement: named, needs }: Rule): Requirement {
  const requirement = edition.requirements.find((one) => one.id === named)
  if (!requirement) throw new Error(`${id} is about ${named}, which edition ${edition.id} does not have`)
  const { by } = requirement
  // What takes time is shown by the mock alone, unless the bank's clock can be moved or somebody waits.
  if (by === 'harness' || by === 'manual' || (by === 'mock' && needs.includes('clock'))) return requirement
  throw new Error(`${id} is about ${named}, which in edition ${edition.id} is not shown by the harness but by ${by}`)
}
