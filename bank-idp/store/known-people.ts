import type { CompiledQuery, Selectable } from 'kysely'
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

/** A person as the store keeps them. */
interface KeptPerson {
  read(): KnownPerson
  /** Whether nothing was changed in this bank, and the rest is letter for letter as a file has it now. */
  isAs(claims: Claims, verification: Verification): boolean
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

  /** The same, each read from its row when it is asked for: most are as they were. */
  async kept(): Promise<Map<string, KeptPerson>> {
    const rows = await this.#db.selectFrom('people').selectAll().execute()
    return new Map(
      rows.map((row) => [
        row.person_id,
        {
          read: () => fromRow(row),
          isAs: (claims, verification) =>
            row.changes === '{}' &&
            row.claims === JSON.stringify(claims) &&
            row.verification === JSON.stringify(verification),
        },
      ]),
    )
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

const columns = ['person_id', 'claims', 'verification', 'changes', 'reckoned_from'] as const

/** Values of a row, in the order of the columns. */
function rowOf(known: KnownPerson): unknown[] {
  return [
    known.personId,
    JSON.stringify(known.claims),
    known.verification === undefined ? null : JSON.stringify(known.verification),
    JSON.stringify(known.changes),
    JSON.stringify(known.reckonedFrom ?? null),
  ]
}

/** A statement for so many rows: what stands for a value is its place among those of all rows. */
function saving(db: Database, number: number): CompiledQuery {
  const rows = Array.from({ length: number }, (_, i) =>
    Object.fromEntries(columns.map((column, j) => [column, i * columns.length + j])),
  ) as never
  return db
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
    .compile()
}

/** Keeps what is known of people from now on. */
export async function savePeople(db: Database, people: readonly KnownPerson[]): Promise<void> {
  let query: CompiledQuery | undefined
  for (let begin = 0; begin < people.length; begin += maxRowsPerStatement) {
    const some = people.slice(begin, begin + maxRowsPerStatement)
    const values = some.flatMap(rowOf)
    // To put a statement of so many rows together takes longer than to run it.
    if (query?.parameters.length !== values.length) query = saving(db, some.length)
    await db.executeQuery({ ...query, parameters: query.parameters.map((place) => values[place as number]) })
  }
}
