import { isUrl } from '../../schemas/is-url.js'
import type { KoaContextWithOIDC } from './library.js'
import { withParameters } from './with-parameters.js'

type Next = () => Promise<unknown>

/** What the library added to the query of the redirect URI, which it writes anew as a whole. */
function addedTo(redirectUri: string, location: string): [string, string][] {
  const registered = new URL(redirectUri).searchParams
  return [...new URL(location).searchParams].filter(([name, value]) => !registered.getAll(name).includes(value))
}

/**
 * Where an answer of /auth goes. The redirect URI stays as it was registered, its own query too (RFC 6749 section 3.1.2). Into the fragment
 * goes of response_type token the access token (AMB-11), without the id_token that the library adds; of the signing flow's types all
 * (AMB-61). Errors go into the query as all others (specification: "Error codes", redirect errors).
 */
export async function authorizationAnswer(
  ctx: {
    response: { get(name: string): string | undefined }
    set(name: string, value: string): void
    redirect(to: string): void
  },
  next: Next,
): Promise<void> {
  await next()
  const { oidc } = ctx as unknown as KoaContextWithOIDC
  const location = ctx.response.get('location')
  const redirectUri = oidc?.params?.redirect_uri
  // The bank's own pages are at addresses without a host.
  if (typeof redirectUri !== 'string' || !location?.includes('://') || !isUrl(location)) return
  const fragment = new URLSearchParams(new URL(location).hash.slice(1))
  if (oidc.params?.response_type === 'id_token token') fragment.delete('id_token')
  // The library leaves iss out where an id_token tells it; discovery declares it for every answer (RFC 9207 section 2).
  if (fragment.size > 0) fragment.set('iss', oidc.provider.issuer)
  const inFragment = fragment.size > 0 && !fragment.has('error')
  const inQuery = fragment.has('error') ? [...fragment] : addedTo(redirectUri, location)
  const answer = inFragment ? `${redirectUri}#${fragment}` : withParameters(redirectUri, inQuery)
  ctx.redirect(answer)
  // The redirect above writes the address anew, too.
  ctx.set('location', answer)
}
