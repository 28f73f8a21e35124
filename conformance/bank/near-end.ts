import { BankFailure, doubtOf, Skip, StepFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { missing, type Need, toLogIn, toRegister, toSign } from '../target/needs.js'
import { TargetError } from '../target/target-error.js'
import { type UserData, userDataEndpoints } from './claims.js'
import type { Conversation } from './conversation.js'
import { frontChannelLogin } from './front-channel.js'
import { nextRefreshToken, refresh } from './refresh.js'
import type { Client } from './registration.js'
import { signingResult } from './signing.js'
import { signingFlow } from './signing-flow.js'
import { offlineToken } from './token.js'
import { introspection } from './token-state.js'
import { userData } from './user-data.js'

/** An access token, and how data are asked for with it. */
interface Held {
  client: Client
  accessToken: string
  ask(endpoint: UserData): Promise<HttpResponse>
}

/** An access token that is looked at once more before it ends. */
export interface Watched extends Held {
  what: string
  /** The endpoints that gave data for it. */
  serving: readonly UserData[]
  /** Seconds from the issue of the access token that they all are watched beside to the end that this one was given. */
  ends: number
}

/** What the bank made of an access token shortly before its end. */
export interface NearEnd {
  what: string
  /** What /token-info said of it. */
  introspected: HttpResponse
  /** What the endpoints answered that gave data for it before. */
  data: readonly (readonly [UserData, HttpResponse])[]
}

/** A refresh token that a refresh gave, or left good. */
export interface RotatedToken {
  client: Client
  refreshToken: string
  /** When the login was with which its year began, in Unix seconds of the bank. */
  since: number
}

/** Something that not every bank has, or why there is nothing. */
export type Found<Thing> = { thing: Thing } | { lacking: string }

/** An access token of a refresh, with the refresh token that is good then. */
export interface RefreshedLogin extends Held {
  rotated: RotatedToken
}

/** A login of its own whose tokens were refreshed. */
export function refreshedLogin(conversation: Conversation): Promise<Found<RefreshedLogin>> {
  return ifThere(conversation, toLogIn, async () => {
    const { client, refreshToken } = await offlineToken.fresh(conversation)
    const since = conversation.run.service.clock()
    const response = await refresh.try(conversation, { login: { client, refreshToken } })
    const accessToken = response.member('access_token')
    if (typeof accessToken !== 'string') throw new Skip('the refresh gave none (see token/refresh)')
    const rotated = { client, refreshToken: nextRefreshToken(response, refreshToken), since }
    return { ...held(conversation, { client, accessToken }), rotated }
  })
}

/** That of an authorized object that is only looked at. */
export function signedLogin(conversation: Conversation): Promise<Found<Held>> {
  return ifThere(conversation, toSign, async () => {
    const result = await signingResult(conversation)
    const { client, accessToken } = result
    return { client, accessToken, ask: (endpoint) => signingFlow.userData(conversation, endpoint, result) }
  })
}

/** That of a login by response_type token that is only looked at. */
export function heldOfFrontChannel(conversation: Conversation): Promise<Found<Held>> {
  return ifThere(conversation, [...toLogIn, ...toRegister], async () => {
    const login = await frontChannelLogin(conversation)
    if (!login) throw new Skip('the bank does not declare response type token and grant implicit')
    return held(conversation, login)
  })
}

/** An access token of which data are asked for as usual. */
export function held(conversation: Conversation, { client, accessToken }: Pick<Held, 'client' | 'accessToken'>): Held {
  return { client, accessToken, ask: (endpoint) => userData[endpoint].try(conversation, { client, accessToken }) }
}

/**
 * Sees that an access token is live, at which endpoints it gives data, and when it ends.
 * @param what names it in messages
 * @param issued iat of the access token that they all are watched beside, as /token-info tells it: the end is told by the same clock
 * @param bounds between which the end has to be, in seconds since then
 */
export async function watch(
  conversation: Conversation,
  what: string,
  found: Found<Held>,
  issued: unknown,
  bounds: () => { soonest: number; latest: number },
): Promise<Found<Watched>> {
  if ('lacking' in found) return found
  return ifThere(conversation, [], async () => {
    const { client, accessToken, ask } = found.thing
    const response = await introspection.try(conversation, { client, token: accessToken })
    if (response.member('active') !== true) throw new Skip('POST /token-info does not call it active')
    const ends = Number(response.member('exp')) - Number(issued)
    if (!Number.isInteger(ends)) throw new Skip('POST /token-info does not tell when it ends')
    const serving: UserData[] = []
    for (const endpoint of userDataEndpoints) if ((await ask(endpoint)).status === 200) serving.push(endpoint)
    const { soonest, latest } = bounds()
    if (ends < soonest || ends > latest)
      throw new Skip(`it ends ${ends} s after the issue of another, when nothing is looked at`)
    return { what, client, accessToken, ask, serving, ends }
  })
}

/** Asks about a token, and for the data that it gave before. */
export async function lookAt(conversation: Conversation, watched: Watched): Promise<NearEnd> {
  const { what, client, accessToken, ask, serving } = watched
  const introspected = await introspection.try(conversation, { client, token: accessToken })
  const data: [UserData, HttpResponse][] = []
  for (const endpoint of serving) data.push([endpoint, await ask(endpoint)])
  return { what, introspected, data }
}

/** What stops it is for others to say: of this nothing is looked at then. */
export async function ifThere<Thing>(
  { run }: Conversation,
  needs: readonly Need[],
  work: () => Promise<Thing>,
): Promise<Found<Thing>> {
  const lacking = needs.map((need) => missing(need, run.target)).find((reason) => reason !== undefined)
  if (lacking !== undefined) return { lacking }
  try {
    return { thing: await work() }
  } catch (error) {
    if (error instanceof TargetError) return { lacking: `the target file: ${error.mistakes.join('; ')}` }
    const isOfBank = error instanceof Skip || error instanceof BankFailure || error instanceof StepFailure
    if (isOfBank && doubtOf(error) === undefined) return { lacking: error.message }
    throw error
  }
}
