import { BankFailure, Skip } from '../evidence/failure.js'
import { userDataEndpoints } from './claims.js'
import type { Conversation } from './conversation.js'
import { inStep } from './steps.js'
import { type CodeExchange, type Login, token } from './token.js'
import { introspection } from './token-state.js'
import { userData } from './user-data.js'

/** What was good, until the time came that its answer told. */
export interface Expired {
  /** Its access token was live before, and what data it gave is remembered. */
  login: Login
  /** The exchange of a code that was never used; one like it succeeded before. */
  unused: CodeExchange
}

/** Seconds by which clocks may differ (RFC 7519 section 4.1.4: "a few minutes, to account for clock skew"). */
const clockSkewSeconds = 180

/** The longest that a run waits for something to expire, in seconds; a clock that can be moved has no such bound. */
const longestWaitSeconds = 2 * 3600

/** A login and a code, once in a run, at a time when both have expired: a code lives ten minutes at most (published). */
export function expired(conversation: Conversation): Promise<Expired> {
  return conversation.shared('expired login', async (own) => {
    const { run } = own
    if (!run.service.pass) throw new Skip('nothing lets time pass at the bank')
    const login = await token.fresh(own)
    const unused = await token.prepare(own)
    await introspection.fresh(own, { client: login.client, token: login.accessToken })
    // Whether there was data is for those to judge who ask for it again.
    await Promise.allSettled(userDataEndpoints.map((endpoint) => userData[endpoint](own, login)))
    const seconds = (await lifetime(login)) + clockSkewSeconds
    if (!run.target.control && seconds > longestWaitSeconds) {
      throw new Skip(
        `access tokens live ${seconds - clockSkewSeconds} s, and a run waits for ${longestWaitSeconds} s at most`,
      )
    }
    await run.service.pass(seconds)
    return { login, unused }
  })
}

/** How long the access token lives, as its answer tells, in seconds. */
function lifetime({ response }: Login): Promise<number> {
  return inStep('tokenLifetime', async () => {
    const expiresIn = response.member('expires_in')
    if (typeof expiresIn === 'number' && expiresIn > 0) return expiresIn
    throw new BankFailure({ sentence: 'the token response does not tell expires_in', evidence: response.evidence })
  })
}
