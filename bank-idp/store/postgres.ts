import { Kysely } from 'kysely'
import { UsageError } from '../errors.js'
import type { PostgresTrouble } from '../store-trouble.js'
import { type Database, upToDate } from './database.js'
import { postgresDialect } from './dialects/postgres.js'
import { Membership } from './membership.js'
import { nameOfStore } from './postgres-address.js'
import type { Tables } from './schema.js'
import { StoredTurns } from './stored-turns.js'

/** A store on PostgreSQL, which any number of banks use at a time. */
export interface PostgresStore {
  db: Database
  membership: Membership
  turns: StoredTurns
  /** Whether no other bank runs on it. */
  isFirst: boolean
  /** Lets go of it, once `db` is closed. */
  release(): Promise<void>
}

/**
 * Opens a store on PostgreSQL, and brings its schema up to date. No other bank starts on it until {@link Membership.started}.
 *
 * @param url postgres://user:password@host:port/database, with the parameters of libpq such as sslmode
 * @param replica the name of this process among those that use it
 * @throws {UsageError} when it cannot be reached or used
 */
export async function openPostgres(url: string, replica: string): Promise<PostgresStore> {
  let membership: Membership | undefined
  try {
    const joined = await Membership.join(url, replica)
    membership = joined.membership
    // To change many rows takes as long as it takes.
    const migrated = await upToDate(await postgresDialect(url, 0), nameOfStore(url), 'another database')
    await migrated.destroy()
    const db = new Kysely<Tables>({ dialect: await postgresDialect(url) })
    const turns = await StoredTurns.open(url)
    const release = async () => {
      await turns.close()
      await joined.membership.release()
    }
    return { ...joined, db, turns, release }
  } catch (error) {
    await membership?.release()
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
