import { randomBytes } from 'node:crypto'
import type { Database } from './database.js'

const names = ['cookies', 'pairwise', 'internal'] as const

/** The bank's own secrets, 256 bits each as base64url: made once, kept for the life of the store. */
export type Secrets = Record<(typeof names)[number], string> & {
  /** In the place of `pairwise` in a store that was made before subjects were UUIDs. */
  digests?: string
}

/** Reads the secrets; makes those that are missing. */
export async function loadSecrets(db: Database): Promise<Secrets> {
  for (const name of names) {
    const value = randomBytes(32).toString('base64url')
    await db
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const rows = await db.selectFrom('secrets').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value])) as Secrets
}
