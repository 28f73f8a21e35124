import type { Person } from '../../../fixtures/people.js'
import { nowSeconds } from '../../clock.js'
import type { BankContext } from '../../context.js'
import type { InteractionResult, Step } from './step.js'

/** Goes on with who has just given a password, which reaches loa2; goes back to the client with one who may not use the service. */
export async function completePasswordLogin(
  { blocks, people }: Pick<BankContext, 'blocks' | 'people'>,
  step: Step,
  person: Person,
  result: InteractionResult = {},
): Promise<void> {
  if (person.behaviour) return step.end(person.behaviour)
  if (await blocks.isBlocked(person.id)) return step.end('switched-off')
  const outcome = await people.nextLogins.takeOutcome(person.login)
  if (outcome) return step.end(outcome)
  return step.goOn({ ...result, login: { accountId: person.id, acr: 'loa2', amr: ['pwd'], ts: nowSeconds() } })
}
