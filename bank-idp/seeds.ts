import { createHash } from 'node:crypto'
import type { BankContext } from './context.js'
import { BankError } from './errors.js'
import { makePerson } from './make-person.js'
import { didYouMean } from './nearest.js'
import { OptionError } from './option-error.js'

/** An id that a login name has at each start: who is there from the start has the same sub as before. */
function idOf(login: string): string {
  const digest = createHash('sha256').update(`person ${login}`).digest('hex')
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
}

/** When the bank came to know them: not at each start anew, or clients would be told of a change. */
const updatedAt = Date.UTC(2026, 0, 1) / 1000

/**
 * Puts the people of the configuration beside those of the files, then those who were made and removed while the bank ran.
 *
 * @throws {OptionError} naming the person and what is wrong
 */
export async function seedPeople({
  config,
  madePeople,
  people,
}: Pick<BankContext, 'config' | 'madePeople' | 'people'>): Promise<void> {
  for (const [i, given] of config.morePeople.entries()) {
    try {
      people.add(makePerson(people, given, { id: idOf(given.login), updatedAt }))
    } catch (error) {
      if (!(error instanceof BankError)) throw error
      throw new OptionError(
        'morePeople',
        { place: `[${i}] (${given.login})`, problem: error.message },
        { cause: error },
      )
    }
  }
  for (const [login, person] of await madePeople.all()) {
    people.remove(login)
    if (person) people.add(person)
  }
}

/** Sets the outcomes of the configuration. @throws {OptionError} naming the client that nobody knows */
export async function seedOutcomes({
  config,
  clients,
  forcedOutcomes,
}: Pick<BankContext, 'clients' | 'config' | 'forcedOutcomes'>): Promise<void> {
  for (const [client, outcome] of Object.entries(config.outcomes)) {
    if (!(await clients.find(client))) {
      const meant = didYouMean(
        client,
        config.clients.map(({ client_id }) => client_id),
      )
      throw new OptionError('outcomes', {
        place: `.${client}`,
        problem: `no client is registered as '${client}'${meant}`,
      })
    }
    await forcedOutcomes.set(client, outcome)
  }
}
