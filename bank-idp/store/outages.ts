import { nowSeconds } from '../clock.js'
import type { Outage } from '../outage.js'
import { noteChange } from './changes.js'
import { type Database, inTransaction } from './database.js'

/** Sorts the one that ends last first; an end that is not known is the latest. */
function lastFirst(a: Outage, b: Outage): number {
  return (b.until ?? Number.POSITIVE_INFINITY) - (a.until ?? Number.POSITIVE_INFINITY) || 0
}

/** The outages that were announced: of each part of the bank the one that runs, and others still to come. */
export class Outages {
  readonly #db: Database
  #announced: Outage[] = []

  private constructor(db: Database) {
    this.#db = db
  }

  static async load(db: Database): Promise<Outages> {
    const outages = new Outages(db)
    await outages.reload()
    return outages
  }

  /**
   * Announces an outage. It takes the place of one of the same part that begins at the same time; one that begins now takes the place of
   * the one that runs.
   */
  async announce(outage: Outage): Promise<void> {
    const { part, from, until, reason } = outage
    const time = nowSeconds()
    await inTransaction(this.#db, async (db) => {
      await remove(db, outage)
      if (from <= time) await db.deleteFrom('outages').where('part', '=', part).where('starts_at', '<=', time).execute()
      await db.insertInto('outages').values({ part, starts_at: from, ends_at: until, reason }).execute()
      await noteChange(db, 'outages', part)
    })
    await this.reload()
  }

  /**
   * Ends the outage of a part that runs; when none does, takes the next one back.
   *
   * @param from begin of the one that is meant
   * @returns whether there is one
   */
  async end(part: string, from?: number): Promise<boolean> {
    const ofPart = this.announced().filter((outage) => outage.part === part)
    const running = ofPart.filter((outage) => outage.from <= nowSeconds())
    const meant =
      from === undefined ? (running[0] ? running : ofPart.slice(0, 1)) : ofPart.filter((o) => o.from === from)
    await inTransaction(this.#db, async (db) => {
      for (const outage of meant) await remove(db, outage)
      await noteChange(db, 'outages', part)
    })
    await this.reload()
    return meant.length > 0
  }

  /** Those that have not ended, also those that are still to come. */
  announced(): readonly Outage[] {
    return this.#announced.filter(({ until }) => until === null || until > nowSeconds())
  }

  /** The outage that a part of the bank is in now, be it that of the whole bank; of several the one that ends last. */
  of(part: string): Outage | undefined {
    const current = this.announced()
      .filter(({ from }) => from <= nowSeconds())
      .sort(lastFirst)
    return current.find((outage) => outage.part === 'bank') ?? current.find((outage) => outage.part === part)
  }

  /** Forgets those that have ended. */
  async clear(): Promise<void> {
    if (this.announced().length === this.#announced.length) return
    await this.#db.deleteFrom('outages').where('ends_at', '<=', nowSeconds()).execute()
    await this.reload()
  }

  /** Reads what was announced. */
  async changed(): Promise<void> {
    await this.reload()
  }

  async reload(): Promise<void> {
    const rows = await this.#db.selectFrom('outages').selectAll().orderBy('starts_at').execute()
    this.#announced = rows.map(({ part, starts_at, ends_at, reason }) => ({
      part,
      from: starts_at,
      until: ends_at,
      reason,
    }))
  }
}

async function remove(db: Database, { part, from }: Outage): Promise<void> {
  await db.deleteFrom('outages').where('part', '=', part).where('starts_at', '=', from).execute()
}
