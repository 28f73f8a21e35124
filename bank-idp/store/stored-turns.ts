import type { Pool } from 'pg'
import { PostgresTrouble } from '../store-trouble.js'
import type { Turns } from '../turns.js'
import { answerPatienceMs, postgresPool } from './postgres-pool.js'

/**
 * Connections for turns at the most. They are others than those by which the work itself asks the store: whoever waits for a turn is in nobody's
 * way who has one.
 */
const mostConnections = 5

function telling(error: Error): never {
  throw PostgresTrouble.of(error) ?? error
}

/** {@link Turns} among the processes that use one store on PostgreSQL. */
export class StoredTurns implements Turns {
  readonly #pool: Pool

  private constructor(pool: Pool) {
    this.#pool = pool
  }

  static async open(url: string): Promise<StoredTurns> {
    return new StoredTurns(
      await postgresPool(url, {
        application_name: 'bank-idp turns',
        max: mostConnections,
        query_timeout: answerPatienceMs,
      }),
    )
  }

  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const connection = await this.#pool.connect().catch(telling)
    const lock = (how: string) => connection.query(`select ${how}(hashtextextended($1, 0))`, [`turn ${name}`])
    await lock('pg_advisory_lock').catch((error: Error) => {
      // It may have come too late: a lock is freed with its connection.
      connection.release(true)
      return telling(error)
    })
    try {
      return await work()
    } finally {
      const isFree = await lock('pg_advisory_unlock').then(
        () => true,
        () => false,
      )
      connection.release(!isFree)
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}
