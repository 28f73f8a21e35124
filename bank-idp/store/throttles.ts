import { createHmac } from 'node:crypto'
import type { Transaction } from 'kysely'
import { now } from '../clock.js'
import { type Database, inTransaction } from './database.js'
import type { Tables } from './schema.js'

/** How many seconds a client waits between two requests for one device code at first, and how many more each time it did not. */
export const pollIntervalSeconds = 5

/** Wrong user codes that one caller may send within {@link retentionMs}. */
const maxWrongCodes = 10

/** Milliseconds after which what is known of a caller is forgotten. */
export const retentionMs = 600_000

/** When something was first seen of a caller, when last, and how much of it. */
interface Known {
  since: number
  at: number
  amount: number
}

/** Holds back who asks too often. What is counted by is kept as a keyed hash: it is made of codes and addresses. */
export class Throttles {
  readonly #db: Database
  readonly #key: string

  /** @param key a secret of the bank's own */
  constructor(db: Database, key: string) {
    this.#db = db
    this.#key = key
  }

  /**
   * Takes note of a request for the tokens of a device code (RFC 8628 section 3.5, slow_down).
   *
   * @returns whether it came too soon, which makes the interval longer
   */
  pollsTooSoon(deviceCode: string): Promise<boolean> {
    return this.#change(`poll ${deviceCode}`, (last) => {
      const at = now()
      if (!last) return [{ since: at, at, amount: pollIntervalSeconds }, false]
      const tooSoon = at < last.at + last.amount * 1000
      return [{ ...last, at, amount: last.amount + (tooSoon ? pollIntervalSeconds : 0) }, tooSoon]
    })
  }

  /**
   * A user code is looked up (RFC 8628 section 5.1): it counts as wrong until it is known not to be, so that of many sent side by side no more are
   * looked up.
   *
   * @returns seconds until the caller may try again; undefined when this one may be
   */
  triesCode(caller: string): Promise<number | undefined> {
    return this.#change(`code ${caller}`, (known) => {
      const { since, amount, at } = known ?? { since: now(), at: now(), amount: 0 }
      if (amount >= maxWrongCodes) return [undefined, secondsLeft(since)]
      return [{ since, at, amount: amount + 1 }, undefined]
    })
  }

  /** The code was not wrong. */
  async triedRightCode(caller: string): Promise<void> {
    await this.#change(`code ${caller}`, (known) => [
      known && known.amount > 0 ? { ...known, amount: known.amount - 1 } : undefined,
      undefined,
    ])
  }

  /** @returns seconds until the caller may try a user code again; undefined when it may now */
  async waitForCode(caller: string): Promise<number | undefined> {
    const known = await this.#find(this.#db, this.#nameOf(`code ${caller}`))
    return known && known.amount >= maxWrongCodes ? secondsLeft(known.since) : undefined
  }

  /** @param work gives what is known from then on, if that changes, and what comes of it */
  #change<Result>(what: string, work: (known: Known | undefined) => [Known | undefined, Result]): Promise<Result> {
    const name = this.#nameOf(what)
    const change = async (db: Transaction<Tables>) => {
      const [known, result] = work(await this.#find(db, name))
      if (known) {
        const row = { name, since_ms: known.since, at_ms: known.at, amount: known.amount }
        await db
          .insertInto('throttles')
          .values(row)
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute()
      }
      return result
    }
    return inTransaction(this.#db, change, `throttle ${name}`)
  }

  async #find(db: Database, name: string): Promise<Known | undefined> {
    const row = await db.selectFrom('throttles').selectAll().where('name', '=', name).executeTakeFirst()
    if (!row || row.since_ms + retentionMs <= now()) return undefined
    return { since: row.since_ms, at: row.at_ms, amount: row.amount }
  }

  #nameOf(what: string): string {
    return createHmac('sha256', this.#key).update(what).digest('base64url')
  }
}

function secondsLeft(since: number): number {
  return Math.ceil((since + retentionMs - now()) / 1000)
}
