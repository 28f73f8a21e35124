import type SQLite from 'better-sqlite3'

/** Where SQLite keeps how far it has come in giving numbers. It is there by itself, and counts what is put in elsewhere. */
const counts = 'sqlite_sequence'

/** The statements that make all that a SQLite store holds in an empty one. */
export function scriptFor(sqlite: SQLite.Database): string {
  const made = (type: string) =>
    sqlite
      .prepare<[string, string], string>(
        'select sql from sqlite_master where sql is not null and type = ? and name <> ?',
      )
      .pluck()
      .all(type, counts)
  const names = sqlite.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all()
  const rows = names.filter((name) => name !== counts).flatMap((name) => rowsOf(sqlite, name))
  const counted = names.includes(counts) ? [`delete from ${counts}`, ...rowsOf(sqlite, counts)] : []
  // Triggers are for what comes later.
  return [...made('table'), ...rows, ...counted, ...made('index'), ...made('trigger')].join(';\n')
}

/** Statements that put the rows of a table in. */
function rowsOf(sqlite: SQLite.Database, table: string): string[] {
  const columns = sqlite.prepare<[string], string>('select name from pragma_table_info(?)').pluck().all(table)
  const values = columns.map((column) => `quote("${column}")`).join(` || ', ' || `)
  const rows = sqlite.prepare<[], string>(`select ${values} from "${table}"`).pluck().all()
  return rows.map((row) => `insert into "${table}" ("${columns.join('", "')}") values (${row})`)
}
