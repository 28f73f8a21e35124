import type { SeenGrant } from '../../bank/seen-tokens.js'
import { type Rule, type RuleDefinition, rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'

/** A place of these rules: the request of their own asks for everything at once. */
export const everything = 'scope=everything'

/**
 * A rule about what holds of every token: it is judged of each that came in the run, and of all that was told of them, in combinations too that
 * no rule looks at by itself. Whether a token is given is the business of the rules that asked.
 */
export function throughout({
  check,
  ...definition
}: Pick<RuleDefinition, 'id' | 'places' | 'requirement' | 'title'> & {
  check(tools: Tools): Promise<void> | void
}): Rule {
  return rule({
    ...definition,
    needs: toLogIn,
    last: true,
    async check(tools) {
      await tools.bank.muchAsked()
      await check(tools)
    },
  })
}

/**
 * An algorithm that the client of a token registered, of those that the bank declares: what becomes of any other, which a bank may have put
 * another in place of, is for the rules about it (DISC-13).
 */
export function registeredOf(
  { client: { metadata } }: SeenGrant,
  member: string,
  declared: readonly string[] | undefined,
): string | undefined {
  const value = metadata[member]
  return typeof value === 'string' && declared?.includes(value) ? value : undefined
}
