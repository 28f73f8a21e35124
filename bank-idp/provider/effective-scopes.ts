import type { Client } from '../client.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Policy } from '../policy.js'

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
