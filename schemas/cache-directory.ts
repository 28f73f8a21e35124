import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where what can be made again is kept for the next process of the same user: below XDG_CACHE_HOME, or ~/.cache. */
export function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'bank-idp-conformance')
}
