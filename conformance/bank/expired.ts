import { BankFailure, Skip } from '../evidence/failure.js'
import { complete } from './authorization.js'
import { userDataEndpoints } from './claims.js'
import type { ClientRequest } from './client-request.js'
import type { Conversation } from './conversation.js'
import { inStep } from './steps.js'
import { codeExchangeOf, freshLogin, type Login } from './token.js'
import { introspected } from './token-state.js'
import { userDataOnce } from './user-data.js'

/** What was good, until the time came that its answer told. */
export interface Expired {
  /** Its access token was live before, and what data it gave is remembered. */
  login: Login
  /** The exchange of a code that was never used; one like it succeeded before. */
  unused: ClientRequest
}

/** Seconds by which clocks may differ (RFC 7519 section 4.1.4: "a few minutes, to account for clock skew"). */
const clockSkewSeconds = 180

/** The longest that a run waits for something to expire, in seconds; a clock that can be moved has no such bound. */
const longestWaitSeconds = 2 * 3600

/** A login and a code, once in a run, at a time when both have expired: a code lives ten minutes at most (published). */
export function expiredOnce(conversation: Conversation): Promise<Expired> {
  return conversation.shared('expired login', async (own) => {
    const { run } = own
    if (!run.service.pass) throw new Skip('nothing lets time pass at the bank')
    const login = await freshLogin(own, {})
    const unused = await codeExchangeOf(await complete(own, {})).prepare(own)
    await introspected(own, login.client, login.accessToken)
    // Whether there was data is for those to judge who ask for it again.
    await Promise.allSettled(userDataEndpoints.map((endpoint) => userDataOnce(own, endpoint, login)))
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
