import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../bank-idp/store/database.js'
import { ProviderRecords } from '../../bank-idp/store/provider-records.js'
import { sweep } from '../../bank-idp/store/sweeper.js'

/**
 * Shows that a lookup costs the same however many tokens have expired: node dist/scripts/benchmarks/dead-tokens.js [number, default
 * 1000000]. Prints the median time of a lookup among none and among all of them, the ratio, and how long sweeping them takes.
 */
const number = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'dead-tokens-'))
const alive = 100

async function bury(db: Database): Promise<void> {
  await sql`
    insert into provider_records (model, id, payload, grant_id, client_id, expires_at)
    with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${number})
    select 'AccessToken', 'dead-' || n, '{}', 'grant-' || n, 'client-' || (n % 100), 1 from counted`.execute(db)
}

async function medianMicroseconds(records: ProviderRecords): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 20_000; i += 1) {
    const began = process.hrtime.bigint()
    const found = await records.find('AccessToken', 'id', `alive-${i % alive}`)
    times.push(Number(process.hrtime.bigint() - began) / 1000)
    if (!found) throw new Error('a token that has not expired is not found')
  }
  return times.sort((a, b) => a - b)[times.length / 2] ?? 0
}

try {
  const db = await openDatabase(join(folder, 'store.sqlite'))
  const records = new ProviderRecords(db, 'key')
  for (let i = 0; i < alive; i += 1) await records.upsert('AccessToken', `alive-${i}`, { clientId: 'client-1' }, 3600)
  await medianMicroseconds(records) // warms the engine up
  const before = await medianMicroseconds(records)
  await bury(db)
  const after = await medianMicroseconds(records)
  console.log(`lookup, median: ${before.toFixed(1)} µs among none expired, ${after.toFixed(1)} µs among ${number}`)
  console.log(`ratio: ${(after / before).toFixed(2)}`)
  const began = performance.now()
  const swept = await sweep(db)
  console.log(`swept ${swept} in ${Math.round(performance.now() - began)} ms, 500 at a time`)
  await db.destroy()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
