import type { Browser } from '../end-user/end-user.js'
import type { HttpResponse } from '../http/http.js'
import { missing } from '../target/needs.js'
import { eventSecondsOf } from '../target/target.js'
import { type Authorization, authorizeIn, complete, parameterOf } from './authorization.js'
import { type UserData, userDataEndpoints } from './claims.js'
import { type Metadata, undeclaredMethods } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { dressing } from './dressing.js'
import { endSession, endSessionAddress, expectAnswered, framesOf, offersReturn, silently } from './end-session.js'
import {
  type EventToken,
  eventAddress,
  heardTokens,
  hearFurther,
  hearToken,
  type InTime,
  inTime,
  type Recipient,
  recipientOf,
} from './event-token.js'
import { publicSubjects } from './public-subjects.js'
import { nextRefreshToken, refresh } from './refresh.js'
import { readableScope } from './refreshed-signing.js'
import { asOwn, type Client, client, registration } from './registration.js'
import { manage, replacement, replaceRecord } from './registration-management.js'
import { sectorDocument } from './sector-document.js'
import { signsInAnew } from './session.js'
import { asSignIns } from './sign-in-pages.js'
import { type Result, signingResult } from './signing.js'
import { signingFlow } from './signing-flow.js'
import { inStep, unlessStopped } from './steps.js'
import { knownSubjects } from './subjects.js'
import { type Login, token } from './token.js'
import { introspection } from './token-state.js'
import { idTokenClaims, userData } from './user-data.js'

/** A client that took part in a session. */
interface Participant {
  /** Which of the clients of the session it is. */
  what: string
  /** Its changes of the default record. */
  clientMetadata: Metadata
  login: Login
  recipient: Recipient
  /** What it knows the person by. */
  subjects: readonly unknown[]
  /** What it knows the session by, when its id_token says it. */
  sid: unknown
  /** What a refresh before the logout gave, when it has a refresh token. */
  refreshed?: { response: HttpResponse; accessToken: string; refreshToken: string }
}

/** What an access token is good for after the logout. */
export interface TokenAfter {
  what: 'the access token of the code' | 'the access token of the refresh'
  /** The answers of /userinfo and /profile. */
  withData: ReadonlyMap<UserData, HttpResponse>
  introspected: HttpResponse
}

/** What became of an access token of the session that did not come of a login by code. */
export interface FurtherToken {
  token: string
  /** Introspection before and after. */
  before: HttpResponse
  after: HttpResponse
  /** The answers of /userinfo and /profile, before and after. */
  withData: ReadonlyMap<UserData, { before: HttpResponse; after: HttpResponse }>
}

/** A client after the logout. */
export interface LoggedOut extends Participant {
  /** What it was told, when it was, and in which time that had to come. */
  token: EventToken | undefined
  inTime: InTime
  /** Each of its access tokens. */
  tokens: readonly TokenAfter[]
  /** The answer to a refresh after the logout, when it had a refresh token. */
  withRefreshToken?: HttpResponse
}

/** A client that the logout is no business of. */
interface Stranger {
  what: string
  recipient: Recipient
  /** The answer that made it a client, or logged somebody in at it. */
  seenIn: HttpResponse
  /** Whether a bank that does not look at what is registered may tell it, at the fixed address. */
  toldAtFixedAddress?: boolean
}

