import { type Browser, callbackOf } from '../end-user/end-user.js'
import { BankFailure, Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { originsOf, personOf } from '../target/target.js'
import { type Authorization, authorizeIn, complete, prepareAuthorization, visit } from './authorization.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { type EventToken, eventAddress, hearToken, type Recipient } from './event-token.js'
import { refresh } from './refresh.js'
import { client } from './registration.js'
import { inStep } from './steps.js'
import { knownSubjects } from './subjects.js'
import { type Login, token } from './token.js'
import { idTokenClaims, openJwe, userData } from './user-data.js'

/** A client that took part in a session. */
interface Participant {
  /** Its changes of the default record. */
  clientMetadata: Metadata
  login: Login
  recipient: Recipient
  /** What it knows the person by. */
  subjects: readonly unknown[]
  /** What it knows the session by, when its id_token says it. */
  sid: unknown
}

/** A client after the logout. */
export interface LoggedOut extends Participant {
  /** What it was told, when it was. */
  token: EventToken | undefined
  /** The answer to a call with its access token after the logout. */
  withAccessToken: HttpResponse
  /** The answer to a refresh after the logout, when it had a refresh token. */
  withRefreshToken?: HttpResponse
}

/** A logout and what came of it. */
export interface Logout {
  clients: readonly LoggedOut[]
  /** The bank's last answer to the request at end_session_endpoint. */
  response: HttpResponse
  /** What came of prompt=none in the same browser, before and after. */
  before: Authorization
  after: Authorization
}

/** Hosts of sectors of their own; nobody has to be there, since no redirect to them is followed. */
const hosts = ['https://one.logout.example/callback', 'https://two.logout.example/callback']

const scope = 'openid profile.name'

/** Logs a person in at two clients in one browser and out again by the first one's id_token, once in a run. */
export function logout(conversation: Conversation): Promise<Logout> {
  return conversation.shared('logout', async (own) => {
    const discovery = await discover(own)
    if (discovery.value('end_session_endpoint') === undefined)
      throw new Skip('the bank declares no end_session_endpoint')
    const endpoint = await discovery.endpoint('end_session_endpoint')
    const offline = discovery.declared('grant_types_supported')?.includes('refresh_token') === true
    const grants = offline ? ['authorization_code', 'refresh_token'] : ['authorization_code']
    const asked = offline ? `${scope} offline_access` : scope
    const browser = own.run.endUser.open()
    const participants: Participant[] = []
    for (const redirectUri of hosts) {
      const uri = eventAddress(own)
      const clientMetadata = {
        redirect_uris: [redirectUri],
        backchannel_logout_uri: uri,
        backchannel_logout_session_required: true,
        grant_types: grants,
        scope: asked,
      }
      const options = await complete(own, { clientMetadata, scope: asked })
      const authorization = await inStep('authorization', () => authorizeIn(own, options, browser))
      const login = await token.fresh(own, { authorization })
      const { clientId } = await client(own, clientMetadata)
      const { sid } = await idTokenClaims(own, login)
      const subjects = await knownSubjects(own, login)
      participants.push({ clientMetadata, login, recipient: { clientId, uri }, subjects, sid })
    }
    const [first] = participants
    if (!first) throw new Error('nobody logged in')
    const before = await inStep('authorization', () => silently(own, browser, first))
    const response = await inStep('logout', () => endSession(own, browser, endpoint, first.login))
    const after = await inStep('logout', () => silently(own, browser, first))
    const clients = participants.map(async (one): Promise<LoggedOut> => {
      const withAccessToken = await userData.userinfo.try(own, one.login)
      const withRefreshToken = await refreshed(own, one.login)
      const heard = await hearToken(own, 'logout_token', one.recipient)
      return { ...one, withAccessToken, token: heard, ...(withRefreshToken && { withRefreshToken }) }
    })
    return { clients: await Promise.all(clients), response, before, after }
  })
}

/** The refresh token of a login is used, when it has one. */
async function refreshed(conversation: Conversation, login: Login): Promise<HttpResponse | undefined> {
  const refreshToken = login.response.member('refresh_token')
  if (typeof refreshToken !== 'string') return undefined
  return refresh.try(conversation, { login: { client: login.client, refreshToken } })
}

/** The authorization request of a login again, with prompt=none. */
async function silently(
  conversation: Conversation,
  browser: Browser,
  { clientMetadata, login }: Participant,
): Promise<Authorization> {
  const { client: registered } = login
  const request = await prepareAuthorization(conversation, {
    clientMetadata,
    scope,
    parameters: { prompt: 'none' },
  })
  const callback = callbackOf(await visit(conversation, browser, request, { person: 'full' }))
  const { state, nonce } = request.parameters
  return {
    client: registered,
    parameters: { ...request.parameters, state: String(state), nonce: String(nonce) },
    callback,
  }
}

/**
 * OpenID Connect RP-Initiated Logout 1.0 section 2, going through the bank's page when it asks: with the login's id_token as the hint,
 * and without one when the bank does not take it, since what is wrong with an id_token is for other rules to say.
 */
async function endSession(
  conversation: Conversation,
  browser: Browser,
  endpoint: string,
  login: Login,
): Promise<HttpResponse> {
  const { response, client: owner } = login
  const { content } = await openJwe(conversation, String(response.member('id_token')), 'id_token', response, owner)
  const hinted = await visitEndSession(conversation, browser, endpoint, { id_token_hint: content })
  if (hinted.status < 400) return hinted
  const plain = await visitEndSession(conversation, browser, endpoint, { client_id: owner.clientId })
  if (plain.status < 400) return plain
  const sentence = `end_session_endpoint answers with status ${plain.status}`
  throw new BankFailure({ sentence, evidence: plain.evidence })
}

async function visitEndSession(
  conversation: Conversation,
  browser: Browser,
  endpoint: string,
  parameters: Record<string, string>,
): Promise<HttpResponse> {
  const { target } = conversation.run
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const origins = originsOf(target, endpoint)
  const person = personOf(target.people, 'full')
  const task = { url: url.href, redirectUris: [], origins, ...(person && { person }) }
  return (await browser.visit(task, conversation)).response
}
