import { decodeJwt } from 'jose'
import { formatViolation, type SchemaName, validate } from '../../schemas/index.js'
import { clockSkewSeconds, isJwtAtFault, type Peer } from './peer.js'
import { Refusal } from './refusal.js'

/** A token about an event is taken this long after it was made, in seconds. */
const longestAgeSeconds = 86_400

type Claims = Record<string, unknown> & { iat: unknown; exp?: number; jti: string }

/** The bank that a token says it comes from, not yet believed. */
function senderOf(what: string, jwt: string, peers: readonly Peer[]): Peer {
  const iss = (() => {
    try {
      return decodeJwt(jwt).iss
    } catch (cause) {
      throw new Refusal(400, `${what} is not a JWT`, { cause })
    }
  })()
  const peer = peers.find(({ issuer }) => issuer === iss)
  if (!peer) throw new Refusal(400, `iss of ${what} names a bank that the service does not know`)
  return peer
}

/** iat as Unix seconds, or an ISO 8601 timestamp (AMB-60). */
function issuedAt(iat: unknown): number {
  return typeof iat === 'number' ? iat : Date.parse(String(iat)) / 1000
}

/**
 * Verifies a token that a bank posts: its sender, its signature by a published key, its form and its age.
 * @param what name of the form field, and of the schema with a hyphen
 * @throws Refusal 400 naming what is wrong, 500 when the bank's keys cannot be read
 */
export async function verifyEventToken(
  what: 'logout_token' | 'notification_token',
  jwt: string,
  peers: readonly Peer[],
): Promise<{ peer: Peer; claims: Claims }> {
  const peer = senderOf(what, jwt, peers)
  const claims: unknown = await peer.verifySignature(jwt, what).catch((cause: Error) => {
    if (isJwtAtFault(cause)) throw new Refusal(400, `${what}: ${cause.message}`, { cause })
    throw new Refusal(500, `the keys of ${peer.issuer} cannot be read: ${cause.message}`, { cause })
  })
  const [violation] = validate(what.replace('_', '-') as SchemaName, claims)
  if (violation) throw new Refusal(400, formatViolation(violation, what))
  const { iat, exp } = claims as Claims
  const now = await peer.now()
  const age = now - issuedAt(iat)
  // A schema takes a leap second for a time.
  if (Number.isNaN(age)) throw new Refusal(400, 'iat: is no time that can be reckoned with')
  if (age < -clockSkewSeconds) throw new Refusal(400, 'iat: lies in the future')
  if (age > longestAgeSeconds) throw new Refusal(400, 'iat: is more than a day ago')
  if (exp !== undefined && !(exp > now - clockSkewSeconds)) throw new Refusal(400, 'exp: lies in the past')
  return { peer, claims: claims as Claims }
}
