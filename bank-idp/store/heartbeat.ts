import { nowSeconds } from '../clock.js'
import type { Database } from './database.js'

/** Bytes that the largest transactions of the bank need in the store: a disk with less room than that is full. */
const spareBytes = 64 * 1024

/** Shows that the store can be written. */
export class Heartbeat {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @throws Error when the store cannot be written, or has no room for what the bank writes */
  async beat(): Promise<void> {
    const row = { only: 1, beat_at: nowSeconds(), room: Buffer.alloc(spareBytes) }
    await this.#db
      .insertInto('heartbeat')
      .values(row)
      .onConflict((conflict) => conflict.column('only').doUpdateSet(row))
      .execute()
  }
}
