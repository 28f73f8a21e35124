import type { Express } from 'express'
import type { BankContext } from './context.js'
import type { BankState } from './control/operation.js'
import { BankError, UsageError } from './errors.js'
import type { Dispatcher } from './events/dispatcher.js'
import type { Gate } from './gate.js'
import type { Database } from './store/database.js'

/** A bank as it is put together over one store. */
export interface Composition {
  context: BankContext
  dispatcher: Dispatcher
  app: Express
  db: Database
}

interface Parts {
  /** What is in force; over another store it is another, but for its application, which stays the one that somebody mounted. */
  live: Composition
  compose(db: Database): Promise<Composition>
  gate: Gate
  /** Called as soon as another composition is in force. */
  taken(): void
}

/** What is done to a bank while nothing in it moves, one after the other: it is put together anew over another store, or looked at. */
export class Exchanges {
  readonly #parts: Parts
  #last: Promise<void> = Promise.resolve()
  #closed = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** {@link Bench.exchange} */
  exchange(open: (former: Database) => Promise<Database>, state: Omit<BankState, 'store'>): Promise<void> {
    return this.still(() => this.#exchange(open, state))
  }

  /** {@link Bench.still} */
  still<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(() => this.#still(work))
    this.#last = done.then(
      () => {},
      () => {},
    )
    return done
  }

  /** Nobody waits any more for what is delayed or may never come. Resolves when no exchange is under way; from now on there is none. */
  close(): Promise<void> {
    this.#closed = true
    const { troubles, history } = this.#parts.live.context
    troubles.hurry()
    history.end('the bank was closed')
    return this.#last
  }

  /** {@link Bench.checkOpen} */
  checkOpen(): void {
    if (this.#closed) throw new BankError('temporarily_unavailable', 'the bank was closed')
  }

  async #still<Result>(work: () => Promise<Result>): Promise<Result> {
    this.checkOpen()
    const { live, gate } = this.#parts
    const delayAgain = live.context.troubles.hurry()
    await gate.close()
    try {
      return await work()
    } finally {
      if (!this.#closed) delayAgain()
      gate.open()
    }
  }

  async #exchange(open: (former: Database) => Promise<Database>, state: Omit<BankState, 'store'>): Promise<void> {
    const former = { ...this.#parts.live }
    const { troubles, history, scheduler } = former.context
    const next = await this.#composed(await open(former.db))
    await Promise.all([scheduler.stop(), former.dispatcher.stop()])
    this.#take(next, state)
    // What waited at the gate meanwhile still passes the former ones.
    await troubles.clear()
    history.end('the bank was taken back to another state')
    await former.db.destroy()
  }

  /**
   * The bank over another store. What is known of people is read with it, and known as before where that fails.
   *
   * @throws {BankError} with the reason, such as a client of the configuration whose documents are not there now
   */
  async #composed(db: Database): Promise<Composition> {
    const { live, compose } = this.#parts
    const { people } = live.context
    const asBefore = people.forget()
    try {
      return await compose(db)
    } catch (error) {
      asBefore()
      await db.destroy()
      if (error instanceof BankError) throw error
      const code = error instanceof UsageError ? 'temporarily_unavailable' : 'server_error'
      throw new BankError(code, `the bank stays as it was: ${(error as Error).message}`, { cause: error })
    }
  }

  /** All at once, so that nobody sees one with the other's. */
  #take({ app, ...next }: Composition, { faults: ids, outcomes, nextLogins }: Omit<BankState, 'store'>): void {
    const { live, taken } = this.#parts
    const { faults, forcedOutcomes } = next.context
    for (const { fault, clientId } of [...faults.list()]) faults.off(fault.id, clientId)
    for (const { id, clientId } of ids) faults.on(id, clientId)
    // Those of the configuration may have been had when the snapshot was taken.
    forcedOutcomes.replace(outcomes)
    next.context.people.nextLogins.takeUp(nextLogins)
    Object.assign(live, next)
    live.app.router.stack.splice(0, live.app.router.stack.length, ...app.router.stack)
    taken()
  }
}
