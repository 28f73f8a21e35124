import { AsyncLocalStorage } from 'node:async_hooks'
import type { Selectable } from 'kysely'
import { nowSeconds } from '../clock.js'
import { type Database, forgetOverwritten, inTransaction } from './database.js'
import { engineOf } from './dialects/dialect.js'
import { KeptIds } from './kept-ids.js'
import { prepared } from './prepared.js'
import type { ProviderRow } from './schema.js'
import { endInteraction } from './stored-answered-pages.js'

/** A record of oidc-provider: what it hands to its adapter. */
export type ProviderPayload = Record<string, unknown> & {
  grantId?: string
  clientId?: string
  uid?: string
  userCode?: string
  /** Of the session that it was issued in. */
  sessionUid?: string
  /** Whose it is. */
  accountId?: string
  /** When it ends, in seconds since the epoch. */
  exp?: number
}

/** What of a row makes up the record. */
const read = ['payload', 'expires_at', 'consumed_at'] as const

/** The record itself, which is the caller's to change. */
function fromRow(row: Pick<Selectable<ProviderRow>, (typeof read)[number]> | undefined): ProviderPayload | undefined {
  if (!row || (row.expires_at !== null && row.expires_at <= nowSeconds())) return undefined
  const payload = JSON.parse(row.payload) as ProviderPayload
  if (row.consumed_at !== null) payload.consumed = row.consumed_at
  return payload
}

/**
 * What transactions name that end tokens, and those beside each other that give them: what is given while it ends would outlive what it came
 * of.
 */
const tokensEnd = 'end of tokens'

/** Has nothing be given, from here to the end of a transaction, that this one would not see. */
export function beginToEndTokens(transaction: Database): Promise<void> {
  return engineOf(transaction).inTurn(transaction, tokensEnd)
}

/** Writes that are kept together, or not at all. */
interface Unit {
  of: ProviderRecords
  rows: Row[]
  used: { model: string; id: string }[]
}

type Row = Omit<Selectable<ProviderRow>, 'consumed_at'>

const finding = (by: 'id' | 'uid' | 'user_code' | 'grant_id') =>
  prepared(['model', 'value'], (db, { model, value }) =>
    db.selectFrom('provider_records').select(read).where('model', '=', model).where(by, '=', value),
  )

const findBy = {
  id: finding('id'),
  uid: finding('uid'),
  user_code: finding('user_code'),
  grant_id: finding('grant_id'),
}

const remove = prepared(['model', 'id'], (db, { model, id }) =>
  db.deleteFrom('provider_records').where('model', '=', model).where('id', '=', id),
)

const noteUse = prepared(['consumed_at', 'model', 'id'], (db, { consumed_at, model, id }) =>
  db
    .updateTable('provider_records')
    .set(({ fn, selectFrom, ref }) => {
      const grantEnds = selectFrom('provider_records as grant_record')
        .select('grant_record.expires_at')
        .where('grant_record.model', '=', 'Grant')
        .whereRef('grant_record.id', '=', 'provider_records.grant_id')
        .whereRef('grant_record.expires_at', '>', 'provider_records.expires_at')
      return { consumed_at, expires_at: fn.coalesce(grantEnds, ref('provider_records.expires_at')) }
    })
    .where('model', '=', model)
    .where('id', '=', id)
    .where('consumed_at', 'is', null),
)

/** The unit of the work that runs. One for all banks of the process: whatever happens costs a little for each such storage, for ever. */
const running = new AsyncLocalStorage<Unit>()

/** Storage for the records of one oidc-provider installation, with tokens and codes as hashes (kept-ids.ts). Rows past their end are as good as gone; a record can expire before. */
export class ProviderRecords {
  readonly #db: Database
  readonly #ids: KeptIds

  /** @param key a secret of the bank's own, under which user codes are hashed */
  constructor(db: Database, key: string) {
    this.#db = db
    this.#ids = new KeptIds(key)
  }

