import { nowSeconds } from '../clock.js'
import type { Database } from './database.js'

/** Shows that the store can be written. */
export class Heartbeat {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @throws Error when the store cannot be written */
  async beat(): Promise<void> {
    const row = { only: 1, beat_at: nowSeconds() }
    await this.#db
      .insertInto('heartbeat')
      .values(row)
      .onConflict((conflict) => conflict.column('only').doUpdateSet(row))
      .execute()
  }
}
