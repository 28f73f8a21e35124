import { compactVerify, createLocalJWKSet } from 'jose'
import type { Person } from '../../fixtures/people.js'
import type { Rooms } from '../rooms.js'
import type { Client } from '../store/clients.js'

/**
 * Whom an id_token of this bank names, however old it is. Specification: "Signing / request-object flow", id_token_hint; OpenID Connect
 * Core section 3.1.2.1: one that came encrypted is sent decrypted.
 *
 * @returns undefined when the bank did not issue it to this application, or nobody here has the sub
 */
export async function personOfHint(
  { keys, people, subjects, config }: Pick<Rooms, 'keys' | 'people' | 'subjects' | 'config'>,
  client: Client,
  hint: string,
): Promise<Person | undefined> {
  try {
    const { payload } = await compactVerify(hint, createLocalJWKSet({ keys: keys.published() }))
    const { iss, aud, sub } = JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown>
    if (iss !== config.issuer || ![aud].flat().includes(client.clientId)) return undefined
    const ids = people.all().flatMap(({ id, accounts = [] }) => [id, ...accounts.map((account) => account.id)])
    const id = ids.find((one) => subjects.of(client, one) === sub)
    return id === undefined ? undefined : people.byId(id)
  } catch {
    return undefined
  }
}
