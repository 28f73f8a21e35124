import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/** The forms of a refusal with a body, by its status. */
const forms = { 401: 'unauthorized', 403: 'forbidden', 400: 'bad-request' } as const

/**
 * A refusal of a token, or of a request without one, in one of the listed forms (AMB-32).
 * @param flaw what is wrong with the token; 403 is for one that was good once, or is good for less
 */
export function expectTokenRefused(
  { expect, note, reading }: Tools,
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
  // The challenge tells the error (RFC 6750 section 3), and a body is not shown: there is none, or a page of the server's for people.
  const hasBody = text.trim() !== '' && !response.isPage
  const withoutBody = !hasBody && (status === 401 || challengedError(response) !== undefined)
  if (withoutBody && response.isPage)
    note('the body of a refusal is a page: what is wrong is told in WWW-Authenticate alone')
  if (!withoutBody) expect(response).toTellError('the body of the refusal')
  reading('AMB-32', withoutBody && status === 401 ? 'challenge-only' : forms[status as keyof typeof forms])
}

/** The error that a Bearer challenge tells (RFC 6750 section 3); undefined where there is none. */
function challengedError(response: HttpResponse): string | undefined {
  const challenge = String(response.header('www-authenticate') ?? '')
  return /(^|,\s*)Bearer\b.*\berror\s*=\s*"?(\w+)/i.exec(challenge)?.[2]
}

/** The error of a refusal, in its body or in its challenge. */
export function errorToldBy(response: HttpResponse): string | undefined {
  const told = response.member('error')
  return typeof told === 'string' ? told : challengedError(response)
}

/**
 * Whether a token is refused for its scopes, of which none has claims at the endpoint (DATA-8). That this is 403 is a SHOULD (RFC 6750
 * section 3.1); libraries answer 401 wherever there is a challenge.
 */
export function isRefusedForItsScope(
  { expect, warn }: Pick<Tools, 'expect' | 'warn'>,
  where: string,
  response: HttpResponse,
): boolean {
  if (response.status < 400) return false
  expect(response).toHaveStatus(403, 401)
  if (response.text.trim() !== '') expect(response).toTellError('the body of the refusal')
  expect(errorToldBy(response), 'the error of the refusal', response).toBe('insufficient_scope')
  if (response.status === 401) warn(`${where} is refused as insufficient_scope with 401, in place of 403`)
  return true
}

/** Why nothing is looked at of calls as Bearer. */
export const noneAuthenticates = 'no access token authenticates its client here (AMB-47)'

/** Whether no access token authenticates a caller (AMB-47), by the answer to one who sent a live one: as to one who sent nothing. */
export function isUnknownCaller(response: HttpResponse): boolean {
  if (response.status === 401) return true
  return response.status === 400 && ['invalid_client', 'invalid_request'].includes(String(response.member('error')))
}
