import type { RuleDefinition } from '../harness/rule.js'

/** A check that asks the bank something, judges the answer, and passes. */
export const holds: RuleDefinition['check'] = async ({ bank, expect }) => {
  expect(await bank.healthResponse()).toHaveStatus(200)
}
