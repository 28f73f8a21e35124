import { isDeepStrictEqual } from 'node:util'
import { decodeJwt } from 'jose'
import type { Selectable } from 'kysely'
import { hashesOf, type StructuredScope } from '../structured-scope.js'
import type { AuditRow } from './schema.js'

/** One entry of the audit log: who authorized what, when and by which method, and the request as its client signed it. */
export type AuditEntry = Selectable<AuditRow>

/** What somebody else wrote into an entry need not be what the bank writes there. */
function ifItCanBeRead<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const decidedOn = ({ structured_scope }: AuditEntry) => JSON.parse(structured_scope) as StructuredScope

/** Whether what an entry says was decided on is what its client signed. */
export function saysWhatWasSigned(entry: AuditEntry): boolean {
  const isSo = ifItCanBeRead(() => {
    const { txn, structured_scope } = decodeJwt<{ structured_scope?: unknown }>(entry.request_object)
    return txn === entry.txn && isDeepStrictEqual(structured_scope, decidedOn(entry))
  })
  return isSo ?? false
}

/** The entries about a transaction, by its txn, by the hash of a document, an envelope or a text, or by the last part of a request_uri. */
export function entriesAbout(entries: readonly AuditEntry[], term: string): AuditEntry[] {
  const hash = term.toLowerCase()
  return entries.filter((entry) => {
    const hashes = ifItCanBeRead(() => hashesOf(decidedOn(entry))) ?? []
    return entry.txn === term || entry.request_id === term || hashes.includes(hash)
  })
}
