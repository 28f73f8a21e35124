import { type Selectable, sql } from 'kysely'
import type { Database } from './database.js'
import type { EncryptedValues } from './encrypted-values.js'
import type { AnchorRow } from './schema.js'

/** Where retention cut the audit log: the last entry that it took away, and what shows that its time was over. */
export type Anchor = Selectable<AnchorRow>

/** What is authenticated belongs to an anchor alone. */
const owner = 'audit anchor'

/** What is authenticated: all members of the anchor but the authentication itself. */
function authenticatedText({ authentication: _, ...anchor }: Anchor): string {
  return JSON.stringify(Object.entries(anchor).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The anchor under a key that is kept elsewhere than the store: whoever can write to the store alone cannot make one. */
export function authenticateAnchor(anchor: Omit<Anchor, 'authentication'>, encryptedValues: EncryptedValues): Anchor {
  const text = authenticatedText({ ...anchor, authentication: null })
  return { ...anchor, authentication: encryptedValues.authenticate(text, owner) }
}

/** Whether the anchor is of a version that noted no more than where it cut: then it is older than the columns for the rest. */
async function isOfEarlierVersion(db: Database, { at }: Anchor): Promise<boolean> {
  const { rows } = await sql<{ timestamp: string }>`
    select timestamp from kysely_migration where name = '0018-audit-retention'`.execute(db)
  return rows[0] === undefined || at < Math.floor(Date.parse(rows[0].timestamp) / 1000)
}

/**
 * What is wrong with an anchor: that it does not show that retention took entries away, and not somebody else.
 *
 * @param encryptedValues undefined where the key is not at hand: then the authentication is not looked at
 * @returns undefined when nothing is
 */
export async function anchorProblem(
  db: Database,
  anchor: Anchor,
  encryptedValues?: EncryptedValues,
): Promise<string | undefined> {
  const { sequence, at, newest, retention } = anchor
  const entries = `entries up to ${sequence}`
  if (newest == null || retention == null) {
    return (await isOfEarlierVersion(db, anchor))
      ? undefined
      : `${entries} were removed, and nothing shows that their retention period had ended`
  }
  if (encryptedValues && !encryptedValues.isAuthentic(authenticatedText(anchor), owner, anchor.authentication)) {
    return `${entries} were removed, and the bank did not write the record of that retention: its authentication does not match`
  }
  return newest + retention > at ? `${entries} were removed before their retention period ended` : undefined
}
