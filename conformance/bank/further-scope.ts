import { Skip } from '../evidence/failure.js'
import { scopesOfBoth } from './claims.js'
import type { Conversation } from './conversation.js'
import { asOwn, client, registration } from './registration.js'
import { replacement, replaceRecord } from './registration-management.js'
import { openSession, type Session } from './session.js'
import type { Login } from './token.js'

/** A client that a PUT gave a further scope, once its person had approved all that was registered before. */
export interface FurtherScope {
  /** Of the person, who has not been asked for the further scope. */
  session: Session
  /** Before the PUT. */
  login: Login
  approved: string
  further: string
  /** Has a PUT take away what was approved: as many scopes are registered then as were approved. */
  exchange(): Promise<void>
}

/**
 * Such a client, once in a run for each name: who asks in its session approves nothing.
 * @throws Skip where the bank declares fewer than two data scopes
 */
export function furtherScope(conversation: Conversation, name: string): Promise<FurtherScope> {
  return conversation.shared(`${name}, a further scope by PUT`, async (own) => {
    const { dataScopes } = await client(own)
    const [approved, further] = [...new Set([...scopesOfBoth(dataScopes), ...dataScopes])]
    if (!approved || !further) throw new Skip('the bank declares fewer than two data scopes')
    const scope = `openid ${approved}`
    const clientMetadata = { client_name: `Conformance ${name} after PUT`, scope }
    const registered = await asOwn(await registration(own, clientMetadata))
    const session = openSession(own, { clientMetadata })
    const login = await session.signIn({ scope })
    await replaceRecord(own, registered, replacement(registered, { scope: `${scope} ${further}` }))
    const exchange = () => replaceRecord(own, registered, replacement(registered, { scope: `openid ${further}` }))
    return { session, login, approved, further, exchange }
  })
}
