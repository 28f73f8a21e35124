import { Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'
import { hasBrowsers } from './person.js'
import { nextRefreshToken, refresh } from './refresh.js'
import { type Client, client } from './registration.js'
import { openSession } from './session.js'
import { type Login, type OfflineLogin, offlineParameters, token } from './token.js'
import { introspection } from './token-state.js'

/** A token of the earliest login, and what /token-info said of it as time went on. */
export interface WatchedToken {
  /** Such as "the refresh token". */
  what: string
  token: string
  before: HttpResponse
  /** By what came in between. */
  after: Record<string, HttpResponse>
}

/** A login, and the scopes that it asked for, in that order. */
export interface AskedLogin<Kind extends Login = Login> {
  login: Kind
  scopes: string[]
}

/** The logins of one person at one client, the later ones for other scopes than the earlier, and the last ones at another client. */
export interface LaterLogins {
  client: Client
  /** For two data scopes, and for offline access where the bank declares it. */
  earliest: AskedLogin
  /** Its access token; where it gave a refresh token, the one of a refresh, and the refresh token then valid. */
  watched: readonly WatchedToken[]
  /** In another browser, by prompt=login unless the bank wants another or somebody signs in by hand, for another data scope, and for offline access where the bank declares it. */
  later: AskedLogin
  /** By the session of the earliest, for one of its scopes, openid last. */
  bySession: AskedLogin
  /** By the session again, for the scopes of the earliest. */
  sameBySession: AskedLogin
  /** By the session once more, for fewer scopes, offline access not the last of them, where the bank declares it. */
  offlineBySession?: AskedLogin
  /** What came of a code of the session that was redeemed after another login by the session, and how old the code was by then. */
  waited: { response: HttpResponse; seconds: number }
  /** A refresh without scope by what the earliest gave, after all of them. */
  refreshedAfter?: HttpResponse
}

/** Several logins of a client that nobody else uses, once in a run. @throws Skip when the bank declares too few data scopes */
export function laterLogins(conversation: Conversation): Promise<LaterLogins> {
  return conversation.shared('later logins', async (own) => {
    const clientMetadata = { client_name: 'A client of several logins' }
    const owner = await client(own, clientMetadata)
    const [first, second, third = second] = owner.dataScopes
    if (!first || !second || !third) throw new Skip('the client has fewer than two data scopes')
    const offline = String(owner.metadata.scope).split(' ').includes('offline_access') ? ['offline_access'] : []
    const session = openSession(own, { clientMetadata })
    const asking = async (scopes: string[]) => ({
      scope: scopes.join(' '),
      parameters: scopes.includes('offline_access') ? await offlineParameters(own) : {},
    })
    const inSession = async (scopes: string[]): Promise<AskedLogin> => {
      const authorization = await session.ask(await asking(scopes))
      return { scopes, login: await token.fresh(own, { authorization }) }
    }

    const scopes = ['openid', second, first, ...offline]
    const earliest = { scopes, login: await session.signIn(await asking(scopes)) }
    const { tokens, refreshToken } = await tokensOf(own, earliest)
    const introspected = (value: string) => introspection.try(own, { client: owner, token: value })
    const watched: WatchedToken[] = []
    for (const one of tokens) watched.push({ ...one, before: await introspected(one.token), after: {} })
    const look = async (what: string) => {
      for (const one of watched) one.after[what] = await introspected(one.token)
    }

    const others = ['openid', third, ...offline]
    // Whoever signs in by hand is asked no more often than it takes.
    const anew = hasBrowsers(own) ? { prompt: 'login' } : {}
    const later = {
      scopes: others,
      login: await token.fresh(own, {
        clientMetadata,
        scope: others.join(' '),
        parameters: { ...anew, ...(await asking(others)).parameters },
      }),
    }
    await look('a login in another browser')
    const waiting = await session.ask(await asking(['openid', second]))
    const since = performance.now()
    const bySession = await inSession([first, 'openid'])
    const seconds = (performance.now() - since) / 1000
    const waited = { response: await token.try(own, { authorization: waiting }), seconds }
    await look('a login by the session')
    const sameBySession = await inSession(scopes)
    await look('a login by the session for the same')
    const offlineBySession = offline.length > 0 ? await inSession(['openid', ...offline, first]) : undefined
    await look('a login by the session for offline access')
    await token.fresh(own, { scope: `openid ${first}` })
    await look('a login at another client')
    await session.ask({ clientMetadata: {}, scope: `openid ${first}` })
    await look('a login by the session at another client')
    const offlineLogin = { ...earliest.login, scopes, refreshToken: refreshToken ?? '' }
    return {
      client: owner,
      earliest,
      watched,
      later,
      waited,
      bySession,
      ...(offlineBySession && { offlineBySession }),
      sameBySession,
      ...(refreshToken && { refreshedAfter: await refresh.try(own, { login: offlineLogin }) }),
    }
  })
}

/** The tokens that a login comes to when it is refreshed once. */
async function tokensOf(
  conversation: Conversation,
  { login, scopes }: AskedLogin,
): Promise<{ tokens: Pick<WatchedToken, 'what' | 'token'>[]; refreshToken?: string }> {
  const access = { what: 'the access token', token: login.accessToken }
  const given = login.response.member('refresh_token')
  if (typeof given !== 'string') return { tokens: [access] }
  const offline: OfflineLogin = { ...login, refreshToken: given, scopes }
  const response = await refresh.try(conversation, { login: offline })
  const refreshed = response.member('access_token')
  const refreshToken = nextRefreshToken(response, given)
  const tokens = [access, { what: 'the refresh token', token: refreshToken }]
  if (typeof refreshed === 'string') tokens.push({ what: 'the access token of a refresh', token: refreshed })
  return { tokens, refreshToken }
}
