import type { Expect } from '../../harness/expect.js'
import type { HttpResponse } from '../../http/http.js'

/** That a time is in seconds, of which there may be fractions (RFC 7519 section 2, NumericDate), before anything is computed from it. */
export function expectSeconds(expect: Expect, value: unknown, where: string, seenIn: HttpResponse): number {
  return Number(expect(value, where, seenIn).toSatisfy(Number.isFinite, 'a number of seconds'))
}

/** That a member is an integer, before anything is computed from it. */
export function expectInteger(expect: Expect, value: unknown, where: string, seenIn: HttpResponse): number {
  return Number(expect(value, where, seenIn).toSatisfy(Number.isInteger, 'an integer'))
}
