import type { RuleResult } from '../harness/result.js'

/** Says of a rule that passed how much less it judged than at the bundled bank; undefined of the others. */
export function judgedLess({ status, judged, judgedAtBundledBank: most }: RuleResult): string | undefined {
  if (status !== 'pass' || judged === undefined || most === undefined || judged >= most) return undefined
  return `judged ${judged} of the ${most} things that it judges at the bundled bank`
}
