import type { Bank } from '../../bank/bank.js'
import type { Client } from '../../bank/registration.js'
import type { Login } from '../../bank/token.js'
import type { Expect } from '../../harness/expect.js'
import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/** A token, and the client that it was issued to. */
export interface TokenOfClient {
  client: Client
  token: string
}

/** The access token of a login, seen to be live. @param login one of the rule's own when left out */
export async function liveToken(bank: Bank, login?: Pick<Login, 'client' | 'accessToken'>): Promise<TokenOfClient> {
  const { client, accessToken: token } = login ?? (await bank.token.fresh())
  await bank.introspection.fresh({ client, token })
  return { client, token }
}

/** A revocation was taken: 200 with or without a body, or 204 (AMB-69). */
export function expectTaken(expect: Expect, response: HttpResponse): void {
  expect(response).toHaveStatus(200, 204)
}

/**
 * That an answer of /token-info, which was seen to tell a live token from an unknown one, does not call a token active. An error of the server in
 * place of it says nothing, and comes of how this token ended.
 * @param what names the token in messages
 */
export async function expectInactive({ bank, expect }: Tools, introspected: HttpResponse, what: string): Promise<void> {
  await bank.tellsDeadTokens()
  expect(introspected.status, `the status of POST /token-info of ${what}`, introspected).toBeAtMost(499)
  expect(introspected.member('active'), `active of ${what}`, introspected).toSatisfy(
    (active) => active !== true,
    'false',
  )
}

/** That a token is not called active. @param what names it in messages */
export async function expectDead(tools: Tools, token: TokenOfClient, what: string): Promise<void> {
  await expectInactive(tools, await tools.bank.introspection.try(token), what)
}
