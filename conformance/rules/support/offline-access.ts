import type { Metadata } from '../../bank/client-metadata.js'
import type { Discovery } from '../../bank/discovery.js'

/** What registers offline_access beside the scopes of a record, where the bank declares it: AMB-45 is about it. */
export function withOfflineAccess(discovery: Discovery, { scope, grant_types }: Metadata): Metadata {
  const declares = (list: string, value: string) => discovery.declared(list)?.includes(value)
  if (!declares('scopes_supported', 'offline_access') || !declares('grant_types_supported', 'refresh_token')) return {}
  const grants = Array.isArray(grant_types) ? grant_types : []
  return {
    scope: [...new Set([...String(scope).split(' '), 'offline_access'])].join(' '),
    grant_types: [...new Set([...grants, 'refresh_token'])],
  }
}
