import type { Person } from '../../fixtures/people.js'
import { noteChange } from './changes.js'
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

  /** undefined for who was neither made nor removed. */
  async find(login: string): Promise<Person | null | undefined> {
    const row = await this.#db.selectFrom('made_people').select('person').where('login', '=', login).executeTakeFirst()
    return row && (row.person === null ? null : (JSON.parse(row.person) as Person))
  }

  /** @returns whether nobody was made meanwhile who has the login name */
  make(person: Person): Promise<boolean> {
    return this.#inTurn(person.login, async (db) => {
      const before = await db
        .selectFrom('made_people')
        .select('person')
        .where('login', '=', person.login)
        .executeTakeFirst()
      if (typeof before?.person === 'string') return false
      await put(db, person.login, JSON.stringify(person))
      return true
    })
  }

  /** Forgets a person, with all that was known of them and what they approved. @param ids all identities of the person */
  async remove(login: string, ids: readonly string[]): Promise<void> {
    await this.#inTurn(login, async (db) => {
      await put(db, login, null)
      await db.deleteFrom('people').where('person_id', 'in', ids).execute()
      await db.deleteFrom('consents').where('person_id', 'in', ids).execute()
    })
  }

  #inTurn<Result>(login: string, work: (db: Database) => Promise<Result>): Promise<Result> {
    const change = async (db: Database) => {
      const result = await work(db)
      await noteChange(db, 'made people', login)
      return result
    }
    return inTransaction(this.#db, change, `person ${login}`)
  }
}

async function put(db: Database, login: string, person: string | null): Promise<void> {
  await db.deleteFrom('made_people').where('login', '=', login).execute()
  await db.insertInto('made_people').values({ login, person }).execute()
}
