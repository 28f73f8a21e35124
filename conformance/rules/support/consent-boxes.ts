import type { Tools } from '../../harness/rule.js'

/** Why a rule that unticks one box of two is skipped where scopes have no two. */
export const oneBox = 'one box of the consent screen stands for all of the scopes that this needs, as login.pages says'

/**
 * Scopes by the box that stands for them, of which there are to be two.
 *
 * @throws Skip where there is one, or where there are fewer than two scopes
 */
export function twoBoxes(
  { bank, skip }: Pick<Tools, 'bank' | 'skip'>,
  scopes: readonly string[],
): [string[], string[], ...string[][]] {
  if (scopes.length < 2) return skip('the bank declares fewer than two data scopes')
  const [one, two, ...others] = bank.consentBoxes(scopes)
  return one && two ? [one, two, ...others] : skip(oneBox)
}
