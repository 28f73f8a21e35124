import { Skip } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { type UserData, userDataEndpoints } from './claims.js'
import type { Conversation } from './conversation.js'
import { refresh } from './refresh.js'
import { asOwn, type OwnClient, registration } from './registration.js'
import { type Managing, manage } from './registration-management.js'
import { openSession } from './session.js'
import { unlessStopped } from './steps.js'
import { offlineParameters, token } from './token.js'
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
  /** How the endpoints of user data answered each access token from before, which had been good for data. */
  withData: readonly { what: 'of a code' | 'of a refresh'; endpoint: UserData; response: HttpResponse }[]
}

const methods: readonly Managing[] = ['GET', 'PUT', 'DELETE']

async function unlessUnseen(answer: Promise<HttpResponse>): Promise<HttpResponse | undefined> {
  return answer.catch((error: unknown) => {
    if (error instanceof Skip) return undefined
    throw error
  })
}

/** Logs a person in at a client, and deletes the client, once in a run. */
export function departedClient(conversation: Conversation): Promise<DepartedClient> {
  return conversation.shared('departed client', async (own) => {
    const clientMetadata = { client_name: 'Conformance to be deleted' }
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
    const unredeemed = await unlessStopped(session.ask({ scope: 'openid' }))

    const byAccessToken = new Map<Managing, HttpResponse>()
    for (const method of methods)
      byAccessToken.set(method, await manage(own, method, client, () => ({ token: login.accessToken })))
    const taken = byAccessToken.get('DELETE')
    const deletion = taken && taken.status < 300 ? taken : await manage(own, 'DELETE', client)

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
      withData: await Promise.all(answers),
    }
  })
}
