import type { Person } from '../../../fixtures/people.js'
import type { Rooms } from '../../rooms.js'
import type { Outcome, Step } from './step.js'

/** Goes on with who has just given a password, which reaches loa2; goes back to the application with one who may not use the service. */
export async function admit(
  { blocks }: Pick<Rooms, 'blocks'>,
  step: Step,
  person: Person,
  outcome: Outcome = {},
): Promise<void> {
  if (person.behaviour) return step.end(person.behaviour)
  if (await blocks.isBlocked(person.id)) return step.end('switched-off')
  return step.goOn({ ...outcome, login: { accountId: person.id, acr: 'loa2', amr: ['pwd'] } })
}
