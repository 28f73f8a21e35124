import type { HttpResponse } from '../../http/http.js'
import type { LoginOptions } from '../authorization.js'
import type { Conversation } from '../conversation.js'
import { type RefreshChain, type RefreshChanges, refresh, refreshChain, refreshParameter } from '../refresh.js'
import type { Client } from '../registration.js'
import { codeExchangeOf, exchangeCode, type OfflineLogin } from '../token.js'
import { introspect, introspected, type RequestChanges, revoke } from '../token-state.js'

/** What is done with codes and tokens. */
export interface Tokens {
  /** POST /token with an authorization code, whatever comes of it. */
  exchange(client: Client, code: string, verifier?: string): Promise<HttpResponse>
  /** A login of the rule's own up to the answer of POST /token, whatever that is. */
  exchangeOfOwn(options: LoginOptions): Promise<HttpResponse>
  /** POST /token with the login's refresh token, whatever comes of it. */
  refresh(login: OfflineLogin, changes?: RefreshChanges): Promise<HttpResponse>
  /** One login refreshed three times, to look at, once in a run. */
  refreshChain(): Promise<RefreshChain>
  /** The parameter in which the bank takes the refresh token (AMB-4). */
  refreshParameter(): Promise<string>
  /** POST /token-info in the name of a client, whatever comes of it. */
  introspect(client: Client, token: string, changes?: RequestChanges): Promise<HttpResponse>
  /** What /token-info tells of a live token. @throws StepFailure when it does not call it active */
  introspected(client: Client, token: string): Promise<HttpResponse>
  /** POST /revoke in the name of a client, whatever comes of it. */
  revoke(client: Client, token: string, changes?: RequestChanges): Promise<HttpResponse>
  /** Every access token that has come in this run so far. */
  accessTokens(): readonly string[]
}

/** These calls in one conversation. */
export function tokensOf(conversation: Conversation): Tokens {
  return {
    exchange: (owner, code, verifier) => exchangeCode(conversation, owner, code, verifier),
    async exchangeOfOwn(options) {
      const { prepare, send } = codeExchangeOf(options)
      return send(conversation, await prepare(conversation))
    },
    refresh: (login, changes) => refresh(conversation, login, changes),
    refreshChain: () => refreshChain(conversation),
    refreshParameter: () => refreshParameter(conversation),
    introspect: (owner, token, changes) => introspect(conversation, owner, token, changes),
    introspected: (owner, token) => introspected(conversation, owner, token),
    revoke: (owner, token, changes) => revoke(conversation, owner, token, changes),
    accessTokens: () => [...conversation.run.accessTokens],
  }
}
