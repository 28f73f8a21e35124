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

/** That a token is not called active. @param what names it in messages */
export async function expectDead({ bank, expect }: Tools, token: TokenOfClient, what: string): Promise<void> {
  const introspected = await bank.introspection.try(token)
  expect(introspected.member('active'), `active of ${what}`, introspected).toDiffer(true, 'that of a live token')
}
