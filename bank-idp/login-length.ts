import type { Limits } from './limits.js'

/**
 * What is too long of what is kept with a login until its person has come, by whatever way it was asked for: a query and a form are no longer than an
 * address, but what lies in a request object may be.
 *
 * @param kept the parameters that the login is gone on with
 * @returns in words; undefined when nothing is
 */
export function loginLengthProblem(
  kept: URLSearchParams,
  { addressLength, stateLength }: Pick<Limits, 'addressLength' | 'stateLength'>,
): string | undefined {
  if ((kept.get('state') ?? '').length > stateLength) return `state is longer than ${stateLength} characters`
  return kept.toString().length > addressLength
    ? `the request is longer than ${addressLength} characters as an address`
    : undefined
}