/** A logout and what came of it. */
export interface Logout {
  clients: readonly LoggedOut[]
  /** Clients that the logout is no business of, and what came for each: never logged in at, or elsewhere, and registered no more. */
  strangers: readonly { what: string; uri: string; token: EventToken | undefined; seenIn: HttpResponse }[]
  /** Introspection of an access token of a login in another browser, before and after; undefined where there is but one session. */
  elsewhere: { before: HttpResponse; after: HttpResponse } | undefined
  /**
   * The id_token that a login by session in that other browser gave after the logout, and what its client knew the person by before; undefined
   * where there was none.
   */
  loggedInLater: { sub: unknown; subjects: readonly unknown[]; response: HttpResponse } | undefined
  /** What the client of the other browser was told when that was logged out of too; undefined where there is but one session. */
  second: { recipient: Recipient; token: EventToken | undefined; seenIn: HttpResponse; inTime: InTime } | undefined
  /** The access token of the session that /auth gave; undefined where the bank declares none such. */
  ofFrontChannel: FurtherToken | undefined
  /**
   * That of an object which was authorized within the session, in front of no page on which people sign in; undefined where the bank has no
   * such flow or gave none.
   */
  ofSigning: FurtherToken | undefined
  /** How POST /token answered a code from before the logout; undefined where the session gave none. */
  redeemed: HttpResponse | undefined
  /** The bank's last answer to the request at end_session_endpoint. */
  response: HttpResponse
  /** The bank's own pages in frames of it. */
  framed: readonly HttpResponse[]
  /** When that was asked for, in Unix seconds of the bank. */
  at: number
  /** In how many seconds from then everybody had to be told. */
  within: number
  /** What came of prompt=none in the same browser, before and after. */
  before: Authorization
  after: Authorization
  /** The same asked by another client of the session. */
  afterAtAnother: Authorization
}

/** A host of a sector of its own; nobody has to be there, since no redirect to it is followed. */
const addressAt = (name: string, path: string) => `https://${name}.logout.example/${path}`

const scope = 'openid profile.name'

/** How long is waited for what should not come once what should has, in milliseconds. */
const quietPeriodMs = 500

/** The record of a client that hears of logouts, in the front channel too where the bank offers that. */
async function hearing(conversation: Conversation, name: string, uri: string): Promise<Metadata> {
  const discovery = await discover(conversation)
  const offline = discovery.declared('grant_types_supported')?.includes('refresh_token') === true
  return {
    redirect_uris: [addressAt(name, 'callback')],
    backchannel_logout_uri: uri,
    backchannel_logout_session_required: true,
    ...((await offersReturn(conversation)) && {
      // The address may have a query of its own (OpenID Connect Front-Channel Logout 1.0 section 2).
      frontchannel_logout_uri: addressAt(name, name === 'three' ? 'front-channel?of=three' : 'front-channel'),
      frontchannel_logout_session_required: true,
    }),
    grant_types: offline ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    scope: offline ? `${scope} offline_access` : scope,
  }
}

/** Logs the person in at a client, in a browser that they use for others too. */
async function participate(
  own: Conversation,
  browser: Browser,
  name: string,
  uri: string,
  changes: Metadata = {},
): Promise<Participant> {
  const clientMetadata = { ...(await hearing(own, name, uri)), ...changes }
  const options = await complete(own, { clientMetadata, scope: String(clientMetadata.scope) })
  const authorization = await inStep('authorization', () => authorizeIn(own, options, browser))
  const login = await token.fresh(own, { authorization })
  const recipient = recipientOf(await client(own, clientMetadata), uri)
  const { sid } = await idTokenClaims(own, login)
  const subjects = await knownSubjects(own, login)
  return { what: `client ${name}`, clientMetadata, login, recipient, subjects, sid }
}

/**
 * The same at a client of a sector that it names, which has another address to be told at since the login, by PUT; where the bank takes no
 * PUT, the one it registered.
 */
async function participateElsewhere(own: Conversation, browser: Browser, name: string): Promise<Participant> {
  const sector_identifier_uri = await sectorDocument(own, [addressAt(name, 'callback')])
  const one = await participate(own, browser, name, eventAddress(own), { sector_identifier_uri })
  // With a query, which is part of the address (RFC 3986 section 3.4).
  return toldElsewhere(own, one, `${eventAddress(own)}?of=${name}`)
}

