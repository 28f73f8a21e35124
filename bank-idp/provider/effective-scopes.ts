import type { Client } from '../client.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Policy } from '../policy.js'
import { impliedScopes, type SigningRequest } from '../signing-request.js'

/** What a request's scope stands for: openid alone reaches all data scopes that the client registered (AMB-33, AMB-45). */
export function effectiveScopes(
  { record }: Client,
  scope: string,
  policy: Pick<Policy, 'openidAlone' | 'openidAloneGrants'>,
): string {
  if (scope !== 'openid' || policy.openidAlone !== 'all-registered') return scope
  const withOfflineAccess = policy.openidAloneGrants === 'offline-access-too'
  const registered = parseSpaceDelimited(record.scope).filter((one) => withOfflineAccess || one !== 'offline_access')
  return [...new Set(['openid', ...registered])].join(' ')
}

/**
 * The scopes of a refresh token that a PUT dropped from the client's record since, where a refresh does not give them (AMB-79). What comes
 * with the authorization of a request object need never have been registered.
 */
export function droppedScopes(
  { record }: Client,
  scope: string | undefined,
  signing: SigningRequest | undefined,
  policy: Pick<Policy, 'droppedScope'>,
): string[] {
  if (policy.droppedScope !== 'registered') return []
  const kept = [...parseSpaceDelimited(record.scope), ...(signing ? impliedScopes(signing) : [])]
  return parseSpaceDelimited(scope).filter((one) => !kept.includes(one))
}
