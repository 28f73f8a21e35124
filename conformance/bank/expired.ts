import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { toLogIn } from '../target/needs.js'
import { userDataEndpoints } from './claims.js'
import type { Conversation } from './conversation.js'
import { laterRefreshes } from './later-refreshes.js'
import {
  type Found,
  held,
  heldOfFrontChannel,
  ifThere,
  lookAt,
  type NearEnd,
  type RotatedToken,
  refreshedLogin,
  signedLogin,
  type Watched,
  watch,
} from './near-end.js'
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
  /** What became of live access tokens shortly before they ended, that of the login among them. */
  near: readonly NearEnd[]
  /** Of which access tokens nothing was looked at then, and why: a sentence each. */
  unseen: readonly string[]
  /** A refresh token that was used by then, or came by that. */
  rotated: Found<RotatedToken>
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
    const began = run.service.clock()
    const unused = await token.prepare(own)
    const introspected = await introspection.fresh(own, { client: login.client, token: login.accessToken })
    // Whether there was data is for those to judge who ask for it again.
    const served = await Promise.allSettled(userDataEndpoints.map((endpoint) => userData[endpoint](own, login)))
    const seconds = await lifetime(login)
    if (!run.target.control && seconds + clockSkewSeconds > longestWaitSeconds) {
      throw new Skip(`access tokens live ${seconds} s, and a run waits for ${longestWaitSeconds} s at most`)
    }
    const ofLogin: Watched = {
      what: 'the access token of a login',
      ...held(own, login),
      serving: userDataEndpoints.filter((_, i) => served[i]?.status === 'fulfilled'),
      ends: seconds,
    }
    const refreshed = await refreshedLogin(own)
    // Whether there were any is for those to judge who look at them.
    await ifThere(own, toLogIn, () => laterRefreshes(own))
    const latest = run.target.control ? seconds + longestWaitSeconds : longestWaitSeconds - clockSkewSeconds
    const bounds = () => ({ soonest: run.service.clock() - began + marginSeconds / 2, latest })
    const watched = [ofLogin]
    const unseen: string[] = []
    for (const [what, found] of [
      ['the access token of a refresh', refreshed],
      ['the access token of the signing flow', await signedLogin(own)],
      ['the access token of the front channel', await heldOfFrontChannel(own)],
    ] as const) {
      const one = await watch(own, what, found, introspected.member('iat'), bounds)
      if ('thing' in one) watched.push(one.thing)
      else unseen.push(`${what} was not looked at shortly before its end: ${one.lacking}`)
    }
    const near: NearEnd[] = []
    for (const one of watched.toSorted((a, b) => a.ends - b.ends)) {
      await passUntil(own, began + one.ends - marginSeconds)
      near.push(await lookAt(own, one))
    }
    await passUntil(own, began + seconds + clockSkewSeconds)
    return {
      login,
      unused,
      near,
      unseen,
      rotated: 'thing' in refreshed ? { thing: refreshed.thing.rotated } : refreshed,
    }
  })
}

/** Has time pass at the bank up to a moment, if that has not come, in Unix seconds of the bank. */
async function passUntil({ run: { service } }: Conversation, moment: number): Promise<void> {
  const seconds = moment - service.clock()
  if (seconds > 0) await service.pass?.(seconds)
}

/** Seconds of a year, less the few days by which a refresh token that dies early is told from one that does not. */
const nearYearSeconds = 360 * 24 * 3600

/** What came of refresh tokens when they had a few days left of their year. */
export interface NearYear {
  /** A login whose refresh token was never used. */
  login: OfflineLogin
  /** The answer to a refresh token that a refresh gave, within the year of the first. */
  ofRotated: Found<HttpResponse>
}

/**
 * Refresh tokens, once in a run, when they have a few days left of their year.
 * @throws Skip where the bank's clock cannot be moved
 */
export function nearYear(conversation: Conversation): Promise<NearYear> {
  return conversation.shared('login of a year ago', async (own) => {
    const { run } = own
    if (!run.service.pass || !run.target.control) throw new Skip('nothing lets a year pass at the bank')
    await refreshParameter(own)
    // What passes there passes for all; this comes after it.
    const { rotated } = await expired(own)
    const login = await offlineToken.fresh(own)
    const ends = run.service.clock() + nearYearSeconds
    const ofRotated = await nearYearOf(own, rotated)
    await passUntil(own, ends)
    return { login, ofRotated }
  })
}

async function nearYearOf(conversation: Conversation, rotated: Found<RotatedToken>): Promise<Found<HttpResponse>> {
  if ('lacking' in rotated) return rotated
  const { since, ...login } = rotated.thing
  if (conversation.run.service.clock() > since + nearYearSeconds) return { lacking: 'its year was over before' }
  await passUntil(conversation, since + nearYearSeconds)
  return { thing: await refresh.try(conversation, { login }) }
}

/** How long the access token lives, as its answer tells, in seconds. */
function lifetime({ response }: Login): Promise<number> {
  return inStep('tokenLifetime', async () => {
    const expiresIn = response.member('expires_in')
    if (typeof expiresIn === 'number' && expiresIn > 0) return expiresIn
    throw new BankFailure({ sentence: 'the token response does not tell expires_in', evidence: response.evidence })
  })
}
