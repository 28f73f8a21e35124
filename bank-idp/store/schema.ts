import type { ColumnType, Generated } from 'kysely'

/** The tables of the store. JSON columns hold text; times are seconds since the epoch unless the name says otherwise. */
export interface Tables {
  secrets: { name: string; value: string }
  keys: KeyRow
  clients: ClientRow
  consents: { person_id: string; client_id: string; scope: string }
  assertion_ids: { issuer: string; jti: string; expires_at: number }
  provider_records: ProviderRow
  outages: { part: string; starts_at: number; ends_at: number | null; reason: string | null }
  heartbeat: { only: number; beat_at: number }
}

export interface KeyRow {
  kid: string
  /** JWK with its private members. */
  jwk: string
  created_at: number
  /** When the key stopped signing; null while it signs. */
  retired_at: number | null
  sequence: Generated<number>
}

export interface ClientRow {
  client_id: string
  /** The registration record as it was taken. */
  record: string
  client_secret: string
  registration_token_hash: string
  issued_at: number
}

/** What oidc-provider keeps: one row for each record of each of its models. */
export interface ProviderRow {
  model: string
  id: string
  payload: string
  grant_id: string | null
  client_id: string | null
  uid: string | null
  user_code: string | null
  expires_at: number | null
  consumed_at: ColumnType<number | null, number | null | undefined, number>
}
