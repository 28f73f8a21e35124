import type { Parameters } from '../../bank/authorization.js'
import { Outline } from '../../bank/authorization-answer.js'
import type { Bank } from '../../bank/bank.js'
import type { Client } from '../../bank/registration.js'
import type { Expect } from '../../harness/expect.js'
import type { HttpResponse } from '../../http/http.js'

/** The bank's last answer to a request of a client that nobody goes on with. @param changes of the good request */
export function requestLogin(bank: Bank, client: Client, changes: Parameters = {}): Promise<HttpResponse> {
  const { clientId: client_id, redirectUri: redirect_uri } = client
  return bank.authorizationRequest.try({}, ({ parameters }) => ({
    client,
    parameters: { ...parameters, client_id, redirect_uri, scope: 'openid', ...changes },
  }))
}

/** Whether /auth begins no login. */
function isRefusal({ status, location }: Outline): boolean {
  if (status >= 400 || location === undefined) return status >= 400
  const { searchParams, hash } = new URL(location)
  return searchParams.has('error') || new URLSearchParams(hash.slice(1)).has('error')
}

/** That /auth begins a login. */
export function expectBeginning(expect: Expect, response: HttpResponse, what: string): void {
  const described = 'the beginning of a login: a status below 400, and no error in location'
  expect(new Outline(response), `the answer to ${what}`, response).toSatisfy((answer) => !isRefusal(answer), described)
}

/** That /auth refuses a request. */
export function expectNoBeginning(expect: Expect, response: HttpResponse, what: string): void {
  const described = 'a refusal: a status of 400 or more, or an error in location'
  expect(new Outline(response), `the answer to ${what}`, response).toSatisfy(isRefusal, described)
}
