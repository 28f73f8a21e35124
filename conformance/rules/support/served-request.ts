import { type Authorization, parameterOf } from '../../bank/authorization.js'
import type { Expect } from '../../harness/expect.js'

/** A request is served: its callback carries a code and no error. */
export function expectCode(expect: Expect, authorization: Authorization): void {
  const { response } = authorization.callback
  expect(parameterOf(authorization, 'error'), 'error of the callback', response).toBe(null)
  expect(parameterOf(authorization, 'code'), 'code of the callback', response).toBeText()
}
