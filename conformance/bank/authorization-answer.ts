import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'

/** An error by which the bank answers an authorization request: on the spot, or at the redirect URI. */
export class ErrorAnswer {
  constructor(
    readonly to: 'direct' | 'redirect',
    readonly status: number,
    readonly code: string,
  ) {}

  /** As a card says it. */
  toString(): string {
    const { to, status, code } = this
    return to === 'redirect'
      ? `a redirect (${status}) with the error ${code}`
      : `status ${status} with the error ${code}`
  }
}

/** The redirect to the service by which most errors are told. */
export function redirectedError(code: string): ErrorAnswer {
  return new ErrorAnswer('redirect', 302, code)
}

/** What can be said of any answer in few words. */
export class Outline {
  readonly status: number
  readonly location: string | undefined
  readonly mediaType: string

  constructor({ status, location, mediaType }: HttpResponse) {
    this.status = status
    this.location = location
    this.mediaType = mediaType
  }

  /** As a card says it. */
  toString(): string {
    const { status, location, mediaType } = this
    if (location !== undefined) return `a redirect (${status}) to ${location}`
    return mediaType === '' ? `status ${status}` : `status ${status} with ${mediaType}`
  }
}

/** The error in the bank's answer to an authorization request, in the body, in the query or in the fragment; undefined where there is none. */
export function errorIn(response: HttpResponse): ErrorAnswer | undefined {
  const { status, location } = response
  if (location === undefined) {
    const code = response.member('error')
    return typeof code === 'string' ? new ErrorAnswer('direct', status, code) : undefined
  }
  const { searchParams, hash } = new URL(location)
  const code = searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error')
  return code === null ? undefined : new ErrorAnswer('redirect', status, code)
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
