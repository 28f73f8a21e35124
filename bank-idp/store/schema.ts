import type { ColumnType, Generated } from 'kysely'

/** The tables of the store. JSON columns hold text; times are seconds since the epoch unless the name says otherwise. */
export interface Tables {
  /** Encrypted: see encrypted-values.ts. */
  secrets: { name: string; value: string }
  keys: KeyRow
  clients: ClientRow
  /** Of the clients' records, by triggers of the store: an index. */
  redirect_uris: { redirect_uri: string; client_id: string }
  consents: ConsentRow
  assertion_ids: { issuer: string; jti: string; expires_at: number }
  provider_records: ProviderRow
  /** People who may not log in, by the id of each of their identities. */
  blocks: { person_id: string; since: number }
  /** The browser that each session was made with. */
  devices: { session_uid: string; device: string; person_id: string; signed_in_at: number }
  /** Wrong passwords, by the keyed hash of what they are counted by, and when that ends. */
  password_tries: { name: string; wrong: number; ends_at: number }
  /** See waiting-logins.ts. gone_on is 0 or 1. */
  waiting_logins: {
    number: Generated<number>
    id: string
    client_id: string
    caller: string
    gone_on: number
    expires_at: number
  }
  /** Browsers that nobody may sign in with. */
  device_blocks: { device: string; since: number }
  outbox: OutboxRow
  people: PersonRow
  /** See made-people.ts: the person as JSON, null for who was removed. */
  made_people: { number: Generated<number>; login: string; person: string | null }
  outages: { part: string; starts_at: number; ends_at: number | null; reason: string | null }
  /** Written anew, with as much as a transaction can need, to see that it can be. */
  heartbeat: { only: number; beat_at: number; room: Uint8Array | null }
  signing_requests: SigningRequestRow
  ended_requests: EndedRequestRow
  audit: AuditRow
  audit_anchor: AnchorRow
  /** One row: see audit-seal.ts. */
  audit_seal: { only: number; seal: string }
  /** What one replica was told and all go by: see shared-state.ts. */
  shared_state: { number: Generated<number>; topic: string; name: string; value: string }
  /** What changed that replicas remember, the last ones: see changes.ts. */
  changes: { number: Generated<number>; topic: string; name: string }
  /** See throttles.ts; times in milliseconds since the epoch. */
  throttles: { name: string; since_ms: number; at_ms: number; amount: number }
  /** See stored-refresh-races.ts; times in milliseconds since the epoch, of the store's clock. */
  refresh_requests: { number: Generated<number>; token: string; began_ms: number; ended_ms: number | null }
  /** Files of the data directory that all replicas have: encrypted, see shared-files.ts. */
  shared_files: { name: string; content: string }
}

/** What a person approved for a client. */
export interface ConsentRow {
  person_id: string
  client_id: string
  scope: string
  /** 1 where a request for openid alone was approved as such. */
  openid_alone: Generated<number>
}

/** What was last known of a person, as JSON. */
export interface PersonRow {
  person_id: string
  claims: string
  /** How the claims were checked; null where an earlier version did not note it. */
  verification: string | null
  /** Those of the claims that were changed in this bank. */
  changes: string
  /** The age that the birthdate was reckoned from, or null; SQL's null where an earlier version did not note it. */
  reckoned_from: string | null
}

export interface SigningRequestRow {
  id: string
  client_id: string
  /** Claims of the request object, and the JWS that carried them. */
  claims: string
  jws: string
  person_id: string | null
  hinted_id: string | null
  created_at: number
  expires_at: number
  decided_at: number | null
  /** The grant that its authorization became. */
  grant_id: string | null
  /** Thumbprint of the client certificate that it came with. */
  certificate: string | null
  /** Shows that the bank wrote what does not change of it; of requests that an earlier version took, null. */
  authentication: string | null
}

/** What is left of a request object that was swept: where its person can be sent back to. */
export interface EndedRequestRow {
  id: string
  client_id: string
  redirect_uri: string | null
  state: string
  expires_at: number
}

/** One row of the audit log: see audit.ts. */
export interface AuditRow {
  sequence: number
  at: number
  txn: string
  request_id: string
  client_id: string
  person_id: string
  subject: string
  result: string
  acr: string
  amr: string
  scope: string
  structured_scope: string
  request_object: string
  /** SHA-256 in hexadecimal. */
  previous_hash: string
  hash: string
}

export interface KeyRow {
  kid: string
  /** JWK: encrypted, with its private members; as it is without them, for a signing key that was retired. */
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
  /** Encrypted: see encrypted-values.ts. */
  client_secret: string
  registration_token_hash: string
  issued_at: number
}

/** Something to be told to one client. */
export interface OutboxRow {
  sequence: Generated<number>
  /** Address that it is posted to. */
  receiver: string
  client_id: string
  person_id: string
  /** What is told, as JSON. */
  content: string
  /** Of the token that carries it; null while none was made. */
  jti: string | null
  /** Milliseconds since the epoch: since when it is tried, and when it is tried next. */
  since_ms: number
  next_at_ms: number
  attempts: number
  /** Why the last attempt failed. */
  problem: ColumnType<string | null, string | null | undefined, string>
  /** Milliseconds since the epoch; null while it is tried. */
  given_up_at_ms: ColumnType<number | null, number | null | undefined, number | null>
}

/** Where retention cut the audit log. What is nullable an earlier version did not note. */
export interface AnchorRow {
  /** Of the last entry that was taken away. */
  sequence: number
  hash: string
  /** When that was done. */
  at: number
  /** When the newest of those taken away was made. */
  newest: number | null
  /** How long entries were kept then, in seconds. */
  retention: number | null
  /** The other members, encrypted with a key that is kept elsewhere. */
  authentication: string | null
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
  session_uid: string | null
  /** Whose it is, and when it ends by itself, in seconds since the epoch: its row may stay longer. */
  account_id: string | null
  ends_at: number | null
  expires_at: number | null
  consumed_at: ColumnType<number | null, number | null | undefined, number>
}
