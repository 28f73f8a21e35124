import type { Authorization } from './authorization.js'
import type { Conversation } from './conversation.js'
import { openSession, type Session } from './session.js'
import type { Login } from './token.js'

/** How old a session has to get before a max_age of one second is over, and a time of it is not that of what came later, in milliseconds. */
export const sessionAgeMs = 2_100

/** A session that somebody signed in with, the login of that, and what came of a further request once it was some seconds old. */
export interface AgedSession {
  session: Session
  signedIn: Login
  further: Authorization
}

/** Such a session, once in a run: both requests with a max_age that it does not reach. */
export function agedSession(conversation: Conversation): Promise<AgedSession> {
  return conversation.shared('an aged session', async (own) => {
    const session = openSession(own, { clientMetadata: { client_name: 'Conformance aged sessions' } })
    const parameters = { max_age: '600' }
    const signedIn = await session.signIn({ parameters })
    await own.run.service.wait(sessionAgeMs)
    return { session, signedIn, further: await session.ask({ parameters }) }
  })
}
