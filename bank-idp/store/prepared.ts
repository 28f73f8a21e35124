import type { CompiledQuery, QueryResult } from 'kysely'
import type { Database } from './database.js'
import { type Engine, engineOf } from './dialects/dialect.js'

/** Stands for a value in a statement that has none yet. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A statement that is put together once for each open store, and asked again and again with other values: to put it together costs more than
 * SQLite takes to answer it.
 *
 * @param names of its values
 * @param build makes it of them
 */
export function prepared<Name extends string, Row>(
  names: readonly Name[],
  build: (db: Database, values: Record<Name, never>) => { compile(): CompiledQuery<Row> },
): (db: Database, values: Record<Name, unknown>) => Promise<QueryResult<Row>> {
  const placeholders = Object.fromEntries(names.map((name) => [name, new Placeholder(name)])) as Record<Name, never>
  const compiled = new WeakMap<Engine, CompiledQuery<Row>>()
  return async (db, values) => {
    const engine = engineOf(db)
    const query = compiled.get(engine) ?? build(db, placeholders).compile()
    compiled.set(engine, query)
    const parameters = query.parameters.map((one) => (one instanceof Placeholder ? values[one.name as Name] : one))
    return engine.atOnce(db, query.sql, parameters) ?? db.executeQuery({ ...query, parameters })
  }
}
