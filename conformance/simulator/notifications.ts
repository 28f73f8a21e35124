import { isDeepStrictEqual } from 'node:util'
import type { Journal } from './journal.js'
import type { Peer } from './peer.js'
import { Refusal } from './refusal.js'
import { verifyEventToken } from './tokens.js'

/** Specification: "Notification token and event". */
interface ClaimUpdate {
  type: string
  original_event_at: string
  sub: string
  affected_client_ids: string[]
  affected_claims: string[]
}

/**
 * Takes in a notification_token, the whole batch or nothing of it. Banks repeat a notification whose answer they did not hear
 * (specification: "Events" 4 shows no delivery rules), so the same one again is answered like the first and counts once; another one
 * under its jti is refused.
 * @returns what happened, a line for each event
 * @throws Refusal
 */
export async function receiveNotification(jwt: string, peers: readonly Peer[], journal: Journal): Promise<string[]> {
  const { peer, claims } = await verifyEventToken('notification_token', jwt, peers)
  const { jti } = claims
  const events = claims.events as ClaimUpdate[]
  const known = journal.clients(peer.issuer).map(({ clientId }) => clientId)
  for (const [index, { affected_client_ids }] of events.entries()) {
    const unknown = affected_client_ids.find((clientId) => !known.includes(clientId))
    if (unknown !== undefined) {
      throw new Refusal(400, `events.${index}.affected_client_ids: the service has no client ${unknown} at this bank`)
    }
  }
  const before = journal.taken('notification', peer.issuer, jti)
  if (before && !isDeepStrictEqual(before.events, events)) {
    throw new Refusal(400, `jti: ${jti} was already received, with other events`)
  }
  if (before) return [`notification ${jti} again: it was already processed`]
  journal.append({ kind: 'notification', at: new Date().toISOString(), issuer: peer.issuer, jti, events })
  return events.map(
    ({ sub, original_event_at, affected_claims, affected_client_ids }) =>
      `${affected_claims.join(', ')} of ${sub} changed at ${original_event_at}, for ${affected_client_ids.join(', ')} (jti ${jti})`,
  )
}
