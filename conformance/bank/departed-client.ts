import { Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { type UserData, userDataEndpoints } from './claims.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { dressing } from './dressing.js'
import { refresh } from './refresh.js'
import { asOwn, client as clients, type OwnClient, registration } from './registration.js'
import { type Managing, manage } from './registration-management.js'
import { sectorDocument } from './sector-document.js'
import { openSession, type Session, type SessionRequest } from './session.js'
import { inStep, unlessStopped } from './steps.js'
import { offlineParameters, token } from './token.js'
import { introspection } from './token-state.js'
import { userData } from './user-data.js'

/** What a client had from a login, and what came of it once the client was deleted. */
export interface DepartedClient {
  client: OwnClient
  /** How the bank answered calls about the client with the person's access token in place of the registration access token. */
  byAccessToken: ReadonlyMap<Managing, HttpResponse>
  /** The answer to DELETE; of the one above, where that was taken. */
  deletion: HttpResponse
  /** Whether there was a refresh token. */
  offline: boolean
  /** How POST /token answered a code and a refresh token from before. */
  redeemed: ReadonlyMap<'a code' | 'a refresh token', HttpResponse>
  /** How /auth answered, in the session of the login, a request of the client; undefined where that is not seen, since a person logs in by hand. */
  inSession: HttpResponse | undefined
  /** Introspection of the tokens of another client of its sector, before the deletion and after; none where that one got no tokens. */
  ofSibling: readonly SiblingToken[]
  /** How the endpoints of user data answered each access token from before, which had been good for data. */
  withData: readonly { what: 'of a code' | 'of a refresh'; endpoint: UserData; response: HttpResponse }[]
}

/** A token of another client of the sector of one that was deleted. */
export interface SiblingToken {
  what: 'access token' | 'refresh token'
  before: HttpResponse
  after: HttpResponse
}

const methods: readonly Managing[] = ['GET', 'PUT', 'DELETE']

async function unlessUnseen(answer: Promise<HttpResponse>): Promise<HttpResponse | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof Skip) return undefined
    throw error
  })
}

/** Logs the person in at another client, and introspects its tokens. @returns what introspects them again */
async function loggedInBeside(own: Conversation, session: Session, request: SessionRequest) {
  const authorization = await inStep('authorization', () => session.ask(request))
  const { client, accessToken, response } = await token.fresh(own, { authorization })
  const refreshToken = response.member('refresh_token')
  const introspected = (value: string) => introspection.try(own, { client, token: value })
  const held = [
    { what: 'access token', value: accessToken, before: await introspected(accessToken) } as const,
    ...(typeof refreshToken === 'string'
      ? [{ what: 'refresh token', value: refreshToken, before: await introspected(refreshToken) } as const]
      : []),
  ]
  return () => Promise.all(held.map(async ({ value, ...one }) => ({ ...one, after: await introspected(value) })))
}

/** What two clients register to be of one sector, which a dress may have otherwise. */
async function ofOneSector(own: Conversation): Promise<Metadata> {
  const { redirect_uris } = (await clients(own)).metadata
  return { redirect_uris, sector_identifier_uri: await sectorDocument(own, redirect_uris) }
}

/** Logs a person in at a client, and deletes the client, once in a run. */
export function departedClient(conversation: Conversation): Promise<DepartedClient> {
  return conversation.shared('departed client', async (own) => {
    const sector = dressing() === undefined ? await ofOneSector(own) : undefined
    const clientMetadata = { client_name: 'Conformance to be deleted', ...sector }
    const client = await asOwn(await registration(own, clientMetadata))
    const offline = String(client.metadata.scope).split(' ').includes('offline_access')
    const scope = ['openid', ...client.dataScopes.slice(0, 2), ...(offline ? ['offline_access'] : [])].join(' ')
    const asked = { scope, parameters: offline ? await offlineParameters(own) : {} }
    const session = openSession(own, { clientMetadata })
    const login = await session.signIn(asked)
    const refreshToken = login.response.member('refresh_token')
    const refreshable = typeof refreshToken === 'string' ? { client, refreshToken } : undefined
    const refreshed = refreshable && (await refresh.try(own, { login: refreshable }))
    const again = refreshed?.member('access_token')
    const tokens = [
      { what: 'of a code', accessToken: login.accessToken } as const,
      ...(typeof again === 'string' ? [{ what: 'of a refresh', accessToken: again } as const] : []),
    ]
    for (const { accessToken } of tokens) {
      await userData.userinfo(own, { client, accessToken })
      // A bank may remember what it gave.
      await userData.profile.try(own, { client, accessToken })
    }
    const sibling = { clientMetadata: { client_name: 'Conformance beside one to be deleted', ...sector }, ...asked }
    const [besides] = sector ? await unlessStopped(loggedInBeside(own, session, sibling)) : []
    const unredeemed = await unlessStopped(session.ask({ scope: 'openid' }))

    const byAccessToken = new Map<Managing, HttpResponse>()
    for (const method of methods)
      byAccessToken.set(method, await manage(own, method, client, () => ({ token: login.accessToken })))
    const taken = byAccessToken.get('DELETE')
    const deletion = taken && taken.status < 300 ? taken : await manage(own, 'DELETE', client)

    const ofSibling = (await besides?.()) ?? []
    const redeemed: ['a code' | 'a refresh token', HttpResponse][] = []
    for (const authorization of unredeemed) redeemed.push(['a code', await token.try(own, { authorization })])
    const next = refreshed?.member('refresh_token')
    const left = typeof next === 'string' ? { client, refreshToken: next } : refreshable
    if (left) redeemed.push(['a refresh token', await refresh.try(own, { login: left })])
    const answers = tokens.flatMap(({ what, accessToken }) =>
      userDataEndpoints.map(async (endpoint) => ({
        what,
        endpoint,
        response: await userData[endpoint].try(own, { client, accessToken }),
      })),
    )
    return {
      client,
      byAccessToken,
      deletion,
      offline,
      inSession: await unlessUnseen(session.answer({ scope: 'openid' })),
      redeemed: new Map(redeemed),
      ofSibling,
      withData: await Promise.all(answers),
    }
  })
}
