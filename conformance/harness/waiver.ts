import type { RuleResult, Waiver } from './result.js'

/** Whether a result is one that a waiver can take: a broken MUST, or one that could not be reached. */
function isWaivable({ status, level }: RuleResult): boolean {
  return status === 'fail' || (status === 'blocked' && level === 'MUST')
}

/** The result as the waivers leave it: a failure that one of them takes is waived, everything else stays. */
export function withWaivers(result: RuleResult, waivers: readonly Waiver[]): RuleResult {
  const waiver = waivers.find(({ rule }) => rule === result.rule)
  return waiver && isWaivable(result) ? { ...result, status: 'waived', waiver } : result
}

/** How a waiver is told in a line. */
export function waiverLine({ reason, owner, issue, expires }: Waiver): string {
  return `waived until ${expires} by ${owner} (${issue}): ${reason}`
}
