import type { Person } from '../../fixtures/people.js'
import type { BankContext } from '../context.js'
import { endForSecurity } from './sessions.js'

/**
 * Blocks a device: nobody signs in with it from now on, and the logins that were made with it end at once, with every token of theirs.
 * Specification: "Token kinds", rule 2; "States and transitions", security-risk authentication outcome.
 */
export async function blockDevice(
  context: Pick<
    BankContext,
    'clients' | 'config' | 'devices' | 'outbox' | 'policy' | 'provider' | 'seams' | 'subjects'
  >,
  device: string,
): Promise<void> {
  // First, so that a login which is under way is either found here or finds itself blocked.
  await context.devices.block(device)
  for (const uid of await context.devices.sessionsOf(device)) await endForSecurity(context, uid)
}

/** Blocks a person: the same for every login of theirs, with whatever device. */
export async function blockPerson(
  context: Pick<
    BankContext,
    'blocks' | 'clients' | 'config' | 'devices' | 'outbox' | 'people' | 'policy' | 'provider' | 'seams' | 'subjects'
  >,
  person: Person,
): Promise<void> {
  const ids = identitiesOf(context, person)
  // While the sessions still tell which clients took part in them.
  for (const uid of await context.devices.sessionsOfPeople(ids)) await endForSecurity(context, uid)
  await context.blocks.block(ids)
}

/** What was ended stays so. */
export function unblockPerson(context: Pick<BankContext, 'blocks' | 'people'>, person: Person): Promise<void> {
  return context.blocks.unblock(identitiesOf(context, person))
}

/** A person is known by an id of their own and by one for each of their accounts. */
function identitiesOf({ people }: Pick<BankContext, 'people'>, { id }: Person): string[] {
  return [...new Set([id, ...people.accountsOf(id).map((account) => account.id)])]
}
