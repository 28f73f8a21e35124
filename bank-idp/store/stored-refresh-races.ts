import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { burstMs, type RefreshRaces } from '../refresh-races.js'
import type { Database } from './database.js'

/** Milliseconds after which a request counts as over whose replica ended in the midst of it. */
const longestMs = 60_000

/** The time of the store, in milliseconds since the epoch: that of replicas may differ. */
const storeNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** {@link RefreshRaces} among the replicas on one PostgreSQL store. */
export class StoredRefreshRaces implements RefreshRaces {
  readonly endBeforeAnswer = true
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async begin(token: string, arrivedAt: number): Promise<() => Promise<void>> {
    const age = Math.round(performance.now() - arrivedAt)
    const { rows } = await sql<{ number: number }>`
      insert into refresh_requests (token, began_ms) values (${nameOf(token)}, ${storeNow} - ${age}::bigint) returning number`.execute(
      this.#db,
    )
    return async () => {
      await sql`update refresh_requests set ended_ms = ${storeNow} where number = ${rows[0]?.number}`.execute(this.#db)
    }
  }

  async has(token: string): Promise<boolean> {
    const { rows } = await sql`
      select 1 from refresh_requests as one join refresh_requests as other on other.token = one.token and other.number > one.number
      where one.token = ${nameOf(token)} and other.began_ms > ${storeNow} - ${burstMs}::bigint
        and case when one.ended_ms is null then one.began_ms > ${storeNow} - ${longestMs}::bigint else other.began_ms < one.ended_ms end
      limit 1`.execute(this.#db)
    return rows.length > 0
  }

  /** Forgets the requests that bear on none that comes. */
  async sweep(): Promise<void> {
    await sql`delete from refresh_requests where began_ms < ${storeNow} - ${longestMs + burstMs}::bigint`.execute(
      this.#db,
    )
  }
}

/** Of a token its hash is kept. */
function nameOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
