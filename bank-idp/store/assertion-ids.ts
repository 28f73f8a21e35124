import type { Database } from './database.js'
import { prepared } from './prepared.js'

const note = prepared(['issuer', 'jti', 'expires_at'], (db, row) =>
  db
    .insertInto('assertion_ids')
    .values(row)
    .onConflict((conflict) => conflict.doNothing()),
)

/** Remembers the jti of assertions until they expire, so that each is taken once. */
export class AssertionIds {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  /**
   * Takes note of an assertion. Of several that race with one jti exactly one gets true.
   *
   * @param expiresAt seconds since the epoch
   * @returns false when the issuer used the jti before
   */
  async firstUse(issuer: string, jti: string, expiresAt: number): Promise<boolean> {
    const { numAffectedRows } = await note(this.#db, { issuer, jti, expires_at: expiresAt })
    return numAffectedRows === 1n
  }
}