/** A participant that a PUT gives another address to be told at; where the bank takes no PUT, as it was. */
async function toldElsewhere(own: Conversation, one: Participant, uri: string): Promise<Participant> {
  const registered = await asOwn(await registration(own, one.clientMetadata))
  const put = replaceRecord(own, registered, replacement(registered, { backchannel_logout_uri: uri })).then(() => uri)
  const [taken] = await unlessStopped(put)
  return { ...one, recipient: { ...one.recipient, uri: taken ?? one.recipient.uri } }
}

/**
 * Logs the person in at one client more, where each login is a session of its own, of which a logout ends the last: at a bank that has
 * everybody sign in anew, and does not say by sid that the logins before are of one session.
 */
async function inSessionOfItsOwn(
  own: Conversation,
  browser: Browser,
  participants: readonly Participant[],
): Promise<Participant | undefined> {
  const [sid, ...others] = new Set(participants.map((one) => one.sid))
  if (sid !== undefined && others.length === 0) return undefined
  return withRefresh(own, await participate(own, browser, 'last', eventAddress(own)))
}

/** Has the data of a token asked for, which the bank may remember. */
async function askForData(own: Conversation, of: Pick<Login, 'client' | 'accessToken'>): Promise<void> {
  for (const endpoint of userDataEndpoints) await userData[endpoint].try(own, of)
}

/** A client whose id_tokens are not signed, where the bank declares that (AMB-9): what it is told of a logout is signed all the same. */
async function unsigned(own: Conversation, browser: Browser): Promise<Participant[]> {
  const alg = 'none'
  if (!(await discover(own)).declared('id_token_signing_alg_values_supported')?.includes(alg)) return []
  const changes = { id_token_signed_response_alg: alg }
  return unlessStopped(participate(own, browser, 'unsigned', eventAddress(own), changes))
}

/** Has /auth give an access token within the session, to a client of response_type token, where the bank declares that. */
async function byFrontChannel(own: Conversation, browser: Browser): Promise<{ client: Client; token: string }[]> {
  if (!(await discover(own)).declared('response_types_supported')?.includes('token')) return []
  const clientMetadata = {
    client_name: 'Conformance logout, implicit',
    redirect_uris: [addressAt('implicit', 'callback')],
    response_types: ['token'],
    grant_types: ['implicit'],
    scope,
  }
  const asked = async () => {
    const options = await complete(own, { clientMetadata, scope, parameters: { response_type: 'token' } })
    const { client: of, callback } = await authorizeIn(own, options, browser)
    return { client: of, token: callback.fragment.get('access_token') }
  }
  const given = await unlessStopped(asked())
  return given.flatMap(({ client: of, token: value }) => (value === null ? [] : [{ client: of, token: value }]))
}

/** Has the person authorize a text within the session, where the bank has that flow, and asks nobody to sign in for it. */
async function bySigning(own: Conversation, browser: Browser): Promise<Result[]> {
  const discovery = await discover(own)
  // What the bank has no such flow without (AMB-35).
  const isOffered = missing('signing', own.run.target) === undefined
  if (!isOffered || undeclaredMethods(discovery, 'private_key_jwt') !== undefined) return []
  // To reach more than a text asks for (SIGN-26), people may have to sign in again.
  const isDeclared = discovery.declared('acr_values_supported')?.includes('loa2') === true
  const claims = { scope: await readableScope(own), ...(isDeclared && { acr_values: 'loa2' }) }
  const signed = await unlessStopped(signingResult.fresh(own, { claims, browser }))
  return signed.filter(({ pages }) => !asSignIns(own, pages).includes('sign-in'))
}

/** How a token is looked at: at each endpoint, as its client may. */
interface Look {
  token: string
  introspect(): Promise<HttpResponse>
  data(endpoint: UserData): Promise<HttpResponse>
  /** At which its data are asked for. */
  endpoints: readonly UserData[]
}

