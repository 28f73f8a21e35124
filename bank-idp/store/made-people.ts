import type { Person } from '../../fixtures/people.js'
import { type Database, inTransaction } from './database.js'

/** People who were made while the bank ran, and those of the files who were removed. */
export class MadePeople {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** By login name, in the order in which they were made or removed; null for who was removed. */
  async all(): Promise<[login: string, person: Person | null][]> {
    const rows = await this.#db.selectFrom('made_people').selectAll().orderBy('number').execute()
    return rows.map(({ login, person }) => [login, person === null ? null : (JSON.parse(person) as Person)])
  }

  async make(person: Person): Promise<void> {
    await this.#put(person.login, JSON.stringify(person))
  }

  /** Forgets a person, with all that was known of them and what they approved. @param ids all identities of the person */
  async remove(login: string, ids: readonly string[]): Promise<void> {
    await this.#put(login, null)
    await this.#db.deleteFrom('people').where('person_id', 'in', ids).execute()
    await this.#db.deleteFrom('consents').where('person_id', 'in', ids).execute()
  }

  async #put(login: string, person: string | null): Promise<void> {
    await inTransaction(this.#db, async (db) => {
      await db.deleteFrom('made_people').where('login', '=', login).execute()
      await db.insertInto('made_people').values({ login, person }).execute()
    })
  }
}
