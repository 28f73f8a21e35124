import type { Journal } from './journal.js'
import type { Peer } from './peer.js'
import { Refusal } from './refusal.js'
import { verifyEventToken } from './tokens.js'

/**
 * Takes in a logout_token. Specification: "Exposed by the service"; OpenID Connect Back-Channel Logout 1.0 section 2.6, by which a
 * repeated jti is refused.
 * @returns what happened, in a line
 * @throws Refusal
 */
export async function receiveLogout(jwt: string, peers: readonly Peer[], journal: Journal): Promise<string> {
  const { peer, claims } = await verifyEventToken('logout_token', jwt, peers)
  const { jti } = claims
  const audience = [claims.aud ?? []].flat()
  const clientIds = journal.clients(peer.issuer).map(({ clientId }) => clientId)
  const own = clientIds.filter((clientId) => audience.includes(clientId))
  if (own.length === 0) throw new Refusal(400, 'aud: the service has no such client at this bank')
  if (journal.taken('logout', peer.issuer, jti)) throw new Refusal(400, `jti: ${jti} was already received`)
  const { sub, sid } = claims
  journal.append({
    kind: 'logout',
    at: new Date().toISOString(),
    issuer: peer.issuer,
    jti,
    clientIds: own,
    ...(typeof sub === 'string' && { sub }),
    ...(typeof sid === 'string' && { sid }),
  })
  return `logout at ${own.join(', ')}: ${[sub && `sub ${sub}`, sid && `sid ${sid}`].filter(Boolean).join(', ')} (jti ${jti})`
}
