import type { DialectAdapter, QueryExecutorProvider, QueryResult, RawBuilder } from 'kysely'

/** What one engine does in its own way. All else is the same statements for each. */
export interface Engine {
  /** As it is named to people. */
  readonly name: 'SQLite' | 'PostgreSQL'
  /** Whether its stores may hold what versions before the first one that knew it kept. */
  readonly isFirst: boolean
  /** Whether other processes use a store of its at the same time. */
  readonly isShared: boolean
  /** What tells a row of a table from the others. */
  readonly rowId: RawBuilder<unknown>
  /**
   * Has transactions that name the same come one after the other, each to its end: what one has read, no other changes until what follows from it
   * is written. Those that are there `beside` others wait for none of these.
   */
  inTurn(transaction: QueryExecutorProvider, name: string, how?: 'beside'): Promise<void>
  /**
   * Answers a statement at once, in place of in its turn: to wait for a connection costs more than SQLite takes to answer.
   *
   * @returns undefined where it has to wait
   */
  atOnce<Row>(
    db: { readonly isTransaction: boolean },
    sql: string,
    parameters: readonly unknown[],
  ): QueryResult<Row> | undefined
  /** Makes the triggers that refuse changes of audit entries, and removals but by retention. */
  protectAudit(db: QueryExecutorProvider): Promise<void>
  /** Makes the triggers that keep redirect_uris as the records of the clients say. */
  followRedirectUris(db: QueryExecutorProvider): Promise<void>
  /** The names of the triggers that the two make. */
  readonly ownTriggers: { audit: readonly string[]; clients: readonly string[] }
  /** The names of the triggers that there are. */
  triggers(db: QueryExecutorProvider): Promise<string[]>
  /** The highest number that was ever given to an audit entry, where the engine remembers that; else 0. */
  highestEntry(db: QueryExecutorProvider): Promise<number>
  /** Gives the disk back what is free in the store. */
  giveBackPages(): Promise<void>
  /** Has the disk keep what was written, even when the power fails. */
  toDisk(db: QueryExecutorProvider): Promise<void>
  /** Leaves nothing of what was deleted or overwritten. */
  writeAnew(db: QueryExecutorProvider): Promise<void>
  /** The same for what was overwritten a moment ago. */
  forgetOverwritten(db: QueryExecutorProvider): Promise<void>
}

/** The part of an open store that its engine can be asked at, also within a transaction. */
export interface EngineAdapter extends DialectAdapter {
  readonly engine: Engine
}

/** The engine of an open store. */
export function engineOf(db: QueryExecutorProvider): Engine {
  return (db.getExecutor().adapter as EngineAdapter).engine
}
