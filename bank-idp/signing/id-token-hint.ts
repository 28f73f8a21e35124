import type { Person } from '../../fixtures/people.js'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { subjectOfHint } from '../provider/id-token-hint.js'

/**
 * Whom an id_token of this bank names, however old it is. Specification: "Signing / request-object flow", id_token_hint.
 *
 * @returns undefined when the bank did not issue it to this client, or nobody here has the sub
 */
export async function personOfHint(
  context: Pick<BankContext, 'config' | 'keys' | 'people' | 'seams' | 'subjects'>,
  client: Client,
  hint: string,
): Promise<Person | undefined> {
  const { people, subjects } = context
  const named = await subjectOfHint(context, client.clientId, hint).catch(() => undefined)
  const id = named === undefined ? undefined : subjects.personOf(client, named, people.ids())
  return id === undefined ? undefined : people.byId(id)
}
