import { nowSeconds } from '../clock.js'
import { type Database, inTransaction } from './database.js'
import { prepared } from './prepared.js'
import { beginToEndTokens } from './provider-records.js'

const blockOf = prepared(['id'], (db, { id }) => db.selectFrom('blocks').select('since').where('person_id', '=', id))

/**
 * The people who may not log in: an authentication of theirs is a security risk, and ends what earlier ones gave (specification: "Token
 * kinds", rule 2; "States and transitions").
 */
export class Blocks {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** Blocks a person and, in the same transaction, ends every login, grant and token of theirs. @param ids all identities of the person */
  async block(ids: readonly string[]): Promise<void> {
    await inTransaction(this.#db, async (db) => {
      await beginToEndTokens(db)
      for (const person_id of ids) {
        const row = { person_id, since: nowSeconds() }
        await db
          .insertInto('blocks')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        await db.deleteFrom('provider_records').where('account_id', '=', person_id).execute()
      }
    })
  }

  /** Lets the person log in again. */
  async unblock(ids: readonly string[]): Promise<void> {
    await this.#db.deleteFrom('blocks').where('person_id', 'in', ids).execute()
  }

  async isBlocked(id: string): Promise<boolean> {
    return (await blockOf(this.#db, { id })).rows.length > 0
  }
}
