import type { Policy } from '../policy.js'
import { impliedScopes, type SigningRequest } from '../signing-request.js'
import { scopesAsked } from './request-object-checks.js'

/** All scopes of a request object. */
export function scopesOf(request: SigningRequest, policy: Pick<Policy, 'signingAddressScope'>): string[] {
  return [...new Set([...impliedScopes(request), ...scopesAsked(request.claims, policy)])]
}
