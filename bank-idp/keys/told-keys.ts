import type { JWK } from 'jose'
import { publicJwk } from './jwk.js'

/** A name that nobody can have (RFC 2606 section 2): what lies there is read from the address itself. */
const host = 'keys.bench.invalid'

/**
 * The address of a key set that nobody serves: it tells the keys itself. A client that was made at the bench (control/) has it as its
 * jwks_uri, so that nobody needs a server to begin, and no restart forgets it.
 *
 * @param keys of which the public halves are told
 */
export function addressOfKeys(keys: readonly JWK[]): string {
  const told = Buffer.from(JSON.stringify({ keys: keys.map(publicJwk) })).toString('base64url')
  return `https://${host}/${told}`
}

/** The key set that an address tells, as JSON; undefined for the address of somebody's server. */
export function keysOfAddress(address: URL): string | undefined {
  if (address.host !== host) return undefined
  return Buffer.from(address.pathname.slice(1), 'base64url').toString()
}
