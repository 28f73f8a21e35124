import { errorOf } from '../../bank/authorization-answer.js'
import type { Expect } from '../../harness/expect.js'
import type { HttpResponse } from '../../http/http.js'

/** A redirect URI that no client registered. */
export const unregisteredAddress = 'https://unregistered.example.com/callback'

/** The request is refused, however that is told, and nothing is redirected to an address that is not registered. */
export function expectNothingThere(expect: Expect, response: HttpResponse, address = unregisteredAddress): void {
  expect(errorOf(response).code, 'the error of the answer', response).toBeText()
  expectNotSentTo(expect, response, address)
}

/** Nothing is redirected to an address. */
export function expectNotSentTo(expect: Expect, response: HttpResponse, address: string): void {
  expect(response.location, 'where the error is redirected to', response).toSatisfy(
    (location) => !location?.startsWith(address),
    'no address but a registered one',
  )
}
