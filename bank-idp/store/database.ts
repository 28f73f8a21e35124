import { existsSync } from 'node:fs'
import {
  type IsolationLevel,
  Kysely,
  Migrator,
  type PostgresDialect,
  type SqliteDialect,
  sql,
  type Transaction,
} from 'kysely'
import { UsageError } from '../errors.js'
import { PostgresTrouble } from '../store-trouble.js'
import { engineOf } from './dialects/dialect.js'
import { bytesOf, scriptOf, sqliteDialect, sqliteToRead } from './dialects/sqlite.js'
import { migrations } from './migrations.js'
import type { Tables } from './schema.js'

export type Database = Kysely<Tables>

/** Rows that one statement writes at the most; engines bound the parameters of one. */
export const maxRowsPerStatement = 500

/** How often a transaction is tried that another one was in the way of. */
const mostTries = 5

/**
 * Has everything that `work` writes kept together, or not at all. It may be done again from its beginning, where another transaction was in its
 * way.
 *
 * @param alone names what no other transaction of the same name does meanwhile, several in one order
 */
export async function inTransaction<Result>(
  db: Database,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
  ...alone: string[]
): Promise<Result> {
  const { inTurn } = engineOf(db)
  for (let left = mostTries - 1; ; left -= 1) {
    try {
      return await db.transaction().execute(async (transaction) => {
        for (const name of alone.toSorted()) await inTurn(transaction, name)
        return work(transaction)
      })
    } catch (error) {
      if (left === 0 || !(error instanceof PostgresTrouble && error.isConflict)) throw error
    }
  }
}

/** Reads what belongs together as it was at one moment. */
export function atOneMoment<Result>(db: Database, read: (snapshot: Database) => Promise<Result>): Promise<Result> {
  const level: IsolationLevel = 'repeatable read'
  return db.transaction().setIsolationLevel(level).execute(read)
}

/** Gives the disk back what is free in a store. */
export function giveBackPages(db: Database): Promise<void> {
  return engineOf(db).giveBackPages()
}

/**
 * Opens the store in a file and brings its schema up to date.
 *
 * @param file path of the SQLite file, made when missing; `:memory:` for a store that dies with the process, or one that was so {@link copyOf}
 * @throws {UsageError} when the file cannot be opened, is damaged, or was made by a newer version
 */
export function openDatabase(file: string | Buffer): Promise<Database> {
  return file === ':memory:' ? openInMemory() : open(file)
}

/** What makes a new store in memory: once for all of a process, since the migrations cost more than all else of its start. */
let scriptOfNew: string | undefined

async function openInMemory(): Promise<Database> {
  if (scriptOfNew !== undefined) return new Kysely<Tables>({ dialect: sqliteDialect(':memory:', scriptOfNew) })
  const first = await open(':memory:')
  scriptOfNew = scriptOf(engineOf(first))
  return first
}

async function open(file: string | Buffer): Promise<Database> {
  let dialect: SqliteDialect
  try {
    dialect = sqliteDialect(file)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { message, code = '' } = error as Error & { code?: string }
    const advice = /IOERR|FULL|READONLY|CANTOPEN/.test(code)
      ? 'is the disk full, or read-only?'
      : 'restore a copy of it, or choose another --data directory'
    throw new UsageError(`the store ${file} cannot be opened: ${message.replaceAll('\n', ' ')}; ${advice}`, {
      cause: error,
    })
  }
  return upToDate(dialect, String(file), 'another --data directory')
}

/** @param other what else can be used than this store */
export async function upToDate(
  dialect: SqliteDialect | PostgresDialect,
  name: string,
  other: string,
): Promise<Database> {
  const db = new Kysely<Tables>({ dialect })
  if (await isUpToDate(db)) return db
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const done = await migrator.getMigrations().catch(() => [])
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) {
    await db.destroy()
    const newer = String((error as Error).message).includes('previously executed migration')
    throw new UsageError(
      newer
        ? `the store ${name} was made by a newer version of bank-idp: use that version, or ${other}`
        : `the store ${name} cannot be migrated (${done.length} migrations known): ${(error as Error).message}`,
      { cause: error },
    )
  }
  // An earlier version did not overwrite what it deleted.
  if (results.length > 0) await writeAnew(db)
  return db
}

/** Whether all migrations are done and no other: most starts find it so, and the migrator takes longer to see it than all else of the store. */
async function isUpToDate(db: Database): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    return rows.map(({ name }) => name).join() === Object.keys(migrations).toSorted().join()
  } catch {
    // There is no such table yet; what else is wrong the migrator tells.
    return false
  }
}

/** All that a store in memory holds, between two transactions, to be opened again. */
export function copyOf(db: Database): Promise<Buffer> {
  // Whoever has the connection is in no transaction of somebody else.
  return db.connection().execute(async () => bytesOf(engineOf(db)))
}

/** A new store in memory that holds the keys and secrets of another, and nothing else of it. */
export async function emptied(db: Database): Promise<Database> {
  const [secrets, keys] = [
    await db.selectFrom('secrets').selectAll().execute(),
    await db.selectFrom('keys').selectAll().execute(),
  ]
  const made = await openDatabase(':memory:')
  if (secrets.length > 0) await made.insertInto('secrets').values(secrets).execute()
  if (keys.length > 0) await made.insertInto('keys').values(keys).execute()
  return made
}

/** Has the disk keep what was written, even when the power fails. */
export function toDisk(db: Database): Promise<void> {
  return engineOf(db).toDisk(db)
}

/** Leaves nothing in the store of what was deleted or overwritten. */
export function writeAnew(db: Database): Promise<void> {
  return engineOf(db).writeAnew(db)
}

/** The same for what was overwritten a moment ago. */
export function forgetOverwritten(db: Database): Promise<void> {
  return engineOf(db).forgetOverwritten(db)
}

/**
 * Opens a store to read it, whether or not its bank runs.
 *
 * @throws {UsageError} when there is none, or the file is none
 */
export function openToRead(file: string): Database {
  const advice = 'name the data directory of a bank with --data'
  if (!existsSync(file)) throw new UsageError(`the store ${file} does not exist: ${advice}`)
  try {
    return new Kysely<Tables>({ dialect: sqliteToRead(file) })
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`the store ${file} cannot be read: ${(error as Error).message}; ${advice}`, { cause: error })
  }
}
