import type { Parameters } from '../../bank/authorization.js'
import { Outline } from '../../bank/authorization-answer.js'
import type { Bank } from '../../bank/bank.js'
import type { Client } from '../../bank/registration.js'
import type { Expect } from '../../harness/expect.js'
import type { HttpResponse } from '../../http/http.js'

/** What /auth answers at once to a request of a client, without a browser. @param changes of the good request */
export async function requestLogin(
  bank: Bank,
  { clientId, redirectUri }: Pick<Client, 'clientId' | 'redirectUri'>,
  changes: Parameters = {},
): Promise<HttpResponse> {
  const url = new URL(await (await bank.discovery()).endpoint('authorization_endpoint'))
  const good = { client_id: clientId, redirect_uri: redirectUri, scope: 'openid', response_type: 'code' }
  const parameters = { ...(await bank.wantedParameters()), ...good, state: 'any-state', nonce: 'any-nonce', ...changes }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value))
  return bank.get(url.href)
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
