import { readingOf } from '../readings.js'
import type { Rooms } from '../rooms.js'
import type { Client } from '../store/clients.js'
import type { OutboxItem } from '../store/outbox.js'
import { endSessionIn } from '../store/provider-records.js'
import type { Provider } from './library.js'

export type LoginSession = InstanceType<Provider['Session']>

/** An application that took part in a session. */
export interface Participant {
  client: Client
  /** The session's name at this application. */
  sid?: string
}

async function participantsOf({ clients }: Rooms, { authorizations = {} }: LoginSession): Promise<Participant[]> {
  const found = Object.entries(authorizations).map(async ([clientId, { sid }]) => {
    const client = await clients.find(clientId)
    return client ? [{ client, ...(sid !== undefined && { sid }) }] : []
  })
  return (await Promise.all(found)).flat()
}

/** OpenID Connect Back-Channel Logout 1.0 section 2.2; the address that the application registered (AMB-51). */
function logoutOf({ subjects }: Rooms, personId: string, { client, sid }: Participant): OutboxItem[] {
  const receiver = client.record.backchannel_logout_uri
  if (typeof receiver !== 'string') return []
  const sub = subjects.of(client, personId)
  const content = { kind: 'logout' as const, sub, ...(sid !== undefined && { sid }) }
  return [{ receiver, clientId: client.clientId, personId, content }]
}

/**
 * Ends a person's session at once: the login, every token of it ("Token kinds", rule 3; AMB-43) and, in the same transaction, what its
 * applications have to be told.
 *
 * @returns the applications that took part
 */
export async function endSession(rooms: Rooms, session: LoginSession): Promise<Participant[]> {
  const { outbox, config, faults } = rooms
  const participants = await participantsOf(rooms, session)
  await outbox.with(async (db) => {
    const tokens = faults.leavesOut('logout/tokens')
      ? 'none'
      : readingOf(config.readings, 'AMB-43') === 2
        ? 'online'
        : 'all'
    await endSessionIn(db, { id: session.jti, uid: session.uid }, tokens)
    return session.accountId === undefined
      ? []
      : participants.flatMap((participant) => logoutOf(rooms, String(session.accountId), participant))
  })
  return participants
}
