import type { ResponseFacts, SeamResponse } from '../seams.js'
import type { Deviation } from './fault.js'

/** Whether an answer is that of the request itself, without a page between: what leads on from the pages has no query. */
export function isDirect({ query }: Pick<ResponseFacts, 'query'>): boolean {
  return query.has('client_id')
}

/** Whether the browser had signed in before the answer. */
export function isSignedIn({ requestHeader }: Pick<ResponseFacts, 'requestHeader'>): boolean {
  return /__Host-session=/.test(requestHeader('cookie') ?? '')
}

/** Where an answer redirects to, when that is a whole address. */
export function redirectTarget({ headers: { location } }: SeamResponse): URL | undefined {
  return typeof location === 'string' && URL.canParse(location) ? new URL(location) : undefined
}

/** For `response`: changes where an answer redirects to, and leaves other answers alone. */
export function redirect(change: (target: URL) => void) {
  return (response: SeamResponse): SeamResponse => {
    const target = redirectTarget(response)
    if (!target) return response
    const { href } = target
    change(target)
    return target.href === href ? response : redirected(response, target)
  }
}

/** For `response`: changes a redirect that carries a code in its query. */
export function codeRedirect(change: (target: URL) => void) {
  return redirect((target) => {
    if (target.searchParams.has('code')) change(target)
  })
}

/** For `response`: changes a redirect that carries an error in its query. */
export function errorRedirect(change: (target: URL, error: string) => void) {
  return redirect((target) => {
    const error = target.searchParams.get('error')
    if (error) change(target, error)
  })
}

/** For `response`: answers one redirected error, told by its code and description, as another. */
export function errorAs(from: { code: string; description?: string }, to: { code?: string; description?: string }) {
  return errorRedirect(({ searchParams }, error) => {
    if (error !== from.code) return
    if (from.description !== undefined && searchParams.get('error_description') !== from.description) return
    if (to.code !== undefined) searchParams.set('error', to.code)
    if (to.description !== undefined) searchParams.set('error_description', to.description)
  })
}

/** Sends an error to the redirect URI of a request, whatever the right answer is. */
export function refusal(response: SeamResponse, query: URLSearchParams, code: string): SeamResponse {
  const target = new URL(String(query.get('redirect_uri')))
  target.searchParams.set('error', code)
  target.searchParams.set('error_description', 'the request is not served')
  target.searchParams.set('state', query.get('state') ?? '')
  return redirected({ ...response, status: 302 }, target)
}

/** For `response`: sends an error that is answered on the spot to whatever redirect_uri the request carried. */
export function openRedirect(
  code: string,
  isMeant: (error: Record<string, unknown>, facts: ResponseFacts) => boolean,
): NonNullable<Deviation['response']> {
  return {
    'GET /auth': (response, facts) => {
      const { body } = response
      const { query } = facts
      if (typeof body !== 'object' || body === null || !query.has('redirect_uri') || !isMeant({ ...body }, facts))
        return response
      const { 'content-type': _, ...headers } = response.headers
      return { ...refusal({ ...response, headers }, query, code), body: '' }
    },
  }
}

function redirected(response: SeamResponse, target: URL): SeamResponse {
  return { ...response, headers: { ...response.headers, location: target.href } }
}

/** Moves the parameters of a redirect from its query to its fragment. */
export function toFragment(target: URL): void {
  inFragmentToo(target)
  target.search = ''
}

/** Says the parameters of an address once more in its fragment. */
export function inFragmentToo(target: URL): void {
  target.hash = target.search.slice(1)
}
