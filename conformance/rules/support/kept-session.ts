import type { Tools } from '../../harness/rule.js'

/** Why a rule about a session says nothing of a bank that keeps none. */
export const everybodyAnew = 'the bank has everybody sign in anew for each request: there is no session'

/**
 * Ends a rule that found no session where one was to be, unless the bank was seen to keep sessions.
 * @param error of a request with prompt=none that follows a login in the same browser
 */
export async function expectSessionKept({ bank, skip }: Pick<Tools, 'bank' | 'skip'>, error: string | null) {
  if (error !== 'login_required') return
  const anew = await bank.signsInAnew()
  if (anew === undefined) skip('prompt=none finds no session, and nobody tells whether the bank shows its sign-in page')
  if (anew) skip(everybodyAnew)
}
