import { errorOf } from '../../bank/authorization-answer.js'
import type { Expect } from '../../harness/expect.js'
import type { HttpResponse } from '../../http/http.js'

/** A redirect URI that no client registered. */
export const unregisteredAddress = 'https://unregistered.example.com/callback'

/** The request is refused, however that is told; a redirect to an address that is not registered ends the request before (AUTH-3). */
export function expectNothingThere(expect: Expect, response: HttpResponse): void {
  expect(errorOf(response).code, 'the error of the answer', response).toBeText()
}
