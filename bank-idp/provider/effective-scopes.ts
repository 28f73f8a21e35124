import type { Client } from '../client.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { type Readings, readingOf } from '../readings.js'

/** What a request's scope stands for: openid alone reaches all data scopes that the client registered (AMB-33, AMB-45). */
export function effectiveScopes({ record }: Client, scope: string, readings: Readings): string {
  if (scope !== 'openid' || readingOf(readings, 'AMB-33') !== 1) return scope
  const withOfflineAccess = readingOf(readings, 'AMB-45') === 2
  const registered = parseSpaceDelimited(record.scope).filter((one) => withOfflineAccess || one !== 'offline_access')
  return [...new Set(['openid', ...registered])].join(' ')
}
