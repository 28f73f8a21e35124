import type { Selectable } from 'kysely'
import type { Claims, Person, Verification } from '../../fixtures/people.js'
import { type Database, maxRowsPerStatement } from './database.js'
import type { PersonRow } from './schema.js'

/** Claims by name in place of those of the people's files; null takes a claim away. */
export type ClaimChanges = Record<string, unknown>

/** What the bank last knew of a person. */
export interface KnownPerson {
  personId: string
  claims: Claims
  /** How the claims were checked; undefined: not noted. */
  verification: Verification | undefined
  /** What was changed in this bank. */
  changes: ClaimChanges
  /** The age that the birthdate was reckoned from; null: from none; undefined: not noted. */
  reckonedFrom: Person['reckonedFrom'] | null
}

/** What the bank last knew of everyone, so that it notices what has changed since. */
export class KnownPeople {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async all(): Promise<Map<string, KnownPerson>> {
    const rows = await this.#db.selectFrom('people').selectAll().execute()
    return new Map(rows.map((row) => [row.person_id, fromRow(row)]))
  }

  async find(personId: string): Promise<KnownPerson | undefined> {
    const row = await this.#db.selectFrom('people').selectAll().where('person_id', '=', personId).executeTakeFirst()
    return row && fromRow(row)
  }
}

function fromRow({ person_id, claims, verification, changes, reckoned_from }: Selectable<PersonRow>): KnownPerson {
  return {
    personId: person_id,
    claims: JSON.parse(claims) as Claims,
    verification: verification === null ? undefined : (JSON.parse(verification) as Verification),
    changes: JSON.parse(changes) as ClaimChanges,
    reckonedFrom: reckoned_from === null ? undefined : (JSON.parse(reckoned_from) as KnownPerson['reckonedFrom']),
  }
}

/** Keeps what is known of people from now on. */
export async function savePeople(db: Database, people: readonly KnownPerson[]): Promise<void> {
  for (let begin = 0; begin < people.length; begin += maxRowsPerStatement) {
    const rows = people.slice(begin, begin + maxRowsPerStatement).map((known) => ({
      person_id: known.personId,
      claims: JSON.stringify(known.claims),
      verification: JSON.stringify(known.verification),
      changes: JSON.stringify(known.changes),
      reckoned_from: JSON.stringify(known.reckonedFrom ?? null),
    }))
    await db
      .insertInto('people')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('person_id').doUpdateSet(({ ref }) => ({
          claims: ref('excluded.claims'),
          verification: ref('excluded.verification'),
          changes: ref('excluded.changes'),
          reckoned_from: ref('excluded.reckoned_from'),
        })),
      )
      .execute()
  }
}
