import type { HttpResponse } from '../bank/http.js'
import type { Expect } from '../harness/expect.js'

/** A client that is not believed: 400, or 401 by RFC 6749 (AMB-29), with invalid_client. */
export function expectInvalidClient(expect: Expect, refusal: HttpResponse): void {
  expect(refusal).toHaveStatus(400, 401)
  expect(refusal).toBeError(refusal.status, 'invalid_client')
}
