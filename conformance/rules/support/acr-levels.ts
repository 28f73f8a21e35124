import { type Authorization, parameterOf } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import type { Expect } from '../../harness/expect.js'

/** The levels of authentication, from the lowest ("Discovery document", acr_values_supported). */
export const levels = ['loa2', 'loa3']

/** Those that the bank declares; both where it declares none. */
export async function declaredLevels(bank: Bank): Promise<readonly string[]> {
  return (await bank.discovery()).declared('acr_values_supported') ?? levels
}

/** Why a rule about a session of the lower level says nothing of a bank that reaches the higher one alone, or the lower one alone. */
export async function oneLevel(bank: Bank): Promise<string | undefined> {
  const declared = await declaredLevels(bank)
  const missing = levels.filter((level) => !declared.includes(level))
  return missing.length > 0
    ? `the bank declares no ${missing.join(' and ')}: there is nothing to step up to`
    : undefined
}

/** Expects that a request ended as one does whose person has no identity that meets it. */
export function expectOutOfReach(expect: Expect, authorization: Authorization): void {
  const { response } = authorization.callback
  expect(response).toHaveStatus(302)
  expect(parameterOf(authorization, 'error'), 'error of the callback', response).toBe('eid_doesnt_exist')
}
