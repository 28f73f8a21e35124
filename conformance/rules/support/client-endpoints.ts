import type { Bank } from '../../bank/bank.js'
import type { Login, TokenOptions } from '../../bank/token.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { expectDead, expectTaken, type TokenOfClient } from './token-state.js'

/** An endpoint at which a client asks about a token of its own. */
export interface ClientEndpoint {
  /** Of the rules, and of the operation. */
  topic: 'introspection' | 'revocation'
  path: '/token-info' | '/revoke'
  address(tools: Tools): Promise<string>
  /** Whether a token that was sent there is used up. */
  usesUp: boolean
  /** A login whose token may be sent there. */
  login(bank: Bank, options?: TokenOptions): Promise<Login>
  /** That the endpoint did what it is for. */
  expectDone(tools: Tools, token: TokenOfClient, response: HttpResponse): Promise<void>
  /** That it did nothing for a client that the token does not belong to. */
  expectNothingDone(tools: Tools, token: TokenOfClient, response: HttpResponse): Promise<void>
}

/** That a token is still called active. @param what names it in messages */
export async function expectLive({ bank, expect }: Tools, token: TokenOfClient, what: string): Promise<void> {
  const introspected = await bank.introspection.try(token)
  expect(introspected.member('active'), `active of ${what}`, introspected).toBe(true)
}

export const clientEndpoints: readonly ClientEndpoint[] = [
  {
    topic: 'introspection',
    path: '/token-info',
    address: async ({ bank }) => (await bank.discovery()).introspectionEndpoint(),
    usesUp: false,
    login: (bank, options) => bank.token(options),
    async expectDone({ expect }, _token, response) {
      expect(response).toHaveStatus(200)
      expect(response.member('active'), 'active of a live token', response).toBe(true)
    },
    async expectNothingDone({ expect }, _token, response) {
      expect(response).toHaveStatus(200)
      expect(response.member('active'), "active of another client's token", response).toBe(false)
    },
  },
  {
    topic: 'revocation',
    path: '/revoke',
    address: async ({ bank }) => (await bank.discovery()).revocationEndpoint(),
    usesUp: true,
    login: (bank, options) => bank.token.fresh(options),
    async expectDone(tools, token, response) {
      expectTaken(tools.expect, response)
      await expectDead(tools, token, 'a revoked access token')
    },
    expectNothingDone: (tools, token) => expectLive(tools, token, 'a token that another client revoked'),
  },
]
