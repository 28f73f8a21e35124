import { decodeJwt } from 'jose'
import { BankFailure, StepFailure } from '../harness/failure.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { inStep } from './steps.js'
import type { Login } from './token.js'
import { fetchUserData, idTokenClaims, openJwe, openUserData } from './user-data.js'

/**
 * The sub that userinfo gives of a login; whether it is signed as it should be is for other rules.
 * @throws StepFailure when userinfo gives none
 */
export async function subjectInUserinfo(conversation: Conversation, login: Login): Promise<string> {
  const response = await fetchUserData(conversation, 'userinfo', login)
  const { content } = await openUserData(conversation, 'userinfo', response, login.application)
  return inStep('userinfo', async () => {
    const sub = subOf(content)
    if (sub !== undefined) return sub
    throw new BankFailure({ sentence: 'userinfo is no JWT with a sub', evidence: response.evidence })
  })
}

function subOf(jwt: string): string | undefined {
  try {
    return decodeJwt(jwt).sub
  } catch {
    return undefined
  }
}

/** The sub that each source but userinfo gives of a login, by the source's name; only sources that the bank declares. */
export async function subjects(conversation: Conversation, login: Login): Promise<Record<string, unknown>> {
  const { application, response } = login
  const discovery = await discover(conversation)
  const found: Record<string, unknown> = {}
  const idToken = response.member('id_token')
  if (idToken !== undefined) {
    found.id_token = subOf((await openJwe(conversation, String(idToken), 'id_token', response, application)).content)
  }
  if (discovery.value('profile_endpoint') !== undefined) {
    const profile = await fetchUserData(conversation, 'profile', login)
    found.profile = subOf((await openUserData(conversation, 'profile', profile, application)).content)
  }
  return found
}

/** The subs that an application knows the person of a login by: one, unless the bank contradicts itself. */
export async function knownSubjects(conversation: Conversation, login: Login): Promise<unknown[]> {
  const { sub } = await idTokenClaims(conversation, login)
  const inUserinfo = await subjectInUserinfo(conversation, login).catch((error: unknown) => {
    if (error instanceof StepFailure) return sub
    throw error
  })
  return [sub, inUserinfo]
}
