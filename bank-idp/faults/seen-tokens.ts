import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts, StoredRecord } from '../seams.js'
import type { RecordDeviation } from './fault.js'

/** By which a fault tells under which access token user data are given. */

/** Clients with the scopes of their tokens of some grant: the latest thousand. */
export type Seen = Latest<true>

export const seen = (): Seen => new Latest(1_000)

/** What an access token and the data under it have in common. */
export const tokenName = (clientId: unknown, scopes: readonly string[]) => `${clientId} ${[...scopes].sort().join(' ')}`

/** For `records`: notes the access tokens of a grant. @param gty how the grant ends in a record */
export function notesTokensOf(gty: string): RecordDeviation<Seen> {
  return {
    model: 'AccessToken',
    found(record: StoredRecord, _bank: unknown, tokens: Seen) {
      if (String(record.gty).endsWith(gty))
        tokens.set(tokenName(record.clientId, String(record.scope).split(' ')), true)
      return record
    },
  }
}

/** Whether user data are given under a token that was noted. */
export function isNoted({ claims }: NestedJwt, { clientId }: NestedJwtFacts, tokens: Seen): boolean {
  const [, ...scopes] = String(claims.txn).split(':')
  return tokens.has(tokenName(clientId, scopes))
}