  /** Hashes the user codes of an earlier version. */
  async hashUserCodes(): Promise<void> {
    const codes = await this.#of('DeviceCode').execute()
    const plain = codes.filter(({ user_code: code }) => code !== null && code !== this.#ids.userCodeOf(code))
    for (const code of plain) {
      const payload = JSON.parse(code.payload) as ProviderPayload
      await upsertIn(this.#db, { ...code, ...this.#namesOf(payload) })
    }
    if (plain.length > 0) await forgetOverwritten(this.#db)
  }

  #of(model: string) {
    return this.#db.selectFrom('provider_records').selectAll().where('model', '=', model)
  }

  /** What of a row holds a user code. */
  #namesOf(payload: ProviderPayload): { payload: string; user_code: string | null } {
    const { userCode } = payload
    if (userCode === undefined) return { payload: JSON.stringify(payload), user_code: null }
    const user_code = this.#ids.userCodeOf(userCode)
    return { payload: JSON.stringify({ ...payload, userCode: user_code }), user_code }
  }

  /** The id of a record of the store's, as the store names it. */
  keptId(model: string, id: string): string {
    return this.#ids.of(model, id)
  }

  get #unit(): Unit | undefined {
    const unit = running.getStore()
    return unit?.of === this ? unit : undefined
  }

