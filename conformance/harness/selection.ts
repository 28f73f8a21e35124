import { didYouMean } from '../nearest.js'
import type { Rule } from './rule.js'

/**
 * Which rules to run. A pattern is a rule id or a requirement id, in which * stands for any characters; one that begins with !
 * leaves out what the rest of it matches.
 */
export interface Selection {
  /** Rules that match any of these; all when none is given that takes. */
  only: readonly string[]
  /** Of those, not the ones that match any of these. */
  skip: readonly string[]
}

/** A pattern matches no rule, or no rule is left. */
export class SelectionError extends Error {}

/**
 * Selects rules; their order stays.
 * @throws SelectionError naming the pattern, since a selection that means nothing is a mistake
 */
export function select(rules: readonly Rule[], { only, skip }: Selection): Rule[] {
  const takes = only.filter((pattern) => !pattern.startsWith('!'))
  const leaves = [...skip, ...only.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))]
  for (const pattern of [...takes, ...leaves]) {
    const unknown = unknownPattern(pattern, rules)
    if (unknown !== undefined) throw new SelectionError(unknown)
  }
  const wanted = rules.filter((rule) => takes.length === 0 || takes.some((pattern) => matching(pattern)(rule)))
  const selected = wanted.filter((rule) => !leaves.some((pattern) => matching(pattern)(rule)))
  if (selected.length === 0) throw new SelectionError('the selection leaves no rule to run')
  return selected
}

/** What is to be said of a pattern that means nothing; undefined where it matches something. */
export function unknownPattern(pattern: string, rules: readonly Rule[]): string | undefined {
  if (rules.some(matching(pattern))) return undefined
  return `${pattern} matches no rule and no requirement of a rule${didYouMean(pattern, patternsOf(rules))}`
}

/** What could have been meant: rules, requirements, and all of a topic. */
function patternsOf(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ id, requirement }) => [id, requirement, id.replace(/\/.*/, '/*')])
}

function matching(pattern: string): (rule: Rule) => boolean {
  return (rule) => matches(pattern, rule)
}

/** Whether a pattern means a rule, by its id or by the id of its requirement. */
export function matches(pattern: string, { id, requirement }: { id: string; requirement: string }): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  const expression = new RegExp(`^${parts.join('.*')}$`)
  return expression.test(id) || expression.test(requirement)
}