/** Looks at a token of the session before the logout. @returns what looks at it again afterwards */
async function lookedAt({ token: looked, introspect, data, endpoints }: Look): Promise<() => Promise<FurtherToken>> {
  const before = await introspect()
  const served: [UserData, HttpResponse][] = []
  for (const endpoint of endpoints) served.push([endpoint, await data(endpoint)])
  return async () => {
    const after = await introspect()
    const answers = served.map(
      async ([endpoint, answer]) => [endpoint, { before: answer, after: await data(endpoint) }] as const,
    )
    return { token: looked, before, after, withData: new Map(await Promise.all(answers)) }
  }
}

/** Uses and refreshes a participant's tokens; what is wrong with a refresh is for other rules to say. */
async function withRefresh(own: Conversation, participant: Participant): Promise<Participant> {
  const { login } = participant
  await askForData(own, login)
  const given = login.response.member('refresh_token')
  if (typeof given !== 'string') return participant
  const response = await refresh.try(own, { login: { client: login.client, refreshToken: given } })
  const accessToken = response.member('access_token')
  if (typeof accessToken !== 'string') return participant
  await askForData(own, { client: login.client, accessToken })
  return { ...participant, refreshed: { response, accessToken, refreshToken: nextRefreshToken(response, given) } }
}

/** What a participant's tokens are good for once the session has ended. */
async function afterwards(own: Conversation, one: Participant, neighbours: readonly Recipient[]): Promise<LoggedOut> {
  const { login, recipient, refreshed } = one
  const stateOf = async (what: TokenAfter['what'], accessToken: string): Promise<TokenAfter> => {
    const of = { client: login.client, accessToken }
    const answers = userDataEndpoints.map(async (at) => [at, await userData[at].try(own, of)] as const)
    const introspected = await introspection.try(own, { client: login.client, token: accessToken })
    return { what, withData: new Map(await Promise.all(answers)), introspected }
  }
  const tokens = [await stateOf('the access token of the code', login.accessToken)]
  if (refreshed) tokens.push(await stateOf('the access token of the refresh', refreshed.accessToken))
  const first = login.response.member('refresh_token')
  const refreshToken = refreshed?.refreshToken ?? (typeof first === 'string' ? first : undefined)
  const again = refreshToken && { login: { ...login, refreshToken, scopes: scope.split(' ') } }
  const withRefreshToken = again ? await refresh.try(own, again) : undefined
  const heard = await hearToken(own, 'logout_token', recipient, neighbours)
  return { ...one, tokens, token: heard, inTime: inTime(own), ...(withRefreshToken && { withRefreshToken }) }
}

/** Logs the person in at a client, which is then deleted. */
async function deleted(own: Conversation, browser: Browser) {
  const uri = eventAddress(own)
  const { clientMetadata, recipient, login } = await participate(own, browser, 'deleted', uri)
  await manage(own, 'DELETE', await asOwn(await registration(own, clientMetadata)))
  return { what: 'a client that was deleted', recipient, seenIn: login.response }
}

/**
 * Logs the person in at a client, which then registers no address to be told at, and asks for nothing at one. A bank that tells at the
 * fixed address whatever is registered (AMB-51) may tell it there.
 */
async function dropping(own: Conversation, browser: Browser) {
  const { clientMetadata, recipient, login } = await participate(own, browser, 'dropping', eventAddress(own))
  const registered = await asOwn(await registration(own, clientMetadata))
  const dropped = ['backchannel_logout_uri', 'frontchannel_logout_uri']
    .concat('backchannel_logout_session_required', 'frontchannel_logout_session_required')
    .map((member) => [member, undefined])
  await replaceRecord(own, registered, replacement(registered, Object.fromEntries(dropped)))
  const what = 'a client that dropped its backchannel_logout_uri'
  return { what, recipient, seenIn: login.response, toldAtFixedAddress: true }
}

/** Whether a session goes on beside a later one of the same person, in which prompt=none gave {@link beside}: a bank may end it as that begins. */
async function goesOn(own: Conversation, browser: Browser, one: Participant, beside: Authorization): Promise<boolean> {
  const isOut = (authorization: Authorization) => parameterOf(authorization, 'error') === 'login_required'
  return isOut(beside) || !isOut(await inStep('authorization', () => silently(own, browser, one)))
}

