import { join } from 'node:path'
import pg from 'pg'
import { openSqlite } from '../../bank-idp/store/sqlite.js'

/**
 * Tables whose rows all end by themselves: what anybody can have the bank keep. What the service alone can have it keep stays as long as
 * entries of the audit log (ended_requests). What ends by the store's own time, which nobody moves, is not looked at (refresh_requests).
 */
const passing = [
  'provider_records',
  'assertion_ids',
  'waiting_logins',
  'password_tries',
  'throttles',
  'devices',
  'signing_requests',
] as const

/** How many rows each table has that keeps nothing for good. @param store address of a PostgreSQL database, in place of the file in `data` */
export async function storedRows(data: string, store?: string): Promise<Map<string, number>> {
  const count = (table: string) => `select count(*) as rows from ${table}`
  const counts = new Map<string, number>()
  if (store === undefined) {
    const db = openSqlite(join(data, 'bank.sqlite'), { readonly: true })
    for (const table of passing) counts.set(table, (db.prepare(count(table)).get() as { rows: number }).rows)
    db.close()
    return counts
  }
  const client = new pg.Client({ connectionString: store })
  await client.connect()
  for (const table of passing) counts.set(table, Number((await client.query(count(table))).rows[0].rows))
  await client.end()
  return counts
}
