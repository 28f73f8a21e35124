import { deviceGrant } from './device-grant.js'
import type { KoaContextWithOIDC, Provider } from './library.js'

type Next = () => Promise<unknown>

/** Moves the parameters of a fragment into the query. */
function inQuery(target: URL): URL {
  for (const [name, value] of new URLSearchParams(target.hash.slice(1))) target.searchParams.set(name, value)
  target.hash = ''
  return target
}

/**
 * The answers that go into the fragment: of response_type token the access token (AMB-11), without the id_token that the library adds; of
 * the signing flow's types all (AMB-61). Errors go into the query as all others (specification: "Error codes", redirect errors).
 */
export async function tokenResponse(
  ctx: { status: number; response: { get(name: string): string }; set(name: string, value: string): void },
  next: Next,
): Promise<void> {
  await next()
  const { oidc } = ctx as unknown as KoaContextWithOIDC
  const location = ctx.response.get('location')
  if (oidc?.params?.response_type === undefined || !location.includes('#')) return
  const target = new URL(location)
  const fragment = new URLSearchParams(target.hash.slice(1))
  if (oidc.params.response_type === 'id_token token') fragment.delete('id_token')
  // The library leaves iss out where an id_token tells it; discovery declares it for every answer (RFC 9207 section 2).
  fragment.set('iss', oidc.provider.issuer)
  target.hash = fragment.toString()
  ctx.set('location', (fragment.has('error') ? inQuery(target) : target).href)
}

/**
 * Two rules of the library's for applications that are not ours: none of the implicit flow at localhost, where those of a developer live;
 * and none of the device grant unless it authenticates by a key, which the library cannot see (client-authentication.ts).
 */
export function takeOurApplications(provider: Provider): void {
  const schema = (
    provider.Client as unknown as { Schema: { prototype: { invalidate(message: string, code?: string): void } } }
  ).Schema.prototype
  const { invalidate } = schema
  schema.invalidate = function (message, code) {
    if (code === 'implicit-forbid-localhost' || message.startsWith(`pairwise ${deviceGrant}`)) return
    invalidate.call(this, message, code)
  }
}
