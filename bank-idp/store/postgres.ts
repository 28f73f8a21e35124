import { Kysely } from 'kysely'
import type { Client } from 'pg'
import { UsageError } from '../errors.js'
import type { PostgresTrouble } from '../store-trouble.js'
import { type Database, upToDate } from './database.js'
import { postgresDialect } from './dialects/postgres.js'
import type { Tables } from './schema.js'

/** The oldest version of PostgreSQL that is supported, as server_version_num has it. */
const oldest = 150_000

/** By which banks know each other's hold of a store. */
const holdName = 'bank-idp'

/** Milliseconds between two tries to come by a hold that was lost with its connection. */
const regainMs = 1_000

/** A store on PostgreSQL, and the hold of it: one bank at a time uses it. */
export interface PostgresStore {
  db: Database
  /** Lets go of it, for another bank. */
  release(): Promise<void>
}

/** The address of a store as it is told to people: without the password. */
export function nameOfStore(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

/**
 * Opens a store on PostgreSQL, and brings its schema up to date.
 *
 * @param url postgres://user:password@host:port/database, with the parameters of libpq such as sslmode
 * @param lost is told why where another bank took the store while its connection was down
 * @throws {UsageError} when it cannot be reached or used, or another bank uses it
 */
export async function openPostgres(url: string, lost: (problem: string) => void = () => {}): Promise<PostgresStore> {
  const name = nameOfStore(url)
  const hold = new Hold(url, lost)
  try {
    await hold.take()
    const db = await upToDate(await postgresDialect(url), name, 'another database')
    return { db, release: () => hold.release() }
  } catch (error) {
    await hold.release()
    throw asUsageError(url, error)
  }
}

/**
 * Opens a store on PostgreSQL to read it, whether or not its bank runs.
 *
 * @throws {UsageError} when it cannot be reached, or holds no bank
 */
export async function readPostgres(url: string): Promise<Database> {
  const db = new Kysely<Tables>({ dialect: await postgresDialect(url) })
  try {
    const tables = await db.introspection.getTables()
    if (tables.some(({ name }) => name === 'audit')) return db
    throw new UsageError(`the store ${nameOfStore(url)} is of no bank: name its database with --store`)
  } catch (error) {
    await db.destroy()
    throw asUsageError(url, error)
  }
}

function asUsageError(url: string, error: unknown): UsageError {
  if (error instanceof UsageError) return error
  const { code = '', message } = error as PostgresTrouble
  return new UsageError(
    `the store ${nameOfStore(url)} cannot be used: ${message || code}; does PostgreSQL run there, and may this user use the database?`,
    { cause: error },
  )
}

/** A lock of PostgreSQL that lasts as long as a connection. */
class Hold {
  readonly #url: string
  readonly #lost: (problem: string) => void
  #connection: Client | undefined
  #regaining: NodeJS.Timeout | undefined
  #released = false

  constructor(url: string, lost: (problem: string) => void) {
    this.#url = url
    this.#lost = lost
  }

  /** @throws {UsageError} when another bank has it, or PostgreSQL is too old */
  async take(): Promise<void> {
    const { default: pg } = await import('pg')
    const connection = new pg.Client({
      connectionString: this.#url,
      application_name: holdName,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    })
    connection.on('error', () => {})
    await connection.connect()
    try {
      const { rows } = await connection.query<{ version: string; held: boolean }>(
        `select current_setting('server_version_num') as version, pg_try_advisory_lock(hashtextextended($1, 0)) as held`,
        [holdName],
      )
      const [{ version = '', held = false } = {}] = rows
      if (Number(version) < oldest) throw new UsageError(`${nameOfStore(this.#url)}: PostgreSQL 15 or newer is needed`)
      if (!held)
        throw new UsageError(
          `another bank uses the store ${nameOfStore(this.#url)}: stop it, or give each a database of its own`,
        )
    } catch (error) {
      await connection.end().catch(() => {})
      throw error
    }
    if (this.#released) return connection.end()
    this.#connection = connection
    connection.once('end', () => this.#regain())
  }

  /** PostgreSQL was started anew, or the network was away: the lock went with the connection. */
  #regain(told = false): void {
    if (this.#released) return
    this.#regaining = setTimeout(async () => {
      try {
        await this.take()
      } catch (error) {
        const isTaken = error instanceof UsageError
        if (isTaken && !told) this.#lost(error.message)
        this.#regain(told || isTaken)
      }
    }, regainMs)
    this.#regaining.unref()
  }

  async release(): Promise<void> {
    this.#released = true
    clearTimeout(this.#regaining)
    await this.#connection?.end().catch(() => {})
  }
}
