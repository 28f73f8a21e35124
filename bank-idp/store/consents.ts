import { isDeepStrictEqual } from 'node:util'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { type Database, inTransaction } from './database.js'
import { prepared } from './prepared.js'

const find = prepared(['person_id', 'client_id'], (db, { person_id, client_id }) =>
  db
    .selectFrom('consents')
    .select(['scope', 'openid_alone'])
    .where('person_id', '=', person_id)
    .where('client_id', '=', client_id),
)

const keep = prepared(['person_id', 'client_id', 'scope', 'openid_alone'], (db, row) =>
  db
    .insertInto('consents')
    .values(row)
    .onConflict((conflict) => conflict.columns(['person_id', 'client_id']).doUpdateSet(row)),
)

/** What a person approved for a client. */
export interface Consent {
  scopes: string[]
  /** Whether a request for openid alone was approved as such. */
  openidAlone: boolean
}

/**
 * What a person approved for a client. Kept apart from oidc-provider's grants, which are made anew for every authorization, so
 * that revoking one token never touches another login's.
 */
export class Consents {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async of(personId: string, clientId: string): Promise<Consent> {
    const { rows } = await find(this.#db, { person_id: personId, client_id: clientId })
    const [row] = rows
    return { scopes: parseSpaceDelimited(row?.scope), openidAlone: row?.openid_alone === 1 }
  }

  /** Everything that anybody approved. */
  async all(): Promise<{ personId: string; clientId: string; scopes: string[] }[]> {
    const rows = await this.#db.selectFrom('consents').selectAll().orderBy('person_id').execute()
    return rows.map((row) => ({
      personId: row.person_id,
      clientId: row.client_id,
      scopes: parseSpaceDelimited(row.scope),
    }))
  }

  /** Forgets what a person approved for a client. @returns whether there was anything */
  async withdraw(personId: string, clientId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('consents')
      .where('person_id', '=', personId)
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  /** What a person approved, by client. */
  async ofPerson(personId: string): Promise<{ clientId: string; scopes: string[] }[]> {
    const rows = await this.#db.selectFrom('consents').selectAll().where('person_id', '=', personId).execute()
    return rows.map(({ client_id, scope }) => ({ clientId: client_id, scopes: parseSpaceDelimited(scope) }))
  }

  /** Adds scopes to what was approved before, and takes away those that the person was asked for again and refused. */
  async decide(personId: string, clientId: string, decision: { approved: string[]; refused: string[] }): Promise<void> {
    const afterwards = (before: Consent) => {
      const scopes = new Set([...before.scopes, ...decision.approved])
      for (const refused of decision.refused) scopes.delete(refused)
      const asked = [...decision.approved, ...decision.refused]
      return { scopes: [...scopes], openidAlone: before.openidAlone || asked.join(' ') === 'openid' }
    }
    const before = await this.of(personId, clientId)
    // Who approves once more what was approved changes nothing.
    if (isDeepStrictEqual(before, afterwards(before))) return
    const work = async (db: Database) => {
      const { scopes, openidAlone } = afterwards(await new Consents(db).of(personId, clientId))
      const consent = { scope: scopes.join(' '), openid_alone: openidAlone ? 1 : 0 }
      await keep(db, { person_id: personId, client_id: clientId, ...consent })
    }
    await inTransaction(this.#db, work, `consents of ${personId} to ${clientId}`)
  }
}
