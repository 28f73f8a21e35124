import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../bank-idp/store/database.js'
import { openPostgres } from '../../bank-idp/store/postgres.js'
import { ProviderRecords } from '../../bank-idp/store/provider-records.js'
import { sweep } from '../../bank-idp/store/sweeper.js'

/**
 * Shows that a lookup costs the same however many tokens there are: node dist/scripts/benchmarks/many-tokens.js [number, default 1000000]
 * [--store postgres://…: an empty database in place of a file]. Prints the median time of a lookup among none, among all of them expired, and
 * among all of them alive, the ratios, and how long sweeping takes.
 */
const { values, positionals } = parseArgs({ options: { store: { type: 'string' } }, allowPositionals: true })
const number = Number(positionals[0] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'many-tokens-'))
const known = 100
const inAnHour = Math.round(Date.now() / 1000) + 3600

/** Rows of a statement: one of all would take longer than the store waits for an answer. */
const rows = 100_000

async function fill(db: Database, expiresAt: number): Promise<void> {
  for (let from = 1; from <= number; from += rows) await insert(db, from, Math.min(number, from + rows - 1), expiresAt)
}

async function insert(db: Database, from: number, to: number, expiresAt: number): Promise<void> {
  await sql`
    insert into provider_records (model, id, payload, grant_id, client_id, account_id, expires_at)
    with recursive counted(n) as (
      select ${sql.lit(from)} union all select n + 1 from counted where n < ${sql.lit(to)}
    )
    select 'AccessToken', 'one-' || n, '{}', 'grant-' || n, 'client-' || (n % 100), 'person-' || n, ${sql.lit(expiresAt)}
    from counted`.execute(db)
}

async function medianMicroseconds(records: ProviderRecords): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 20_000; i += 1) {
    const began = process.hrtime.bigint()
    const found = await records.find('AccessToken', 'id', `known-${i % known}`)
    times.push(Number(process.hrtime.bigint() - began) / 1000)
    if (!found) throw new Error('a token that has not expired is not found')
  }
  return times.sort((a, b) => a - b)[times.length / 2] ?? 0
}

try {
  const db =
    values.store === undefined
      ? await openDatabase(join(folder, 'store.sqlite'))
      : (await openPostgres(values.store, 'many-tokens')).db
  const records = new ProviderRecords(db, 'key')
  for (let i = 0; i < known; i += 1) await records.upsert('AccessToken', `known-${i}`, { clientId: 'client-1' }, 3600)
  await medianMicroseconds(records) // warms the engine up
  const alone = await medianMicroseconds(records)
  const tell = (among: string, median: number) =>
    console.log(`lookup, median: ${median.toFixed(1)} µs ${among}, ${(median / alone).toFixed(2)} of that among none`)
  tell('among none', alone)
  await fill(db, 1)
  tell(`among ${number} that have expired`, await medianMicroseconds(records))
  const began = performance.now()
  const swept = await sweep(db)
  console.log(`swept ${swept} in ${Math.round(performance.now() - began)} ms, 500 at a time`)
  await fill(db, inAnHour)
  tell(`among ${number} that live`, await medianMicroseconds(records))
  await db.destroy()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
