import { createHmac } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { nowSeconds } from '../clock.js'
import type { Limits } from '../limits.js'
import { type Database, inTransaction } from './database.js'
import type { Tables } from './schema.js'

/** Something that tries are counted by, and how many it may come to. */
export interface Counted {
  by: readonly string[]
  most: number
}

/** Counts wrong passwords. What they are counted by is kept as a keyed hash: it is made of names and addresses. */
export class PasswordTries {
  readonly #db: Database
  readonly #key: string
  readonly #pause: number

  /** @param key a secret of the bank's own */
  constructor(db: Database, key: string, { passwordPause }: Pick<Limits, 'passwordPause'>) {
    this.#db = db
    this.#key = key
    this.#pause = passwordPause
  }

  /**
   * Takes note of a try, in one step with the judgement whether there may be one: of many side by side no more count than one after the other.
   *
   * @param right whether the password is the right one, which counts nowhere
   * @returns the seconds to wait, when one of these came to its most: then the try is none, right or wrong
   */
  take(counted: readonly Counted[], right: boolean): Promise<number | undefined> {
    const work = async (db: Transaction<Tables>) => {
      const waits: number[] = []
      for (const { by, most } of counted) waits.push(await this.#wait(db, by, most))
      const longest = Math.max(0, ...waits)
      if (longest > 0) return longest
      if (!right) for (const { by } of counted) await this.#count(db, by)
      return undefined
    }
    return inTransaction(this.#db, work, ...counted.map(({ by }) => `password tries ${this.#nameOf(by)}`))
  }

  async #wait(db: Transaction<Tables>, by: readonly string[], most: number): Promise<number> {
    const row = await db
      .selectFrom('password_tries')
      .selectAll()
      .where('name', '=', this.#nameOf(by))
      .executeTakeFirst()
    return row && row.wrong >= most ? row.ends_at - nowSeconds() : 0
  }

  async #count(db: Transaction<Tables>, by: readonly string[]): Promise<void> {
    const at = nowSeconds()
    const first = { name: this.#nameOf(by), wrong: 1, ends_at: at + this.#pause }
    await sql`
      insert into password_tries (name, wrong, ends_at) values (${first.name}, ${first.wrong}, ${first.ends_at})
      on conflict (name) do update set
        wrong = case when password_tries.ends_at <= ${at} then 1 else password_tries.wrong + 1 end,
        ends_at = case when password_tries.ends_at <= ${at} then excluded.ends_at else password_tries.ends_at end`.execute(
      db,
    )
  }

  #nameOf(by: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(by)).digest('base64url')
  }
}
