import { isObject } from './claims.js'

/** The members of an event of a notification token. */
export type EventMembers = Record<string, unknown>

/** The events in the payload of a token, as far as they are any: what they are wrapped in is for one rule to judge. */
export function eventsIn({ events }: Record<string, unknown>): EventMembers[] {
  const alone = isObject(events) && 'affected_client_ids' in events
  const list = alone ? [events] : isObject(events) ? Object.values(events) : events
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** Whether an event names a client. */
export function namesClient({ affected_client_ids }: EventMembers, clientId: string): boolean {
  return [affected_client_ids].flat().includes(clientId)
}

/** Names of affected_claims, as far as they are any; of an object the name of a member tells of it as well. */
export function claimsIn(events: readonly EventMembers[]): string[] {
  const named = events.flatMap(({ affected_claims }) => [affected_claims].flat()).map(String)
  return [...new Set(named.map((name) => name.split('.')[0] ?? ''))]
}
