import { type QueryExecutorProvider, sql } from 'kysely'
import type { AnsweredPage, AnsweredPages } from '../answered-pages.js'
import { type Client, clientNameOf } from '../client.js'
import { nowSeconds } from '../clock.js'
import type { Database } from './database.js'
import { prepared } from './prepared.js'

/** What becomes of the record of an interaction as the login goes on from its answer, until it would have ended. */
const model = 'AnsweredInteraction'

/** What is left of it. */
interface Left {
  page: AnsweredPage['page']
  client: string
  answered: boolean
  ended: boolean
}

/**
 * Ends an interaction on PostgreSQL: a record is written anew in place of being removed, which costs as much.
 *
 * @returns whether it was there: of several that end it at once exactly one gets true
 */
export async function endInteraction(db: QueryExecutorProvider, id: string): Promise<boolean> {
  const payload = sql`payload::json`
  const { numAffectedRows = 0n } = await sql`
    update provider_records set model = ${model}, grant_id = null, client_id = null, uid = null, user_code = null, session_uid = null,
      account_id = null, payload = json_build_object(
        'page', ${payload} -> 'prompt' ->> 'name', 'client', ${payload} -> 'params' ->> 'client_id',
        'answered', ${payload} -> 'result' is not null, 'ended', ${payload} -> 'result' -> 'error' is not null)::text
    where model = 'Interaction' and id = ${id}`.execute(db)
  return numAffectedRows > 0n
}

const find = prepared(['id'], (db, { id }) =>
  db.selectFrom('provider_records').select(['payload', 'expires_at']).where('model', '=', model).where('id', '=', id),
)

/** {@link AnsweredPages} among replicas: what is left of interactions. */
export class StoredAnsweredPages implements AnsweredPages {
  readonly #db: Database
  readonly #clients: { find(clientId: string): Promise<Client | undefined> }

  constructor(db: Database, clients: { find(clientId: string): Promise<Client | undefined> }) {
    this.#db = db
    this.#clients = clients
  }

  /** The interaction itself tells. */
  answered(): void {}

  /** It ends as the login goes on. */
  wentOn(): void {}

  async of(uid: string): Promise<AnsweredPage | undefined> {
    const {
      rows: [row],
    } = await find(this.#db, { id: uid })
    if (!row || (row.expires_at !== null && row.expires_at <= nowSeconds())) return undefined
    const { page, client, answered, ended } = JSON.parse(row.payload) as Left
    if (!answered) return undefined
    const known = await this.#clients.find(client)
    return known && { page, clientName: clientNameOf(known), ended }
  }
}
