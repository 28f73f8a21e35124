import type { Expect } from '../../harness/expect.js'
import type { HttpResponse } from '../../http/http.js'

/** A state of every kind of character that a query encodes, some in more than one Unicode form, with a space at either end. */
export const oddState = ' a b+c&d=e%2Bf/g?h#i"j\'k<l>m;n~o\\p{q}ée\u0301ﬁ '

/** A state of 300 characters that need no encoding. */
export const longState = 'Long-state_0123456789.~abcdefg'.repeat(10)

/** What answers are made of (RFC 6749 sections 4.1.2, 4.2.2; OpenID Connect Core section 3.3.2.5). */
const ofAnswers = ['code', 'state', 'error', 'error_description', 'error_uri', 'access_token', 'token_type', 'id_token']

/**
 * The parameters of an answer in a fragment. One that carries nothing may be there: it keeps browsers from carrying on another one, of an
 * address before (RFC 9700 section 4.1.3).
 */
export function answeredIn(fragment: URLSearchParams): string[] {
  return [...fragment.keys()].filter((name) => ofAnswers.includes(name))
}

/** Whether an answer leads elsewhere without what a request that is served is given: whether it is refused at all, other rules say. */
export function redirectsError({ location }: HttpResponse): boolean {
  if (location === undefined) return false
  const { searchParams, hash } = new URL(location)
  const fragment = new URLSearchParams(hash.slice(1))
  const has = (name: string) => searchParams.has(name) || fragment.has(name)
  return has('error') || !(has('code') || has('access_token'))
}

/** Whether an error is told in the fragment alone. */
export function isToldInFragment({ location }: HttpResponse): boolean {
  const { searchParams, hash } = new URL(String(location))
  return !searchParams.has('error') && new URLSearchParams(hash.slice(1)).has('error')
}

/** The specification has every redirected error in the query; the RFC that has tokens in the fragment has such errors there as well. */
export const toldInFragment =
  'the error is told in the fragment, as RFC 6749 section 4.2.2.1 has it, and not in the query'

/** Whether the description of a redirected error has no other signs than RFC 6749 section 4.1.2.1 allows. */
export function isDescribedInAscii({ location }: HttpResponse): boolean {
  const { searchParams, hash } = new URL(String(location))
  return [searchParams, new URLSearchParams(hash.slice(1))].every((told) =>
    told.getAll('error_description').every((text) => /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text)),
  )
}

/** No more than a warning: the specification says nothing of the language of descriptions. */
export const describedOtherwise =
  'error_description of a redirected error has signs beyond ASCII, quotation marks or backslashes (RFC 6749 section 4.1.2.1)'

/** What is to be warned of in the issuer that an answer names: nothing of the interface specification says that it comes; clients that look at it refuse the answer. */
export function doubtAboutIssuer({ location }: HttpResponse, issuer: string): string | undefined {
  const told = new URL(String(location)).searchParams.getAll('iss')
  if (told.every((iss) => iss === issuer) && told.length <= 1) return undefined
  return `iss of the callback is ${told.join(' and ')}, which is not the issuer (RFC 9207 section 2.4)`
}

/** The form of a redirected error: its parameters in the query of the redirect URI. @param state of the request, if it had one */
export function expectErrorForm(expect: Expect, response: HttpResponse, state?: string): void {
  const { searchParams, hash } = new URL(String(response.location))
  const what = 'the query of the redirected error'
  expect(response).toHaveStatus(302)
  for (const name of ['error', 'error_description']) {
    const oneText = (all: readonly string[]) => all.length === 1 && all[0] !== ''
    expect(searchParams.getAll(name), `every ${name} in ${what}`, response).toSatisfy(oneText, 'one text')
  }
  expect(searchParams.get('code'), `code in ${what}`, response).toBe(null)
  if (state !== undefined)
    expect([...searchParams.getAll('state')], `every state in ${what}`, response).toEqual([state])
  const inFragment = answeredIn(new URLSearchParams(hash.slice(1)))
  expect(inFragment, 'what the fragment of the redirected error tells', response).toEqual([])
}
