import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/** The forms of a refusal with a body, by its status. */
const forms = { 401: 'unauthorized', 403: 'forbidden', 400: 'bad-request' } as const

/**
 * A refusal of a token, or of a request without one, in one of the listed forms (AMB-32).
 * @param flaw what is wrong with the token; 403 is for one that was good once, or is good for less
 */
export function expectTokenRefused(
  { expect, reading }: Tools,
  response: HttpResponse,
  flaw: 'missing' | 'unknown' | 'expired',
): void {
  const statuses = flaw === 'expired' ? [401, 403, 400] : [401, 400]
  expect(response).toHaveStatus(...statuses)
  const { status, text } = response
  if (status === 401) {
    expect(response.header('www-authenticate'), 'WWW-Authenticate', response).toMatch(
      /(^|,\s*)Bearer\b/i,
      'a Bearer challenge',
    )
  }
  const withoutBody = status === 401 && text.trim() === ''
  if (!withoutBody) expect(response).toTellError('the body of the refusal')
  reading('AMB-32', withoutBody ? 'challenge-only' : forms[status as keyof typeof forms])
}

/** Whether no access token authenticates a caller (AMB-47), by the answer to one who sent a live one: as to one who sent nothing. */
export function isUnknownCaller(response: HttpResponse): boolean {
  if (response.status === 401) return true
  return response.status === 400 && ['invalid_client', 'invalid_request'].includes(String(response.member('error')))
}
