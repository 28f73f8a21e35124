import { sql } from 'kysely'
import { now, nowSeconds } from '../clock.js'
import { toldClaims } from '../next-logins.js'
import type { Database } from './database.js'
import { engineOf } from './dialects/dialect.js'
import { retentionMs } from './throttles.js'

/** Rows taken away in one statement: few enough that nobody waits for it. */
const batchSize = 500

/** Names that wrong passwords are counted by at the most: the oldest are forgotten. */
const maxCountedNames = 100_000

/** What is dead, as a condition on the rows of each table. */
const dead = {
  provider_records: () => sql`expires_at <= ${nowSeconds()}`,
  assertion_ids: () => sql`expires_at <= ${nowSeconds()}`,
  waiting_logins: () => sql`expires_at <= ${nowSeconds()}`,
  password_tries: () => sql`ends_at <= ${nowSeconds()}
    or ends_at < (select ends_at from password_tries order by ends_at desc limit 1 offset ${maxCountedNames})`,
  throttles: () => sql`since_ms <= ${now() - retentionMs}`,
  // What a next login told is known for as long as what it gave.
  shared_state: () => sql`topic = ${toldClaims} and not exists (
      select 1 from provider_records where provider_records.model = 'Grant' and provider_records.id = shared_state.name
    )`,
  // A device is remembered as long as a login or a token of the session lives that was made with it.
  devices: () => sql`not exists (
      select 1 from provider_records where provider_records.session_uid = devices.session_uid
      and coalesce(provider_records.ends_at, provider_records.expires_at) > ${nowSeconds()}
    ) and not exists (
      select 1 from provider_records where provider_records.uid = devices.session_uid
    )`,
}

/**
 * Takes away the rows past their use: records of oidc-provider, the jti of assertions, logins that waited, counts of wrong passwords, and devices.
 *
 * @returns how many rows went
 */
export async function sweep(db: Database): Promise<number> {
  const { rowId } = engineOf(db)
  let swept = 0
  for (const [table, isDead] of Object.entries(dead)) {
    for (let gone = batchSize; gone === batchSize; swept += gone) {
      const result = await sql`
        delete from ${sql.table(table)} where ${rowId} in (
          select ${rowId} from ${sql.table(table)} where ${isDead()} limit ${batchSize}
        )`.execute(db)
      gone = Number(result.numAffectedRows ?? 0)
      // Requests are answered between two batches.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return swept
}
