import type { Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'

/**
 * That an error without a redirect is JSON with error and error_description. No RFC names the media type of those at /auth, where a problem
 * is JSON too (RFC 9457 section 3); of the others they do (RFC 6749 section 5.2, RFC 7591 section 3.2.2).
 */
export async function expectDirectError(
  { bank, expect }: Pick<Tools, 'bank' | 'expect'>,
  response: HttpResponse,
): Promise<void> {
  const discovery = await bank.discovery()
  const authorization = new URL(await discovery.endpoint('authorization_endpoint'))
  const atAuth = new URL(response.request.url).pathname === authorization.pathname
  expect(response).toHaveMediaType('application/json', ...(atAuth ? ['application/problem+json'] : []))
  expect(response).toTellError('the error')
}
