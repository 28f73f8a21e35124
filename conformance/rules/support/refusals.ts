import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { NoAnswer } from '../../evidence/failure.js'
import type { Expect } from '../../harness/expect.js'
import type { HttpResponse } from '../../http/http.js'

/** How the bank answers a registration with these changes of the good record, which it was seen to take. */
export async function answerTo(bank: Bank, changes: Metadata): Promise<HttpResponse> {
  await bank.registration.expectBaseline()
  return (await bank.registration(changes)).response
}

/** The methods that bring a record. */
export const recordMethods = ['POST', 'PUT'] as const

/** 400 with a JSON object of error and error_description, whatever the code. */
export function expectBadRequest(expect: Expect, response: HttpResponse): void {
  expect(response).toHaveStatus(400)
  expect(response).toHaveMediaType('application/json')
  expect(response).toTellError('the body of the refusal')
  expectNoClient(expect, response)
}

/** That what is refused brings nothing with which a client that came to be could be used. */
function expectNoClient(expect: Expect, response: HttpResponse): void {
  expect(response.member('registration_access_token'), 'registration_access_token of the refusal', response).toBe(
    undefined,
  )
}

/** What a call without the service's proof of identity may be answered with; what is not 401 is worth a note. */
export function expectUnauthorized(expect: Expect, note: (text: string) => void, response: HttpResponse): void {
  expect(response).toHaveStatus(401, 400, 403)
  expectNoClient(expect, response)
  if (response.status !== 401) note(`refused with ${response.status}, where 401 is usual`)
}

/** The answer to a call, or undefined when the bank refused the connection in its TLS handshake: that is a refusal, and counts as judged. */
export async function unlessHandshakeFails(
  expect: Expect,
  call: () => Promise<HttpResponse>,
): Promise<HttpResponse | undefined> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof NoAnswer && error.disconnected)) throw error
    expect(error.disconnected, 'whether the bank ended the connection').toBe(true)
    return undefined
  }
}
