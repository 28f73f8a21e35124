import { doubtOf, Skip, StepFailure } from '../evidence/failure.js'
import { personOf } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { dressing } from './dressing.js'
import { isOrdinary, standsIn } from './person.js'
import { client } from './registration.js'
import { grantedScopes, token } from './token.js'

/**
 * Finds out, once in each dress and before anything else is done in it, whether the person of its kind can do what the one of kind full can:
 * log in at the highest level, and be granted every scope. A bank may well grant nobody what it knows nothing of. Without such a person the one
 * of kind full does everything in that dress too.
 */
export async function findStandIn(conversation: Conversation): Promise<void> {
  const kind = dressing()?.anybody
  const known = kind === undefined ? undefined : personOf(conversation.run.target.people, kind)
  if (kind === undefined || !known || !isOrdinary(known)) return
  if (await conversation.shared(`whether ${kind} stands in`, (own) => isGrantedAll(own, kind)))
    standsIn(conversation.run, kind)
}

async function isGrantedAll(own: Conversation, person: string): Promise<boolean> {
  const { dataScopes } = await client(own)
  const level = (await discover(own)).declared('acr_values_supported')?.includes('loa3')
  const parameters = level ? { acr_values: 'loa3' } : {}
  try {
    const { response } = await token(own, { person, scope: ['openid', ...dataScopes].join(' '), parameters })
    const granted = await grantedScopes(response)
    return dataScopes.every((scope) => granted.includes(scope))
  } catch (error) {
    const isRefused = error instanceof StepFailure && doubtOf(error) === undefined
    if (isRefused || error instanceof Skip || error instanceof TargetError) return false
    throw error
  }
}
