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
  { keys, people, subjects, config }: Pick<BankContext, 'config' | 'keys' | 'people' | 'subjects'>,
  client: Client,
  hint: string,
): Promise<Person | undefined> {
  const named = await subjectOfHint(keys, config.issuer, client.clientId, hint).catch(() => undefined)
  const id = named === undefined ? undefined : subjects.personOf(client, named, people.ids())
  return id === undefined ? undefined : people.byId(id)
}
