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

/** SQLite's name for free pages that are given back when that is asked for. */
const incremental = 2

/** Bytes that are left of the write-ahead log once it was written into the store. */
const maxLogBytes = 16 * 1024 * 1024

/** Free pages that are given back in one step: few enough that nobody waits for it; and that are kept, since new rows will need some. */
const pages = { step: 500, kept: 250 }

/** The connections of open stores: what gives pages back is no statement that has to be done to its end. */
const connections = new WeakMap<Database, SQLite.Database>()

/** Gives the disk free pages of a store back. */
export async function giveBackPages(db: Database): Promise<void> {
  const sqlite = connections.get(db)
  const free = () => Number(sqlite?.pragma('freelist_count', { simple: true }) ?? 0)
  for (let left = free(); left > pages.kept; left = free()) {
    sqlite?.pragma(`incremental_vacuum(${Math.min(pages.step, left - pages.kept)})`)
    if (free() >= left) return
    // Requests are answered between two steps.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function openFile(file: string | Buffer): SQLite.Database {
  const sqlite = new SQLite(file)
  sqlite.pragma('journal_mode = WAL')
  // What was answered outlives the process, however it ends. When the power fails, the last moments may be lost, the store's consistency never.
  sqlite.pragma('synchronous = NORMAL')
  sqlite.pragma('busy_timeout = 5000')
  // What is deleted is overwritten: private keys, tokens, claims.
  sqlite.pragma('secure_delete = ON')
  if (file === ':memory:' || typeof file !== 'string') return sqlite
  chmodSync(file, 0o600)
  sqlite.pragma(`journal_size_limit = ${maxLogBytes}`)
  const found = sqlite.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Error(`the file is damaged (${found})`)
  if (sqlite.pragma('auto_vacuum', { simple: true }) !== incremental) {
    // Takes effect as the store is written anew: one of an earlier version kept its free pages.
    sqlite.pragma(`auto_vacuum = ${incremental}`)
    sqlite.exec('vacuum')
  }
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
 * @param file path of the SQLite file, made when missing; `:memory:` for a store that dies with the process, or one that was so {@link copyOf}
 * @throws {UsageError} when the file cannot be opened, is damaged, or was made by a newer version
 */
export async function openDatabase(file: string | Buffer): Promise<Database> {
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
  connections.set(db, sqlite)
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

/** All that a store holds, between two transactions, to be opened again. */
export function copyOf(db: Database): Promise<Buffer> {
  const sqlite = connections.get(db)
  if (!sqlite) throw new Error('the store is not open')
  // Whoever has the connection is in no transaction of somebody else.
  return db.connection().execute(async () => sqlite.serialize())
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
export async function toDisk(db: Database): Promise<void> {
  await sql`pragma wal_checkpoint(passive)`.execute(db)
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
