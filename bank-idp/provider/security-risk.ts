import type { Person } from '../../fixtures/people.js'
import type { Rooms } from '../rooms.js'
import { endForSecurity } from './sessions.js'

/**
 * Blocks a device: nobody signs in with it from now on, and the logins that were made with it end at once, with every token of theirs.
 * Specification: "Token kinds", rule 2; "States and transitions", security-risk authentication outcome.
 */
export async function blockDevice(rooms: Rooms, device: string): Promise<void> {
  // First, so that a login which is under way is either found here or finds itself blocked.
  await rooms.devices.block(device)
  for (const uid of await rooms.devices.sessionsOf(device)) await endForSecurity(rooms, uid)
}

/** Blocks a person: the same for every login of theirs, with whatever device. */
export async function blockPerson(rooms: Rooms, person: Person): Promise<void> {
  const ids = identitiesOf(rooms, person)
  // While the sessions still tell which applications took part in them.
  for (const uid of await rooms.devices.sessionsOfPeople(ids)) await endForSecurity(rooms, uid)
  await rooms.blocks.block(ids)
}

/** What was ended stays so. */
export function unblockPerson(rooms: Rooms, person: Person): Promise<void> {
  return rooms.blocks.unblock(identitiesOf(rooms, person))
}

/** A person is known by an id of their own and by one for each of their accounts. */
function identitiesOf({ people }: Rooms, { id }: Person): string[] {
  return [...new Set([id, ...people.accountsOf(id).map((account) => account.id)])]
}
