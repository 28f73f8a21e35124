import type { RuleResult } from '../harness/result.js'
import { alike } from './alike.js'

/** The rules that were skipped, by the reason: what the target file, or the bank, does not have. */
export function skipsByReason(
  results: readonly Pick<RuleResult, 'rule' | 'status' | 'reason'>[],
): { reason: string; rules: string[] }[] {
  const reasonOf = ({ reason = 'no reason given' }: Pick<RuleResult, 'reason'>) => reason
  const skipped = results.filter(({ status }) => status === 'skip')
  return alike(skipped, reasonOf).map((group) => ({
    reason: reasonOf(group[0]),
    rules: group.map(({ rule }) => rule),
  }))
}
