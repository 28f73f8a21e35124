import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'

/** An error by which the bank answers an authorization request: on the spot, or at the redirect URI. */
export interface ErrorAnswer {
  to: 'direct' | 'redirect'
  status: number
  code: string
}

/** The error in the bank's answer to an authorization request, in the body, in the query or in the fragment; undefined where there is none. */
export function errorIn(response: HttpResponse): ErrorAnswer | undefined {
  const { status, location } = response
  if (location === undefined) {
    const code = response.member('error')
    return typeof code === 'string' ? { to: 'direct', status, code } : undefined
  }
  const { searchParams, hash } = new URL(location)
  const code = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
  return code === null ? undefined : { to: 'redirect', status, code }
}

/**
 * The error in the bank's answer to an authorization request.
 * @param response where a browser came to: the last answer of the bank
 * @throws BankFailure when the answer is none, telling what it is
 */
export function errorOf(response: HttpResponse): ErrorAnswer {
  const error = errorIn(response)
  if (error) return error
  const { status, location } = response
  const page = status < 400 ? `a page is shown (status ${status})` : `status ${status} carries no JSON with an error`
  const actual = location === undefined ? page : 'the redirect carries no error'
  const sentence = `the authorization request should be refused, but ${actual}`
  throw new BankFailure({ sentence, expected: 'an error', actual, evidence: response.evidence })
}
