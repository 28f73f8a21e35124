import type { Policy } from '../policy.js'
import { signingFlow } from '../provider/capabilities.js'
import type { SigningRequest } from '../store/signing-requests.js'
import { scopesAsked } from './request-object-checks.js'
import { signsDocuments } from './structured-scope.js'

/**
 * Scopes that a person is not asked about apart: they come with the authorization itself. Specification: "Structured scope objects",
 * the six scopes of documents.
 */
export function impliedScopes({ claims }: SigningRequest): string[] {
  return ['openid', 'authorization', ...(signsDocuments(claims.structured_scope) ? signingFlow.documentScopes : [])]
}

/** All scopes of a request object. */
export function scopesOf(request: SigningRequest, policy: Pick<Policy, 'signingAddressScope'>): string[] {
  return [...new Set([...impliedScopes(request), ...scopesAsked(request.claims, policy)])]
}
