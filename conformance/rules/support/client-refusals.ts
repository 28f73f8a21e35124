import type { Expect } from '../../harness/expect.js'
import type { HttpResponse } from '../../http/http.js'

/**
 * A refusal with this status and one of these codes. What else it has to carry is the business of the rule about refusals
 * (token/refusal-form).
 */
export function expectRefusal(expect: Expect, refusal: HttpResponse, status: number, ...codes: string[]): void {
  expect(refusal).toHaveStatus(status)
  expectCode(expect, refusal, ...codes)
}

/** One of these codes, whatever the status. */
export function expectCode(expect: Expect, refusal: HttpResponse, ...codes: string[]): void {
  expect(refusal.member('error'), 'error of the refusal', refusal).toBeOneOf(codes)
}

/** A client that is not believed: 400, or 401 by RFC 6749 (AMB-29), with invalid_client. */
export function expectInvalidClient(expect: Expect, refusal: HttpResponse): void {
  expect(refusal).toHaveStatus(400, 401)
  expectCode(expect, refusal, 'invalid_client')
}
