import { BankFailure, StepFailure } from '../evidence/failure.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { inStep } from './steps.js'
import type { Login } from './token.js'
import { idTokenClaims, userData } from './user-data.js'

/** The sub that userinfo gives of a login. @throws StepFailure when it gives none */
export async function subjectInUserinfo(conversation: Conversation, login: Login): Promise<string> {
  const { claims, response } = await userData.userinfo(conversation, login)
  return inStep('userinfo', async () => {
    if (typeof claims.sub === 'string' && claims.sub !== '') return claims.sub
    throw new BankFailure({ sentence: 'userinfo gives no sub', evidence: response.evidence })
  })
}

/**
 * The sub that each source but userinfo gives of a login, by the source's name; only sources that the bank declares.
 * @throws StepFailure when a source gives no claims
 */
export async function subjects(conversation: Conversation, login: Login): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = { id_token: (await idTokenClaims(conversation, login)).sub }
  if ((await discover(conversation)).value('profile_endpoint') !== undefined) {
    found.profile = (await userData.profile(conversation, login)).claims.sub
  }
  return found
}

/** The subs that a client knows the person of a login by: one, unless the bank contradicts itself. */
export async function knownSubjects(conversation: Conversation, login: Login): Promise<unknown[]> {
  const { sub } = await idTokenClaims(conversation, login)
  const inUserinfo = await subjectInUserinfo(conversation, login).catch((error: unknown) => {
    if (error instanceof StepFailure) return sub
    throw error
  })
  return [sub, inUserinfo]
}
