import { type Browser, callbackOf } from '../end-user/end-user.js'
import { BankFailure, Skip } from '../harness/failure.js'
import type { Metadata } from './application-metadata.js'
import { type Authorization, authorizeIn, complete, prepareAuthorization, visit } from './authorization.js'
import { authenticateClient } from './client-authentication.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { type EventToken, eventAddress, hearToken, type Recipient } from './event-token.js'
import type { HttpResponse } from './http.js'
import { application } from './registration.js'
import { inStep } from './steps.js'
import { personOf } from './target.js'
import { type Login, redeem } from './token.js'
import { fetchUserData, idTokenClaims, openJwe } from './user-data.js'

/** An application that took part in a session. */
interface Participant {
  /** Its changes of the default record. */
  client: Metadata
  login: Login
  recipient: Recipient
  /** What it knows the person and the session by: the claims of its id_token. */
  claims: Record<string, unknown>
}

/** An application after the logout. */
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
  applications: readonly LoggedOut[]
  /** The bank's last answer to the request at end_session_endpoint. */
  response: HttpResponse
  /** What came of prompt=none in the same browser, before and after. */
  before: Authorization
  after: Authorization
}

/** Hosts of sectors of their own; nobody has to be there, since no redirect to them is followed. */
const hosts = ['https://one.logout.example/callback', 'https://two.logout.example/callback']

const scope = 'openid profile.name'

/** Logs a person in at two applications in one browser and out again by the first one's id_token, once in a run. */
export function logoutOnce(conversation: Conversation): Promise<Logout> {
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
      const client = {
        redirect_uris: [redirectUri],
        backchannel_logout_uri: uri,
        backchannel_logout_session_required: true,
        grant_types: grants,
        scope: asked,
      }
      const options = await complete(own, { client, scope: asked })
      const login = await redeem(own, await inStep('authorization', () => authorizeIn(own, options, browser)))
      const { clientId } = await application(own, client)
      participants.push({ client, login, recipient: { clientId, uri }, claims: await idTokenClaims(own, login) })
    }
    const [first] = participants
    if (!first) throw new Error('nobody logged in')
    const before = await inStep('authorization', () => silently(own, browser, first))
    const response = await inStep('logout', () => endSession(own, browser, endpoint, first.login))
    const after = await inStep('logout', () => silently(own, browser, first))
    const applications = participants.map(async (one): Promise<LoggedOut> => {
      const withAccessToken = await fetchUserData(own, 'userinfo', one.login)
      const withRefreshToken = await refresh(own, one.login)
      const token = await hearToken(own, 'logout_token', one.recipient)
      return { ...one, withAccessToken, token, ...(withRefreshToken && { withRefreshToken }) }
    })
    return { applications: await Promise.all(applications), response, before, after }
  })
}

/** POST /token with the login's refresh token, when it has one. */
async function refresh(conversation: Conversation, login: Login): Promise<HttpResponse | undefined> {
  const token = login.response.member('refresh_token')
  if (typeof token !== 'string') return undefined
  const url = await (await discover(conversation)).endpoint('token_endpoint')
  const { headers, form } = await authenticateClient(conversation, login.application, url)
  return conversation.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers },
    // The name of the parameter is not shown (AMB-4); RFC 6749 section 6.
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, ...form }).toString(),
  })
}

/** The authorization request of a login again, with prompt=none. */
async function silently(
  conversation: Conversation,
  browser: Browser,
  { client, login }: Participant,
): Promise<Authorization> {
  const { application: registered } = login
  const request = await prepareAuthorization(conversation, {
    client,
    scope,
    parameters: { prompt: 'none' },
  })
  const callback = callbackOf(await visit(conversation, browser, request, { person: 'full' }))
  const { state, nonce } = request.parameters
  return {
    application: registered,
    parameters: { ...request.parameters, state: String(state), nonce: String(nonce) },
    callback,
  }
}

/** OpenID Connect RP-Initiated Logout 1.0 section 2, going through the bank's page when it asks. */
async function endSession(
  conversation: Conversation,
  browser: Browser,
  endpoint: string,
  login: Login,
): Promise<HttpResponse> {
  const { run } = conversation
  const { response, application: owner } = login
  const { content } = await openJwe(conversation, String(response.member('id_token')), 'id_token', response, owner)
  const url = new URL(endpoint)
  url.searchParams.set('id_token_hint', content)
  const person = personOf(run.target.people, 'full')
  const visited = await browser.visit(
    {
      url: url.href,
      redirectUris: [],
      origins: [new URL(run.target.issuer).origin, url.origin],
      ...(person && { person }),
    },
    (request) => conversation.send(request),
  )
  if (visited.response.status < 400) return visited.response
  const sentence = `end_session_endpoint answers with status ${visited.response.status}`
  throw new BankFailure({ sentence, evidence: visited.response.evidence })
}
