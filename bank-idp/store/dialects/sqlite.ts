import { chmodSync } from 'node:fs'
import type SQLite from 'better-sqlite3'
import {
  type QueryExecutorProvider,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  sql,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { openSqlite } from '../sqlite.js'
import type { Engine, EngineAdapter } from './dialect.js'
import { scriptFor } from './sqlite-script.js'

/** SQLite's name for free pages that are given back when that is asked for. */
const incremental = 2

/** Bytes that are left of the write-ahead log once it was written into the store. */
const maxLogBytes = 16 * 1024 * 1024

/** Pages of the write-ahead log (4 kB each) at which it is written into the store: the more, the more often a page is written once for many changes. */
const maxLogPages = 4_000

/** Free pages that are given back in one step: few enough that nobody waits for it; and that are kept, since new rows will need some. */
const pages = { step: 500, kept: 250 }

/** SQLite: one connection, whose transactions come one after the other. */
class SqliteEngine implements Engine {
  readonly name = 'SQLite'
  readonly isFirst = true
  readonly isShared = false
  readonly rowId = sql`rowid`
  readonly connection: SQLite.Database
  readonly #database: SqliteDatabase

  constructor(connection: SQLite.Database, database: SqliteDatabase) {
    this.connection = connection
    this.#database = database
  }

  /** All do. */
  async inTurn(): Promise<void> {}

  /** What is asked outside of a transaction waits for the one that has the connection; else nothing is in its way. */
  atOnce<Row>(
    db: { readonly isTransaction: boolean },
    sql: string,
    parameters: readonly unknown[],
  ): QueryResult<Row> | undefined {
    if (this.connection.inTransaction && !db.isTransaction) return undefined
    const statement = this.#database.prepare(sql)
    if (statement.reader) return { rows: statement.all(parameters) as Row[] }
    const { changes } = statement.run(parameters)
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  readonly ownTriggers = {
    audit: ['audit_no_change', 'audit_no_removal'],
    clients: ['redirect_uris_insert', 'redirect_uris_update', 'redirect_uris_delete'],
  }

  async protectAudit(db: QueryExecutorProvider): Promise<void> {
    await sql`create trigger audit_no_change before update on audit
      begin select raise(abort, 'entries of the audit log are never changed'); end`.execute(db)
    await sql`create trigger audit_no_removal before delete on audit
      when old.sequence > (select coalesce(max(sequence), 0) from audit_anchor)
      begin select raise(abort, 'entries of the audit log are removed by retention alone'); end`.execute(db)
  }

  async followRedirectUris(db: QueryExecutorProvider): Promise<void> {
    const add = (client: string) => `insert or ignore into redirect_uris
      select value, ${client}.client_id from json_each(${client}.record, '$.redirect_uris');`
    const remove = 'delete from redirect_uris where client_id = old.client_id;'
    for (const [event, work] of [
      ['insert', add('new')],
      ['update', `${remove} ${add('new')}`],
      ['delete', remove],
    ]) {
      await sql.raw(`create trigger redirect_uris_${event} after ${event} on clients begin ${work} end`).execute(db)
    }
  }

  async triggers(db: QueryExecutorProvider): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'trigger'`.execute(db)
    return rows.map(({ name }) => name)
  }

  /** SQLite remembers it (AUTOINCREMENT), also of entries that are gone. */
  async highestEntry(db: QueryExecutorProvider): Promise<number> {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'audit'`.execute(db)
    return rows[0]?.seq ?? 0
  }

  async giveBackPages(): Promise<void> {
    const free = () => Number(this.connection.pragma('freelist_count', { simple: true }))
    for (let left = free(); left > pages.kept; left = free()) {
      this.connection.pragma(`incremental_vacuum(${Math.min(pages.step, left - pages.kept)})`)
      if (free() >= left) return
      // Requests are answered between two steps.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async toDisk(db: QueryExecutorProvider): Promise<void> {
    await sql`pragma wal_checkpoint(passive)`.execute(db)
  }

  /** Nothing is left in free pages, nor in the write-ahead log. */
  async writeAnew(db: QueryExecutorProvider): Promise<void> {
    await sql`vacuum`.execute(db)
    await this.forgetOverwritten(db)
  }

  /** The write-ahead log, which still holds what was overwritten, is written into the store and emptied. */
  async forgetOverwritten(db: QueryExecutorProvider): Promise<void> {
    await sql`pragma wal_checkpoint(truncate)`.execute(db)
  }
}

class Adapter extends SqliteAdapter implements EngineAdapter {
  readonly engine: SqliteEngine

  constructor(engine: SqliteEngine) {
    super()
    this.engine = engine
  }
}

class Dialect extends SqliteDialect {
  readonly #engine: SqliteEngine

  constructor(connection: SQLite.Database) {
    const database = preparingOnce(connection)
    super({ database })
    this.#engine = new SqliteEngine(connection, database)
  }

  override createAdapter(): Adapter {
    return new Adapter(this.#engine)
  }
}

/** A statement that does nothing. */
const nothing = 'select 0'

/** The same few dozen statements are asked again and again: each is prepared once. */
function preparingOnce(sqlite: SQLite.Database): SqliteDatabase {
  const prepared = new LRUCache<string, SQLite.Statement>({ max: 500, memoMethod: (sql) => sqlite.prepare(sql) })
  return {
    prepare(sql) {
      // SQLite itself rolls back where the disk is full: to be told that there is nothing to roll back would hide why.
      const isOver = sql === 'rollback' && !sqlite.inTransaction
      return prepared.memo(isOver ? nothing : sql) as SQLite.Statement
    },
    close: () => sqlite.close(),
  }
}

/**
 * @param file path of the SQLite file, made when missing; `:memory:`, or the bytes of a store that was in memory
 * @param script what is made in a store in memory at once, by {@link scriptOf}
 * @throws {Error} with SQLite's code, when the file cannot be opened or is damaged
 */
export function sqliteDialect(file: string | Buffer, script = ''): SqliteDialect {
  const sqlite = openSqlite(file)
  sqlite.pragma('journal_mode = WAL')
  // What was answered outlives the process, however it ends. When the power fails, the last moments may be lost, the store's consistency never.
  sqlite.pragma('synchronous = NORMAL')
  sqlite.pragma('busy_timeout = 5000')
  // What is deleted is overwritten: private keys, tokens, claims.
  sqlite.pragma('secure_delete = ON')
  if (file === ':memory:' || typeof file !== 'string') {
    sqlite.exec(script)
    return new Dialect(sqlite)
  }
  chmodSync(file, 0o600)
  sqlite.pragma(`journal_size_limit = ${maxLogBytes}`)
  sqlite.pragma(`wal_autocheckpoint = ${maxLogPages}`)
  const found = sqlite.pragma('quick_check(1)', { simple: true })
  if (found !== 'ok') throw new Error(`the file is damaged (${found})`)
  if (sqlite.pragma('auto_vacuum', { simple: true }) !== incremental) {
    // Takes effect as the store is written anew: one of an earlier version kept its free pages.
    sqlite.pragma(`auto_vacuum = ${incremental}`)
    sqlite.exec('vacuum')
  }
  return new Dialect(sqlite)
}

/** A file to read from alone. @throws {Error} when it is no store */
export function sqliteToRead(file: string): SqliteDialect {
  const sqlite = openSqlite(file, { readonly: true, fileMustExist: true })
  // Only what is read tells whether the file is a store at all.
  sqlite.pragma('schema_version')
  return new Dialect(sqlite)
}

/** All that a store in memory holds, to be opened again. */
export function bytesOf(engine: Engine): Buffer {
  return sqliteOf(engine).connection.serialize()
}

/** What makes another store of the tables and rows of this one. */
export function scriptOf(engine: Engine): string {
  return scriptFor(sqliteOf(engine).connection)
}

function sqliteOf(engine: Engine): SqliteEngine {
  if (!(engine instanceof SqliteEngine)) throw new Error(`${engine.name} is in no memory of this process`)
  return engine
}