/** What a session gives a participant: what came of prompt=none, or of the same without it at a bank that shows consent to each request. */
async function bySession(own: Conversation, browser: Browser, one: Participant, silent: Authorization) {
  if (parameterOf(silent, 'error') !== 'consent_required') return silent
  const options = await complete(own, { clientMetadata: one.clientMetadata, scope })
  return await inStep('authorization', () => authorizeIn(own, options, browser))
}

/** The login of a participant again, after a logout in another browser; none where that ended this session too. */
async function againBySession(own: Conversation, browser: Browser, one: Participant) {
  const silent = await inStep('authorization', () => silently(own, browser, one))
  const authorization = await bySession(own, browser, one, silent)
  if (parameterOf(authorization, 'code') === null) return []
  const again = await token.fresh(own, { authorization })
  return [{ sub: (await idTokenClaims(own, again)).sub, subjects: one.subjects, response: again.response }]
}

/** Logs a person out of a further browser, where a client takes part that was told of a logout before, and at another address by now. */
async function loggedOutAgain(own: Conversation, browser: Browser, one: Participant, told: readonly Recipient[]) {
  const isFirstDress = dressing() === undefined
  const { recipient, login } = isFirstDress ? await toldElsewhere(own, one, eventAddress(own)) : one
  const known = heardTokens(own, 'logout_token', told)
  const { response } = await inStep('logout', () => endSession(own, browser, login))
  return {
    recipient,
    token: await hearFurther(own, 'logout_token', recipient, known),
    seenIn: response,
    inTime: inTime(own),
  }
}

/** Logs the person in at a client in another browser than that which is logged out of. */
async function besides(own: Conversation, browser: Browser) {
  const { recipient, login } = await participate(own, browser, 'besides', eventAddress(own))
  return { what: 'a client of a session in another browser', recipient, seenIn: login.response }
}

/** Registers a client at which nobody logs in. */
async function uninvolved(own: Conversation) {
  const uri = eventAddress(own)
  const registered = await registration(own, await hearing(own, 'uninvolved', uri))
  const uninvolved = await asOwn(registered)
  return {
    what: 'a client at which nobody logged in',
    recipient: recipientOf(uninvolved, uri),
    seenIn: uninvolved.response,
  }
}

/**
 * Logs a person in at three clients in one browser, of which the first and the last are told at one address, and out again by the
 * first one's id_token, once in a run.
 */
