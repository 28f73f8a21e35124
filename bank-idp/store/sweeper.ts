import { sql } from 'kysely'
import { nowSeconds } from '../clock.js'
import type { Database } from './database.js'

/** Rows taken away in one statement: few enough that nobody waits for it. */
const batch = 500
/** Between two sweeps, in milliseconds. */
const interval = 60_000

const tables = ['provider_records', 'assertion_ids'] as const

/**
 * Takes away the rows past their expiry: records of oidc-provider, and the jti of assertions.
 *
 * @param signal ends the sweep after the batch under way
 * @returns how many rows went
 */
export async function sweep(db: Database, signal?: AbortSignal): Promise<number> {
  let swept = 0
  for (const table of tables) {
    for (let gone = batch; gone === batch && !signal?.aborted; swept += gone) {
      const result = await sql`
        delete from ${sql.table(table)} where rowid in (
          select rowid from ${sql.table(table)} where expires_at <= ${nowSeconds()} limit ${batch}
        )`.execute(db)
      gone = Number(result.numAffectedRows ?? 0)
      // Requests are answered between two batches.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return swept
}

/** Sweeps now and again. @returns what ends it, once the batch under way is done */
export function keepSwept(db: Database, failed: (error: unknown) => void): () => Promise<void> {
  const ending = new AbortController()
  let under: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    under = sweep(db, ending.signal).catch(failed)
  }, interval)
  timer.unref()
  return async () => {
    clearInterval(timer)
    ending.abort()
    await under
  }
}
