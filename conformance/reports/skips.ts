import type { RuleResult } from '../harness/result.js'

/** The rules that were skipped, by the reason: what the target file, or the bank, does not have. */
export function skipsByReason(
  results: readonly Pick<RuleResult, 'rule' | 'status' | 'reason'>[],
): { reason: string; rules: string[] }[] {
  const skipped = results.filter(({ status }) => status === 'skip')
  const reasons = [...new Set(skipped.map(({ reason = 'no reason given' }) => reason))]
  return reasons.map((reason) => ({
    reason,
    rules: skipped.filter((result) => result.reason === reason).map(({ rule }) => rule),
  }))
}