  /**
   * {@link holdBack} until `work` has succeeded, then writes all of it in one transaction: what an answer promises is
   * stored before the answer, and what failed has used nothing up. Records that end (destroy, revokeGrant) end at once.
   *
   * @param succeeded asked after the work
   * @returns false when something it used was used by another meanwhile; nothing is written then
   */
  async together(work: () => Promise<void>, succeeded: () => boolean): Promise<boolean> {
    const write = await this.holdBack(work)
    if (!succeeded()) return true
    try {
      await inTransaction(this.#db, write)
      return true
    } catch (error) {
      if (error instanceof Lost) return false
      throw error
    }
  }

  /** Holds back what `work` keeps and uses. @returns writes it, in a transaction of the caller's that may hold more */
  async holdBack(work: () => Promise<unknown>): Promise<(db: Database) => Promise<void>> {
    const unit: Unit = { of: this, rows: [], used: [] }
    await running.run(unit, work)
    return async (db) => {
      await engineOf(db).inTurn(db, tokensEnd, 'beside')
      for (const { model, id } of unit.used) if (!(await useIn(db, model, id))) throw new Lost()
      for (const row of unit.rows) await upsertIn(db, row)
    }
  }

  /** Whether what is kept and used here is held back. */
  get holdsBack(): boolean {
    return this.#unit !== undefined
  }

  /** @param expiresIn seconds; undefined for a record without an end */
  async upsert(model: string, id: string, payload: ProviderPayload, expiresIn?: number): Promise<void> {
    const row = this.#rowOf(model, id, payload, expiresIn)
    const unit = this.#unit
    if (unit) unit.rows.push(row)
    else await upsertIn(this.#db, row)
  }

  async find(
    model: string,
    by: 'id' | 'uid' | 'user_code' | 'grant_id',
    value: string,
  ): Promise<ProviderPayload | undefined> {
    const ids = this.#ids
    // The library finds the device code again that a person's page is about, by the name that the store gave it; who presents that is refused
    // before (endpoints/token.ts).
    const named = model === 'DeviceCode' ? ids.of(model, value) : ids.ofPresented(model, value)
    const kept = by === 'id' ? named : by === 'user_code' ? ids.ofUserCode(value) : value
    const { rows } = await findBy[by](this.#db, { model, value: kept })
    const record = fromRow(rows[0])
    // What was presented is known to who presented it, and to nobody else.
    if (record?.jti !== undefined && by === 'id') record.jti = value
    if (record && by === 'user_code') record.userCode = value
    return record
  }

  /** The live records of a model, of whatever client; ids are as they are kept. */
  async all(model: string): Promise<ProviderPayload[]> {
    const rows = await this.#of(model).execute()
    const at = nowSeconds()
    return rows.map(fromRow).flatMap((record) => (record && !(Number(record.exp) <= at) ? [record] : []))
  }

  /** The live records of a client. */
  async ofClient(model: string, clientId: string): Promise<ProviderPayload[]> {
    const rows = await this.#of(model).where('client_id', '=', clientId).execute()
    const at = nowSeconds()
    return rows.map(fromRow).flatMap((record) => (record && !(Number(record.exp) <= at) ? [record] : []))
  }

  /**
   * Uses a record up: it is marked, and kept until its end or that of its grant. Of several uses that race exactly one gets true; within {@link together} that
   * is told at its end.
   */
  async use(model: string, id: string): Promise<boolean> {
    const unit = this.#unit
    const kept = this.#ids.of(model, id)
    if (!unit) return useIn(this.#db, model, kept)
    unit.used.push({ model, id: kept })
    return true
  }

  /** @returns whether it was there: of several that end it at once exactly one gets true */
  async destroy(model: string, id: string): Promise<boolean> {
    const kept = this.#ids.of(model, id)
    // Whatever replica its person goes back to, it tells what was answered.
    if (model === 'Interaction' && engineOf(this.#db).isShared) return endInteraction(this.#db, kept)
    const { numAffectedRows = 0n } = await remove(this.#db, { model, id: kept })
    return numAffectedRows > 0n
  }

  async revokeGrant(model: string, grantId: string): Promise<void> {
    const work = (db: Database) =>
      db.deleteFrom('provider_records').where('model', '=', model).where('grant_id', '=', grantId).execute()
    await inTransaction(this.#db, work, tokensEnd)
  }

  #rowOf(model: string, id: string, payload: ProviderPayload, expiresIn?: number): Row {
    const kept = this.#ids.of(model, id)
    return {
      model,
      id: kept,
      ...this.#namesOf(payload.jti === id ? { ...payload, jti: kept } : payload),
      grant_id: payload.grantId ?? null,
      client_id: payload.clientId ?? null,
      uid: payload.uid ?? null,
      session_uid: payload.sessionUid ?? null,
      account_id: payload.accountId ?? null,
      ends_at: payload.exp ?? null,
      expires_at: expiresIn === undefined ? null : nowSeconds() + expiresIn,
    }
  }
}

/** Forgets the login of a session. */
export async function endLoginIn(db: Database, sessionId: string): Promise<void> {
  await remove(db, { model: 'Session', id: sessionId })
}

/**
 * Forgets the tokens that were issued in a session, in a transaction.
 *
 * @param uid of the session
 * @param tokens which end: `online` leaves refresh tokens, and the grants they rest on
 */
export async function endTokensIn(db: Database, uid: string, tokens: 'all' | 'online'): Promise<void> {
  await beginToEndTokens(db)
  const grants = db.selectFrom('provider_records').select('grant_id').where('session_uid', '=', uid)
  const kept = grants.where('model', '=', 'RefreshToken')
  const ended = tokens === 'all' ? grants : grants.where('grant_id', 'not in', kept)
  await db.deleteFrom('provider_records').where('model', '=', 'Grant').where('id', 'in', ended).execute()
  const issued = db.deleteFrom('provider_records').where('session_uid', '=', uid)
  await (tokens === 'all' ? issued : issued.where('model', '!=', 'RefreshToken')).execute()
}

class Lost extends Error {}

/**
 * What was used stays as long as its grant, on which everything rests that it gave: whoever uses it once more, however late, ends that
 * (RFC 6749 section 4.1.2, RFC 9700 section 4.14.2).
 */
async function useIn(db: Database, model: string, id: string): Promise<boolean> {
  const { numAffectedRows } = await noteUse(db, { consumed_at: nowSeconds(), model, id })
  return numAffectedRows === 1n
}

const columns = [
  'model',
  'id',
  'payload',
  'user_code',
  'grant_id',
  'client_id',
  'uid',
  'session_uid',
  'account_id',
  'ends_at',
  'expires_at',
] as const satisfies readonly (keyof Row)[]

const upsertRow = prepared(columns, (db, row) =>
  db
    .insertInto('provider_records')
    .values(row)
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(row)),
)

async function upsertIn(db: Database, row: Row): Promise<void> {
  await upsertRow(db, row)
}
