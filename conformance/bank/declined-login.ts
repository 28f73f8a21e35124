import { Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { parameterOf } from './authorization.js'
import type { Conversation } from './conversation.js'
import { client } from './registration.js'
import { openSession, type Session } from './session.js'
import { introspection } from './token-state.js'

/** A session in which a person approved one data scope, and then declined consent to another. */
export interface DeclinedLogin {
  session: Session
  /** Space-separated: what was declined, with what had been approved. */
  scope: string
  /** What /token-info said of the access token of the login, before and after. */
  before: HttpResponse
  after: HttpResponse
}

/** Once in a run, at a client of its own. @throws Skip when the bank declares too few data scopes, or the person came to a code all the same */
export function declinedLogin(conversation: Conversation): Promise<DeclinedLogin> {
  return conversation.shared('declined login', async (own) => {
    const clientMetadata = { client_name: 'Conformance declined before' }
    const owner = await client(own, clientMetadata)
    const [first, second] = owner.dataScopes
    if (!first || !second) throw new Skip('the bank declares fewer than two data scopes')
    const session = openSession(own, { clientMetadata })
    const { accessToken } = await session.signIn({ scope: `openid ${first}` })
    const introspected = () => introspection.try(own, { client: owner, token: accessToken })
    const before = await introspected()
    const scope = `openid ${first} ${second}`
    const declined = await session.ask({ scope, actions: { consent: 'refuse' } })
    // That the declined request itself gives no code is AUTH-30's.
    if (parameterOf(declined, 'code') !== null) throw new Skip('the request whose consent was declined gave a code')
    return { session, scope, before, after: await introspected() }
  })
}
