import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { ConsentFacts, SeamResponse, StoredRecord } from '../seams.js'

/** Scopes by whom or what they belong to: the latest thousand. */
export type Scopes = Latest<readonly string[]>

export const scopes = (): Scopes => new Latest(1_000)

/** Adds scopes to those of a name. @returns all of them */
export const add = (memory: Scopes, name: string, more: readonly string[]): readonly string[] => {
  const all = [...new Set([...(memory.get(name) ?? []), ...more])]
  memory.set(name, all)
  return all
}

/** The name of a person at a client. */
export const whose = ({ clientId, personId }: ConsentFacts) => `${clientId} ${personId}`

/** The scopes of a grant that were approved, and those that were refused. */
export function decided(record: StoredRecord): { approved: string[]; refused: string[]; name: string } {
  const { openid, rejected } = record as { openid?: { scope?: string }; rejected?: { openid?: { scope?: string } } }
  return {
    approved: parseSpaceDelimited(openid?.scope),
    refused: parseSpaceDelimited(rejected?.openid?.scope),
    name: whose({ clientId: String(record.clientId), personId: String(record.accountId) }),
  }
}

/** A grant in which scopes that were refused are approved. */
export function approving(record: StoredRecord, more: readonly string[]): StoredRecord {
  if (more.length === 0) return record
  const { approved, refused } = decided(record)
  const left = refused.filter((scope) => !more.includes(scope))
  const { rejected: _, ...others } = record
  return {
    ...others,
    openid: { scope: [...approved, ...more].join(' ') },
    ...(left.length > 0 && { rejected: { openid: { scope: left.join(' ') } } }),
  }
}

/** The scopes among some that lead to user data. */
export const data = (all: readonly string[]) => all.filter((scope) => scope.startsWith('profile.'))

/** For `response` of POST /register: notes the required scopes of a client, under its id. */
export const noteRequired = (response: SeamResponse, _bank: unknown, memory: Scopes): SeamResponse => {
  const { client_id, required_scope } = (response.body ?? {}) as Record<string, unknown>
  if (typeof client_id === 'string' && typeof required_scope === 'string')
    memory.set(client_id, parseSpaceDelimited(required_scope))
  return response
}
