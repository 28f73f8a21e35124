import { sql } from 'kysely'
import { nowSeconds } from '../clock.js'
import type { Database } from './database.js'

/** Rows taken away in one statement: few enough that nobody waits for it. */
const batch = 500

const tables = ['provider_records', 'assertion_ids'] as const

/**
 * Takes away the rows past their expiry: records of oidc-provider, and the jti of assertions.
 *
 * @returns how many rows went
 */
export async function sweep(db: Database): Promise<number> {
  let swept = 0
  for (const table of tables) {
    for (let gone = batch; gone === batch; swept += gone) {
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
