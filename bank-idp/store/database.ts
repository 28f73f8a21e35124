import { chmodSync, existsSync } from 'node:fs'
import SQLite from 'better-sqlite3'
import { Kysely, Migrator, type SqliteDatabase, SqliteDialect, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { UsageError } from '../errors.js'
import { migrations } from './migrations.js'
import type { Tables } from './schema.js'

export type Database = Kysely<Tables>

/** Rows that one statement writes at the most; SQLite bounds its parameters. */
export const maxRowsPerStatement = 500

function openFile(file: string): SQLite.Database {
  const sqlite = new SQLite(file)
  sqlite.pragma('journal_mode = WAL')
  // What was answered outlives the process, however it ends. When the power fails, the last moments may be lost, the store's consistency never.
  sqlite.pragma('synchronous = NORMAL')
  sqlite.pragma('busy_timeout = 5000')
  // What is deleted is overwritten: private keys, tokens, claims.
  sqlite.pragma('secure_delete = ON')
  if (file === ':memory:') return sqlite
  chmodSync(file, 0o600)
  const found = sqlite.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Error(`the file is damaged (${found})`)
  return sqlite
}

/** The same few dozen statements are asked again and again: each is prepared once. */
function preparingOnce(sqlite: SQLite.Database): SqliteDatabase {
  const prepared = new LRUCache<string, SQLite.Statement>({ max: 500, memoMethod: (sql) => sqlite.prepare(sql) })
  return {
    prepare: (sql) => prepared.memo(sql) as SQLite.Statement,
    close: () => sqlite.close(),
  }
}

/**
 * Opens the store and brings its schema up to date.
 *
 * @param file path of the SQLite file, made when missing; `:memory:` for a store that dies with the process
 * @throws {UsageError} when the file cannot be opened, is damaged, or was made by a newer version
 */
export async function openDatabase(file: string): Promise<Database> {
  let sqlite: SQLite.Database
  try {
    sqlite = openFile(file)
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string }
    const advice = /IOERR|FULL|READONLY|CANTOPEN/.test(code)
      ? 'is the disk full, or read-only?'
      : 'restore a copy of it, or choose another --data directory'
    throw new UsageError(`the store ${file} cannot be opened: ${message.replaceAll('\n', ' ')}; ${advice}`, {
      cause: error,
    })
  }
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: preparingOnce(sqlite) }) })
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const done = await migrator.getMigrations().catch(() => [])
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error) {
    await db.destroy()
    const newer = String((error as Error).message).includes('previously executed migration')
    throw new UsageError(
      newer
        ? `the store ${file} was made by a newer version of bank-idp: use that version, or another --data directory`
        : `the store ${file} cannot be migrated (${done.length} migrations known): ${(error as Error).message}`,
      { cause: error },
    )
  }
  // An earlier version did not overwrite what it deleted.
  if (results.length > 0) await writeAnew(db)
  return db
}

/** Writes the store anew: nothing is left of what was deleted or overwritten, neither in its free pages nor in the write-ahead log. */
export async function writeAnew(db: Database): Promise<void> {
  await sql`vacuum`.execute(db)
  await forgetOverwritten(db)
}

/** Has the write-ahead log, which still holds what was overwritten, written into the store and emptied. */
export async function forgetOverwritten(db: Database): Promise<void> {
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
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
    const sqlite = new SQLite(file, { readonly: true, fileMustExist: true })
    // Only what is read tells whether the file is a store at all.
    sqlite.pragma('schema_version')
    return new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) })
  } catch (error) {
    throw new UsageError(`the store ${file} cannot be read: ${(error as Error).message}; ${advice}`, { cause: error })
  }
}
