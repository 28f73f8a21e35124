import type { SeenGrant, SeenJwt } from '../../bank/seen-tokens.js'
import { type Rule, type RuleDefinition, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
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

/** The answers of the run with which an endpoint gave what it was asked for, whichever client asked and whatever became of its record. */
export function repliesAt({ bank }: Pick<Tools, 'bank'>, endpoint: string): readonly HttpResponse[] {
  const { pathname } = new URL(endpoint)
  const responses = bank.seenAnswers('reply').map(({ response }) => response)
  return responses.filter(({ request }) => new URL(request.url).pathname === pathname)
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

/** Looks at each id_token of the run that its client can read. */
export async function eachIdToken(
  { bank }: Pick<Tools, 'bank'>,
  look: (grant: SeenGrant, idToken: SeenJwt) => void,
): Promise<void> {
  for (const grant of bank.seenTokens().grants()) {
    const idToken = await grant.idToken()
    if (idToken) look(grant, idToken)
  }
}

/** A parameter of the request to /auth that came once: of a request object it is the one inside (OpenID Connect Core section 6.1). */
export function askedFor({ asked }: SeenGrant, name: string): string | undefined {
  if (!asked) return undefined
  const { parameters, inside } = asked
  const byReference = parameters.request_uri !== undefined
  // What lies there may be none that we made: then nobody knows.
  if (byReference && !inside) return undefined
  const value = inside?.[name] ?? parameters[name]
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : undefined
}
