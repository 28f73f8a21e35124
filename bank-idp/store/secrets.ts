import { randomBytes } from 'node:crypto'
import { type Database, writeAnew } from './database.js'
import { EncryptedValues } from './encrypted-values.js'

const names = ['cookies', 'pairwise', 'internal'] as const

/** The bank's own secrets, 256 bits each as base64url: made once, kept for the life of the store. */
export type Secrets = Record<(typeof names)[number], string> & {
  /** In the place of `pairwise` in a store that was made before subjects were UUIDs. */
  digests?: string
}

const ownerOf = (name: string) => `secret ${name}`

/**
 * Reads the secrets; makes those that are missing, and encrypts those that an earlier version kept as they are.
 *
 * @throws {UsageError} when they were encrypted under another key
 */
export async function loadSecrets(db: Database, encryptedValues: EncryptedValues): Promise<Secrets> {
  for (const name of names) {
    const value = encryptedValues.encrypt(randomBytes(32).toString('base64url'), ownerOf(name))
    await db
      .insertInto('secrets')
      .values({ name, value })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const rows = await db.selectFrom('secrets').selectAll().execute()
  const plain = rows.filter(({ value }) => !EncryptedValues.isEncrypted(value))
  for (const { name, value } of plain) {
    const encrypted = encryptedValues.encrypt(value, ownerOf(name))
    await db.updateTable('secrets').set({ value: encrypted }).where('name', '=', name).execute()
  }
  if (plain.length > 0) await writeAnew(db)
  const told = rows.map(({ name, value }): [string, string] => [
    name,
    EncryptedValues.isEncrypted(value) ? encryptedValues.open(value, ownerOf(name), `the secret for ${name}`) : value,
  ])
  return Object.fromEntries(told) as Secrets
}
