import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'

/** A record as a client was told that it is registered. */
export interface ToldRecord {
  redirect_uris?: readonly string[]
  request_uris?: readonly string[]
  request_object_encryption_alg?: string
  scope?: string
  grant_types?: readonly string[]
  response_types?: readonly string[]
  token_endpoint_auth_method?: string
  subject_type?: string
  sector_identifier_uri?: string
  backchannel_logout_uri?: string
  default_acr_values?: readonly string[]
  userinfo_encrypted_response_alg?: string
  profile_encrypted_response_alg?: string
}

/** The records of clients that registered since a fault was switched on, by client_id. */
export type Records = Latest<ToldRecord>

export const recordsOfClients = (): Records => new Latest(10_000)

function note(response: SeamResponse, _bank: unknown, records: Records): SeamResponse {
  const { client_id, ...record } = (response.body ?? {}) as ToldRecord & { client_id?: unknown }
  if (response.status < 300 && typeof client_id === 'string') records.set(client_id, record)
  return response
}

/** Whether a client takes its tokens from the front channel alone. */
export function isImplicit(record: ToldRecord | undefined): boolean {
  return record?.response_types?.join() === 'token'
}

/** Whether a client registered no more than it needs: what else there is is optional by the reading of AMB-58 that asks for the fewest. */
export function isLeast(record: Readonly<Record<string, unknown>> | ToldRecord | undefined): boolean {
  return record !== undefined && !('contacts' in record || 'default_max_age' in record || 'tos_uri' in record)
}

/** For `response`: keeps what is registered in the memory of a fault. */
export const notedRecords = { 'POST /register': note, 'PUT /register/{client_id}': note } as const
