import type { Client } from '../client.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Policy } from '../policy.js'
import { impliedScopes, type SigningRequest } from '../signing-request.js'

/** The scopes of a client's record that a request for openid alone is about. Specification: "States and transitions", rule 3; AMB-45. */
export function registeredScopes(
  { record }: Client,
  { openidAloneGrants }: Pick<Policy, 'openidAloneGrants'>,
): readonly string[] {
  const withOfflineAccess = openidAloneGrants === 'offline-access-too'
  return parseSpaceDelimited(record.scope).filter((scope) => withOfflineAccess || scope !== 'offline_access')
}

/** What a request's scope stands for: openid alone reaches all data scopes that the client registered (AMB-33). */
export function effectiveScopes(
  client: Client,
  scope: string,
  policy: Pick<Policy, 'openidAlone' | 'openidAloneGrants'>,
): string {
  if (scope !== 'openid' || policy.openidAlone !== 'all-registered') return scope
  return [...new Set(['openid', ...registeredScopes(client, policy)])].join(' ')
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
