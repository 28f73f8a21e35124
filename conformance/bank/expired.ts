import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { userDataEndpoints } from './claims.js'
import type { Conversation } from './conversation.js'
import { refresh, refreshParameter } from './refresh.js'
import { inStep } from './steps.js'
import { type CodeExchange, type Login, type OfflineLogin, offlineToken, token } from './token.js'
import { introspection } from './token-state.js'
import { userData } from './user-data.js'

/** What was good, until the time came that its answer told. */
export interface Expired {
  /** Its access token was live before, and what data it gave is remembered. */
  login: Login
  /** The exchange of a code that was never used; one like it succeeded before. */
  unused: CodeExchange
  /** What /token-info said of live access tokens shortly before they expired. */
  near: { login: HttpResponse; refreshed?: HttpResponse }
}

/** Seconds by which clocks may differ (RFC 7519 section 4.1.4: "a few minutes, to account for clock skew"). */
const clockSkewSeconds = 180

/** How long before its expiry a token is looked at, in seconds. */
const marginSeconds = 120

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
    const refreshed = await refreshedToken(own)
    const seconds = await lifetime(login)
    if (!run.target.control && seconds + clockSkewSeconds > longestWaitSeconds) {
      throw new Skip(`access tokens live ${seconds} s, and a run waits for ${longestWaitSeconds} s at most`)
    }
    await run.service.pass(seconds - marginSeconds)
    const introspected = (token: string) => introspection.try(own, { client: login.client, token })
    const near = {
      login: await introspected(login.accessToken),
      ...(refreshed && { refreshed: await introspected(refreshed) }),
    }
    await run.service.pass(marginSeconds + clockSkewSeconds)
    return { login, unused, near }
  })
}

/** The access token of a refresh; undefined where the bank gives none, which others look at. */
async function refreshedToken(conversation: Conversation): Promise<string | undefined> {
  const [login] = await Promise.allSettled([offlineToken.fresh(conversation)])
  if (login.status === 'rejected') return undefined
  const token = (await refresh.try(conversation, { login: login.value })).member('access_token')
  return typeof token === 'string' ? token : undefined
}

/** Seconds of a year, less the few days by which a refresh token that dies early is told from one that does not. */
const nearYearSeconds = 360 * 24 * 3600

/**
 * A login that gave a refresh token, once in a run, when the token has a few days left of its year.
 * @throws Skip where the bank's clock cannot be moved
 */
export function nearYear(conversation: Conversation): Promise<OfflineLogin> {
  return conversation.shared('login of a year ago', async (own) => {
    const { run } = own
    if (!run.service.pass || !run.target.control) throw new Skip('nothing lets a year pass at the bank')
    await refreshParameter(own)
    // What passes there passes for all; this comes after it.
    await expired(own)
    const login = await offlineToken.fresh(own)
    await run.service.pass(nearYearSeconds)
    return login
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
