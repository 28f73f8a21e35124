import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'
import { nextRefreshToken, refresh } from './refresh.js'
import { type OfflineLogin, offlineToken } from './token.js'
import { introspection } from './token-state.js'

/** How far apart refreshes are, so that a time that moves along is seen to, and one that stays, in milliseconds. */
const betweenMs = 2_100

/** A refresh some time after what went before. */
export interface LaterRefresh {
  what: string
  response: HttpResponse
  /** Of one that gave tokens: whether the refresh token is another one, and what /token-info told of it. */
  next?: { rotated: boolean; told: HttpResponse }
}

export interface LaterRefreshes {
  login: OfflineLogin
  /** What /token-info told of the refresh token of the login. */
  told: HttpResponse
  refreshes: readonly LaterRefresh[]
}

/** Refreshes that come some seconds after a login and after each other, once in a run; none follows one that gave nothing. */
export function laterRefreshes(conversation: Conversation): Promise<LaterRefreshes> {
  return conversation.shared('later refreshes', async (own) => {
    const login = await offlineToken.fresh(own, {})
    const { client } = login
    const told = await introspection.fresh(own, { client, token: login.refreshToken })
    const forms = { 'the first refresh': { scope: login.scopes.slice(0, 2).join(' ') }, 'the second refresh': {} }
    const refreshes: LaterRefresh[] = []
    let token = login.refreshToken
    for (const [what, form] of Object.entries(forms)) {
      await own.run.service.wait(betweenMs)
      const response = await refresh.try(own, { login, refreshToken: token, form })
      if (response.status !== 200) return { login, told, refreshes: [...refreshes, { what, response }] }
      const rotated = nextRefreshToken(response, token) !== token
      token = nextRefreshToken(response, token)
      refreshes.push({ what, response, next: { rotated, told: await introspection.fresh(own, { client, token }) } })
    }
    return { login, told, refreshes }
  })
}
