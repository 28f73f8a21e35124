import type { Selectable } from 'kysely'
import { nowSeconds } from '../clock.js'
import type { Database } from './database.js'
import type { ProviderRow } from './schema.js'

/** A record of oidc-provider: what it hands to its adapter. */
export type ProviderPayload = Record<string, unknown> & {
  grantId?: string
  clientId?: string
  uid?: string
  userCode?: string
}

function fromRow(row: Selectable<ProviderRow> | undefined): ProviderPayload | undefined {
  if (!row || (row.expires_at !== null && row.expires_at <= nowSeconds())) return undefined
  const payload = JSON.parse(row.payload) as ProviderPayload
  return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at }
}

/** Storage for the records of one oidc-provider installation. Rows past their expiry are as good as gone. */
export class ProviderRecords {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /** @param expiresIn seconds; undefined for a record without an end */
  async upsert(model: string, id: string, payload: ProviderPayload, expiresIn?: number): Promise<void> {
    const row = this.#row(model, id, payload, expiresIn)
    await this.#db
      .insertInto('provider_records')
      .values(row)
      .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(row))
      .execute()
  }

  async find(model: string, by: 'id' | 'uid' | 'user_code', value: string): Promise<ProviderPayload | undefined> {
    const row = await this.#db
      .selectFrom('provider_records')
      .selectAll()
      .where('model', '=', model)
      .where(by, '=', value)
      .executeTakeFirst()
    return fromRow(row)
  }

  /** Marks a record as used. Of several uses that race exactly one gets true. */
  async consume(model: string, id: string): Promise<boolean> {
    const result = await this.#db
      .updateTable('provider_records')
      .set({ consumed_at: nowSeconds() })
      .where('model', '=', model)
      .where('id', '=', id)
      .where('consumed_at', 'is', null)
      .executeTakeFirst()
    return result.numUpdatedRows === 1n
  }

  async destroy(model: string, id: string): Promise<void> {
    await this.#db.deleteFrom('provider_records').where('model', '=', model).where('id', '=', id).execute()
  }

  async revokeGrant(model: string, grantId: string): Promise<void> {
    await this.#db.deleteFrom('provider_records').where('model', '=', model).where('grant_id', '=', grantId).execute()
  }

  #row(model: string, id: string, payload: ProviderPayload, expiresIn?: number) {
    return {
      model,
      id,
      payload: JSON.stringify(payload),
      grant_id: payload.grantId ?? null,
      client_id: payload.clientId ?? null,
      uid: payload.uid ?? null,
      user_code: payload.userCode ?? null,
      expires_at: expiresIn === undefined ? null : nowSeconds() + expiresIn,
    }
  }
}
