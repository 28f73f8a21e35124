import type { SubmissionOutcome } from '../../bank/submission-outcome.js'
import { parameterIn, type Visit } from '../../end-user/end-user.js'
import type { Expect } from '../../harness/expect.js'

/** The error that a visit ended with, in a callback or on the spot; undefined when it ended otherwise. */
function errorIn(visit: Visit): string | undefined {
  const error = callbackParameter(visit, 'error') ?? visit.response.member('error')
  return typeof error === 'string' ? error : undefined
}

/** What the callback that a visit ended with says, such as of the error; where a callback says it is the business of GEN-4. */
export function callbackParameter({ callback }: Visit, member: 'error' | 'error_description' | 'state'): string | null {
  return callback ? parameterIn(callback, member) : null
}

/** The code that a visit ended with. */
export function codeIn({ callback }: Visit): string | null {
  return callback ? parameterIn(callback, 'code') : null
}

/** Whether an object was taken, and authorized by its person. */
export function isAuthorized({ accepted }: SubmissionOutcome): boolean {
  return accepted !== undefined && codeIn(accepted.visit) !== null
}

/** That nothing was authorized: no code, and an error for the service, or for the person on a page that leads nowhere. */
export function expectError(expect: Expect, visit: Visit): void {
  expect(codeIn(visit), 'the code of the callback', visit.response).toBe(null)
  if (visit.callback || visit.response.status < 400) {
    expect(errorIn(visit), 'the error of the answer', visit.response).toBeText()
  } else expect(visit.response).toHaveStatus(400, 401, 403, 404, 410, 422)
}

/** Whether a visit of /authorize led to no page and no code. */
export function isError(visit: Visit): boolean {
  const isTold = visit.callback || visit.response.status < 400
  return codeIn(visit) === null && (!isTold || typeof errorIn(visit) === 'string')
}

/**
 * That a request object was refused, at POST /ros or on its person's way through /authorize. Which status refuses one is not shown
 * (published: 400, 401, 429).
 */
export function expectObjectRefused(expect: Expect, { response, accepted }: SubmissionOutcome): void {
  if (accepted) expectError(expect, accepted.visit)
  else expect(response).toHaveStatus(400, 401, 403, 422)
}
