import type { HttpResponse } from '../http/http.js'
import { type Authorization, authorizeIn, complete, parameterOf } from './authorization.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { endSession, endSessionAddress, expectAnswered, expectServing, offersReturn, silently } from './end-session.js'
import {
  type EventToken,
  eventAddress,
  hearToken,
  type InTime,
  inTime,
  type Recipient,
  recipientOf,
} from './event-token.js'
import { nextRefreshToken, refresh } from './refresh.js'
import { type Client, client } from './registration.js'
import { inStep } from './steps.js'
import { type Login, token } from './token.js'
import { introspection } from './token-state.js'

/** Where the person is to come back to: a host of a sector of its own, where nobody has to be. */
const returning = {
  redirectUri: 'https://returning.logout.example/callback',
  left: 'https://returning.logout.example/left',
}

const scope = 'openid profile.name'

/** A logout that the person is asked about, since nothing says who asks for it but client_id. */
export interface ConfirmedLogout {
  /** Names of the pages that were gone through. */
  pages: readonly string[]
  response: HttpResponse
  before: Authorization
  after: Authorization
  /** Introspection of the access token of the login, before and after. */
  introspected: { before: HttpResponse; after: HttpResponse }
  /** The same of a further login in the session, where prompt=none gave a code. */
  ofLater?: { before: HttpResponse; after: HttpResponse }
  /** The same of the access token of a refresh that a later one followed, where the login gave a refresh token. */
  ofEarlierRefresh?: { before: HttpResponse; after: HttpResponse }
  /** What the client was told of it; undefined where no session ended. */
  told?: { recipient: Recipient; token: EventToken | undefined; inTime: InTime; seenIn: HttpResponse }
  /** Where the person was to come back to, where the bank offers that (AMB-52), and where they came. */
  back?: { uri: string; state: string; query: URLSearchParams | undefined }
}

const isOut = (authorization: Authorization) => parameterOf(authorization, 'error') === 'login_required'

/** The access token of a refresh that a later one followed; what is wrong with a refresh is for other rules to say. */
async function refreshedTwice(own: Conversation, login: Login): Promise<{ client: Client; token: string } | undefined> {
  const given = login.response.member('refresh_token')
  if (typeof given !== 'string') return undefined
  const { client: owner } = login
  const first = await refresh.try(own, { login: { client: owner, refreshToken: given } })
  const second = await refresh.try(own, { login: { client: owner, refreshToken: nextRefreshToken(first, given) } })
  const earlier = first.member('access_token')
  const isFollowed = typeof second.member('access_token') === 'string'
  return typeof earlier === 'string' && isFollowed ? { client: owner, token: earlier } : undefined
}

/** Logs a person in at a client, and out again without an id_token, once in a run. */
export function confirmedLogout(conversation: Conversation): Promise<ConfirmedLogout> {
  return conversation.shared('confirmed logout', async (own) => {
    const endpoint = await endSessionAddress(own)
    const browser = own.run.endUser.open()
    const offered = await offersReturn(own)
    const uri = returning.left
    const state = own.name()
    const recipientUri = eventAddress(own)
    const isOffline = (await discover(own)).declared('grant_types_supported')?.includes('refresh_token') === true
    const asked = isOffline ? `${scope} offline_access` : scope
    const clientMetadata = {
      redirect_uris: [returning.redirectUri],
      scope: asked,
      grant_types: isOffline ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
      backchannel_logout_uri: recipientUri,
      ...(offered && { post_logout_redirect_uris: [uri] }),
    }
    const options = await complete(own, { clientMetadata, scope: asked })
    const login = await token.fresh(own, {
      authorization: await inStep('authorization', () => authorizeIn(own, options, browser)),
    })
    const participant = { clientMetadata, login }
    const of = { client: login.client, token: login.accessToken }
    const live = await introspection.try(own, of)
    const earlier = await refreshedTwice(own, login)
    const earlierLive = earlier && (await introspection.try(own, earlier))
    const before = await inStep('authorization', () => silently(own, browser, participant))
    const later = parameterOf(before, 'code') === null ? undefined : await token.fresh(own, { authorization: before })
    const ofLater = later && { client: later.client, token: later.accessToken }
    const laterLive = ofLater && (await introspection.try(own, ofLater))
    const parameters = {
      client_id: login.client.clientId,
      ...(offered && { post_logout_redirect_uri: uri, state }),
    }
    const left = await endSession.visit(own, browser, endpoint, parameters, offered ? [uri] : [])
    const { response, pages, callback } = left
    const after = await inStep('logout', () => silently(own, browser, participant))
    expectAnswered(left, after)
    const introspected = { before: live, after: await introspection.try(own, of) }
    const recipient = recipientOf(login.client, recipientUri)
    const isEnded = isOut(after) && !isOut(before)
    const heard = isEnded ? await hearToken(own, 'logout_token', recipient) : undefined
    const told = { recipient, token: heard, inTime: inTime(own), seenIn: response }
    return {
      pages,
      response,
      before,
      after,
      introspected,
      ...(laterLive && { ofLater: { before: laterLive, after: await introspection.try(own, ofLater) } }),
      ...(earlierLive && { ofEarlierRefresh: { before: earlierLive, after: await introspection.try(own, earlier) } }),
      ...(isEnded && { told }),
      ...(offered && { back: { uri, state, query: callback?.query } }),
    }
  })
}

/** What end_session_endpoint answers somebody without a session who asks to be sent to an address, which is the client's or like it. */
export async function askToReturn(conversation: Conversation, change: (uri: string) => string): Promise<HttpResponse> {
  const uri = returning.left
  const clientMetadata = {
    redirect_uris: [returning.redirectUri],
    scope,
    post_logout_redirect_uris: [uri],
  }
  const { clientId } = await client(conversation, clientMetadata)
  const url = new URL(await endSessionAddress(conversation))
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('post_logout_redirect_uri', change(uri))
  const response = await conversation.send({ method: 'GET', url: url.href, headers: { accept: 'text/html' } })
  await expectServing(response)
  return response
}
