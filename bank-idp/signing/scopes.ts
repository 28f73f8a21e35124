import type { Readings } from '../readings.js'
import type { SigningRequest } from '../signing-request.js'
import { impliedScopes } from '../signing-request.js'
import { scopesAsked } from './request-object-checks.js'

/** All scopes of a request object. */
export function scopesOf(request: SigningRequest, readings: Readings): string[] {
  return [...new Set([...impliedScopes(request), ...scopesAsked(request.claims, readings)])]
}
