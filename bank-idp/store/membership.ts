import type { Client } from 'pg'
import { UsageError } from '../errors.js'
import { nameOfStore, oldestVersion } from './postgres-address.js'
import { connectionPatienceMs } from './postgres-pool.js'

/**
 * What banks lock in a store: to use it at all (each that runs shares that lock; one of an earlier version has it alone), to start, and to do what is
 * to be done once.
 */
const locks = { use: 'bank-idp', start: 'bank-idp start', jobs: 'bank-idp jobs' }

/** What a process knows of the others on its store. */
export interface Replicas {
  membership: Membership
  /** Whether it was the only one as it started. */
  isFirst: boolean
}

/** Milliseconds between two tries to come by locks that were lost with their connection. */
const regainMs = 1_000

/** How long a bank waits for others that start. */
const startPatience = '120s'

/** The part of one process in what several do on a store: by locks that last as long as a connection of its own, so that nothing is left of one that dies. */
export class Membership {
  readonly #url: string
  readonly #replica: string
  #connection: Client | undefined
  #regaining: NodeJS.Timeout | undefined
  #hasJobs = false
  #released = false
  #lost: (problem: string) => void = () => {}

  private constructor(url: string, replica: string) {
    this.#url = url
    this.#replica = replica
  }

  /**
   * Joins those that use a store, once no other one is starting.
   *
   * @param replica name by which PostgreSQL shows the connection
   * @returns whether no other bank runs
   * @throws {UsageError} when a bank of an earlier version has it alone, or PostgreSQL is too old
   */
  static async join(url: string, replica: string): Promise<{ membership: Membership; isFirst: boolean }> {
    const membership = new Membership(url, replica)
    try {
      const connection = await membership.#connect()
      await connection.query(`set lock_timeout = '${startPatience}'`)
      await connection.query('select pg_advisory_lock(hashtextextended($1, 0))', [locks.start]).catch((cause) => {
        const problem = `another bank has been starting on ${nameOfStore(url)} for ${startPatience}`
        throw cause.code === '55P03' ? new UsageError(problem, { cause }) : cause
      })
      const isFirst = await tryLock(connection, 'pg_try_advisory_lock', locks.use)
      await membership.#share(connection)
      if (isFirst) await connection.query('select pg_advisory_unlock(hashtextextended($1, 0))', [locks.use])
      membership.#keep(connection)
      return { membership, isFirst }
    } catch (error) {
      await membership.release()
      throw error
    }
  }

  /** Lets the next one start. */
  async started(): Promise<void> {
    await this.#connection?.query('select pg_advisory_unlock(hashtextextended($1, 0))', [locks.start])
  }

  /** Calls back with why, where a bank of an earlier version took the store while the connection was down. */
  onLost(callback: (problem: string) => void): void {
    this.#lost = callback
  }

  /** Whether this process does what is to be done once: the first that asks, until its end. */
  async hasJobs(): Promise<boolean> {
    const connection = this.#connection
    if (!connection) return false
    this.#hasJobs ||= await tryLock(connection, 'pg_try_advisory_lock', locks.jobs).catch(() => false)
    return this.#hasJobs && this.#connection === connection
  }

  async release(): Promise<void> {
    this.#released = true
    clearTimeout(this.#regaining)
    await this.#connection?.end().catch(() => {})
  }

  async #connect(): Promise<Client> {
    const { default: pg } = await import('pg')
    const connection = new pg.Client({
      connectionString: this.#url,
      application_name: `bank-idp ${this.#replica}`,
      connectionTimeoutMillis: connectionPatienceMs,
      keepAlive: true,
    })
    connection.on('error', () => {})
    await connection.connect()
    this.#connection = connection
    const { rows } = await connection.query<{ version: string }>(
      `select current_setting('server_version_num') as version`,
    )
    if (Number(rows[0]?.version) < oldestVersion)
      throw new UsageError(`${nameOfStore(this.#url)}: PostgreSQL 15 or newer is needed`)
    return connection
  }

  async #share(connection: Client): Promise<void> {
    if (await tryLock(connection, 'pg_try_advisory_lock_shared', locks.use)) return
    throw new UsageError(
      `a bank of an earlier version has the store ${nameOfStore(this.#url)} alone: stop it, or give each a database of its own`,
    )
  }

  #keep(connection: Client): void {
    connection.once('end', () => {
      this.#connection = undefined
      this.#hasJobs = false
      this.#regain()
    })
  }

  /** PostgreSQL was started anew, or the network was away: the locks went with the connection. */
  #regain(told = false): void {
    if (this.#released) return
    this.#regaining = setTimeout(async () => {
      try {
        const connection = await this.#connect()
        await this.#share(connection)
        if (this.#released) return void (await connection.end())
        this.#keep(connection)
      } catch (error) {
        await this.#connection?.end().catch(() => {})
        this.#connection = undefined
        const isTaken = error instanceof UsageError
        if (isTaken && !told) this.#lost(error.message)
        this.#regain(told || isTaken)
      }
    }, regainMs)
    this.#regaining.unref()
  }
}

async function tryLock(
  connection: Client,
  how: 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared',
  name: string,
): Promise<boolean> {
  const { rows } = await connection.query<{ held: boolean }>(`select ${how}(hashtextextended($1, 0)) as held`, [name])
  return rows[0]?.held === true
}
