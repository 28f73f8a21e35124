import { createHmac } from 'node:crypto'
import { type QueryResult, type RawBuilder, sql, type Transaction } from 'kysely'
import { nowSeconds } from '../clock.js'
import type { Limits } from '../limits.js'
import { type Database, inTransaction } from './database.js'
import { prepared } from './prepared.js'
import type { Tables } from './schema.js'

/** A login that waits for its person, or a page at which a person may enter the code of a device. */
export interface WaitingLogin {
  id: string
  /** Empty for that page, which is no client's. */
  clientId: string
  /** The address that it was begun from. */
  caller: string
  /** Whether its person did something on a page. */
  goneOn: boolean
  /** Seconds. */
  expiresIn: number
}

const noteGoingOn = prepared(['gone_on', 'id'], (db, { gone_on, id }) =>
  db.updateTable('waiting_logins').set({ gone_on }).where('id', '=', id),
)

const remove = prepared(['id'], (db, { id }) => db.deleteFrom('waiting_logins').where('id', '=', id))

const columns = ['id', 'client_id', 'caller', 'gone_on', 'expires_at'] as const

const add = prepared(columns, (db, row) => db.insertInto('waiting_logins').values(row))

/** Adds one where there is room: hardly ever there is none. */
const addWhereRoom = prepared([...columns, 'mostOfClient', 'most'], (db, { mostOfClient, most, ...row }) =>
  db
    .insertInto('waiting_logins')
    .columns(columns)
    .expression(({ selectFrom, fn }) => {
      const waiting = selectFrom('waiting_logins').select(fn.countAll<number>().as('count'))
      return db
        .selectNoFrom(({ val }) => columns.map((name) => val(row[name]).as(name)))
        .where(waiting.where('client_id', '=', row.client_id), '<', mostOfClient)
        .where(waiting, '<', most)
    }),
)

const countOfClient = prepared(['client_id'], (db, { client_id }) =>
  db
    .selectFrom('waiting_logins')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('client_id', '=', client_id),
)

const countOfAll = prepared([], (db) =>
  db.selectFrom('waiting_logins').select(({ fn }) => fn.countAll<number>().as('count')),
)

/** One in so many makes room at once where there is none: what comes next finds some. */
const share = 100

/**
 * Which logins wait for their person, so that no more do than may. Whoever begins a login and leaves it is nobody that the bank knows, and can
 * do so for any client: so nobody is refused. The address that most of them come from loses its own instead, those first that nobody went on with.
 */
export class WaitingLogins {
  readonly #db: Database
  readonly #key: string
  readonly #limits: Pick<Limits, 'logins' | 'loginsOfClient'>

  /** @param key a secret of the bank's own: of addresses a keyed hash is kept */
  constructor(db: Database, key: string, limits: Pick<Limits, 'logins' | 'loginsOfClient'>) {
    this.#db = db
    this.#key = key
    this.#limits = limits
  }

  /** Takes note of a login as it begins, in the place of others where it finds no room, and when its person goes on with it. */
  async keep({ id, clientId, caller, goneOn, expiresIn }: WaitingLogin): Promise<void> {
    const gone_on = goneOn ? 1 : 0
    const { numAffectedRows: known = 0n } = await noteGoingOn(this.#db, { gone_on, id })
    if (known > 0n) return
    const { logins: most, loginsOfClient: mostOfClient } = this.#limits
    const row = { id, client_id: clientId, caller: this.#nameOf(caller), gone_on, expires_at: nowSeconds() + expiresIn }
    const { numAffectedRows: added = 0n } = await addWhereRoom(this.#db, { ...row, mostOfClient, most })
    if (added > 0n) return
    await inTransaction(this.#db, async (db) => {
      const ofClient = await countOfClient(db, { client_id: clientId })
      await makeRoom(db, ofClient, mostOfClient, sql`client_id = ${clientId}`)
      await makeRoom(db, await countOfAll(db, {}), most, sql`true`)
      await add(db, row)
    })
  }

  /** One that waits no more. */
  async end(id: string): Promise<void> {
    await remove(this.#db, { id })
  }

  #nameOf(caller: string): string {
    return createHmac('sha256', this.#key).update(caller).digest('base64url')
  }
}

async function makeRoom(
  db: Transaction<Tables>,
  { rows: [counted] }: QueryResult<{ count: number }>,
  most: number,
  which: RawBuilder<unknown>,
): Promise<void> {
  if ((counted?.count ?? 0) < most) return
  const ended = sql`
    select id from waiting_logins where ${which} and caller = (
      select caller from waiting_logins where ${which} group by caller order by count(*) desc, min(expires_at), min(number) limit 1
    ) order by gone_on, expires_at, number limit ${Math.ceil(most / share)}`
  await sql`delete from provider_records
    where (model = 'Interaction' or (model = 'Session' and account_id is null)) and id in (${ended})`.execute(db)
  await sql`delete from waiting_logins where id in (${ended})`.execute(db)
}
