import { nowSeconds } from '../clock.js'
import type { Database } from './database.js'

/** An unavailability that was announced; times are seconds since the epoch. */
export interface Outage {
  /** The sub-system concerned, or `bank` for all of it. */
  part: string
  from: number
  /** null when its end is not known. */
  until: number | null
  reason: string | null
}

/** The outages that were announced: one for each part of the bank. */
export class Outages {
  readonly #db: Database
  #announced: Outage[] = []

  private constructor(db: Database) {
    this.#db = db
  }

  static async load(db: Database): Promise<Outages> {
    const outages = new Outages(db)
    await outages.#read()
    return outages
  }

  /** Announces an outage, in place of what was announced for the same part. */
  async announce(outage: Outage): Promise<void> {
    const row = { part: outage.part, starts_at: outage.from, ends_at: outage.until, reason: outage.reason }
    await this.#db
      .insertInto('outages')
      .values(row)
      .onConflict((conflict) => conflict.column('part').doUpdateSet(row))
      .execute()
    await this.#read()
  }

  /** @returns whether one was announced */
  async end(part: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db.deleteFrom('outages').where('part', '=', part).executeTakeFirst()
    await this.#read()
    return numDeletedRows > 0n
  }

  /** Those that have not ended, also those that are still to come. */
  announced(): readonly Outage[] {
    return this.#announced.filter(({ until }) => until === null || until > nowSeconds())
  }

  /** The outage that a part of the bank is in now, be it that of the whole bank. */
  of(part: string): Outage | undefined {
    const current = this.announced().filter(({ from }) => from <= nowSeconds())
    return current.find((outage) => outage.part === 'bank') ?? current.find((outage) => outage.part === part)
  }

  /** Forgets those that have ended. */
  async clear(): Promise<void> {
    if (this.announced().length === this.#announced.length) return
    await this.#db.deleteFrom('outages').where('ends_at', '<=', nowSeconds()).execute()
    await this.#read()
  }

  async #read(): Promise<void> {
    const rows = await this.#db.selectFrom('outages').selectAll().orderBy('starts_at').execute()
    this.#announced = rows.map(({ part, starts_at, ends_at, reason }) => ({
      part,
      from: starts_at,
      until: ends_at,
      reason,
    }))
  }
}