export function logout(conversation: Conversation): Promise<Logout> {
  return conversation.shared('logout', async (own) => {
    await endSessionAddress(own)
    // For a refresh to be seen to work somebody signs in, which may end other sessions; so does who looks whether everybody signs in anew.
    await unlessStopped(refresh.expectBaseline(own))
    const everyLoginAnew = (await signsInAnew(own)) === true
    const { endUser, target } = own.run
    const shared = eventAddress(own)
    // A person in front of it has one browser, and so one session.
    const otherBrowser = target.login?.by === 'person' ? undefined : endUser.open()
    // In another dress is left out what no rule looks at that is done in it.
    const isFirstDress = dressing() === undefined
    // Where everybody signs in anew it may be told that its session ended as the next one began.
    const unconcerned: Stranger[] =
      otherBrowser && isFirstDress && !everyLoginAnew ? await unlessStopped(besides(own, otherBrowser)) : []
    // Logged in first: where a sign-in ends the person's other sessions, it is this one that ends.
    const other = otherBrowser && (await participate(own, otherBrowser, 'one', shared))
    const browser = endUser.open()
    const strangers: Stranger[] = [
      await uninvolved(own),
      await deleted(own, browser),
      ...(await unlessStopped(dropping(own, browser))),
    ]
    const participants: Participant[] = []
    // One after the other: they have one browser.
    for (const takePart of [
      () => participate(own, browser, 'one', shared),
      () => participateElsewhere(own, browser, 'two'),
      async () => participate(own, browser, 'three', shared, (await publicSubjects(own)) ?? {}),
    ]) {
      participants.push(await withRefresh(own, await takePart()))
    }
    participants.push(...(await unsigned(own, browser)))
    const [fronted] = await byFrontChannel(own, browser)
    const frontedAfter =
      fronted &&
      (await lookedAt({
        token: fronted.token,
        introspect: () => introspection.try(own, fronted),
        data: (endpoint) => userData[endpoint].try(own, { client: fronted.client, accessToken: fronted.token }),
        endpoints: isFirstDress ? userDataEndpoints : [],
      }))
    const [signed] = isFirstDress ? await bySigning(own, browser) : []
    const signedAfter =
      signed &&
      (await lookedAt({
        token: signed.accessToken,
        introspect: () => introspection.try(own, { client: signed.client, token: signed.accessToken }),
        data: (endpoint) => signingFlow.userData(own, endpoint, signed),
        endpoints: userDataEndpoints,
      }))
    const ofItsOwn = everyLoginAnew ? await inSessionOfItsOwn(own, browser, participants) : undefined
    if (ofItsOwn) participants.splice(0, participants.length, ofItsOwn)
    const [first] = participants
    const another = participants[2] ?? first
    if (!first || !another) throw new Error('nobody logged in')
    const before = await inStep('authorization', () => silently(own, browser, first))
    const further = other && otherBrowser && (await goesOn(own, otherBrowser, other, before)) ? other : undefined
    const ofFurther = further && { client: further.login.client, token: further.login.accessToken }
    const furtherBefore = ofFurther && (await introspection.try(own, ofFurther))
    const held = await bySession(own, browser, first, before)
    const at = own.run.service.clock()
    const left = await inStep('logout', () => endSession(own, browser, first.login))
    const { response } = left
    const framed = await framesOf(own, browser, response)
    const after = await inStep('logout', () => silently(own, browser, first))
    expectAnswered(left, after)
    const afterAtAnother = await inStep('logout', () => silently(own, browser, another))
    const code = parameterOf(held, 'code')
    const redeemed = code === null ? undefined : await token.try(own, { authorization: held })
    const recipients = participants.map(({ recipient }) => recipient)
    const clients = await Promise.all(
      participants.map((one) =>
        afterwards(
          own,
          one,
          recipients.filter(({ clientId, uri }) => uri === one.recipient.uri && clientId !== one.recipient.clientId),
        ),
      ),
    )
    await own.run.service.wait(quietPeriodMs)
    // Once all are told: what ends with that has ended.
    const elsewhere = furtherBefore && { before: furtherBefore, after: await introspection.try(own, ofFurther) }
    const ofFrontChannel = ofItsOwn ? undefined : await frontedAfter?.()
    const ofSigning = ofItsOwn ? undefined : await signedAfter?.()
    // Where the person has one session at a time, the other one ended, and its clients were told so.
    const told = [...strangers, ...(further ? unconcerned : [])].map(
      ({ what, recipient, seenIn, toldAtFixedAddress }) => {
        const heard = heardTokens(own, 'logout_token', [recipient])
        return {
          what,
          uri: recipient.uri,
          token: heard.find(({ url }) => !toldAtFixedAddress || url === recipient.uri),
          seenIn,
        }
      },
    )
    const [loggedInLater] =
      otherBrowser && further && isFirstDress
        ? (await unlessStopped(againBySession(own, otherBrowser, further))).flat()
        : []
    const second = otherBrowser && further && (await loggedOutAgain(own, otherBrowser, further, recipients))
    return {
      clients,
      strangers: told,
      elsewhere,
      loggedInLater,
      second,
      ofFrontChannel,
      ofSigning,
      redeemed,
      response,
      framed,
      at,
      within: eventSecondsOf(target),
      before,
      after,
      afterAtAnother,
    }
  })
}
