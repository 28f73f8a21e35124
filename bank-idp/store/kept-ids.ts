import { createHash, createHmac } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Tables } from './schema.js'

/** The models whose id is what its holder presents: a copy of the store is to let nobody in. */
const presented: readonly string[] = ['AccessToken', 'RefreshToken', 'AuthorizationCode', 'DeviceCode']

const hashMark = 'sha256:'
const keyedMark = 'hmac:'

/** Rows that are rewritten in one statement. */
const batchSize = 500

function hashOf(id: string): string {
  return hashMark + createHash('sha256').update(id).digest('base64url')
}

/** Whether a text is a name that the store gives a token or a code, which opens nothing. */
export function isKeptId(text: string): boolean {
  return text.startsWith(hashMark)
}

/**
 * How tokens and codes are named in the store. Their 128 bits or more are found again by their hash alone; the 34 bits of a user code could be
 * tried out, and are hashed under a key.
 */
export class KeptIds {
  readonly #key: string

  /** @param key a secret of the bank's own */
  constructor(key: string) {
    this.#key = key
  }

  /** The id under which what somebody presents would be kept: never what was copied out of the store. */
  ofPresented(model: string, id: string): string {
    return presented.includes(model) ? hashOf(id) : id
  }

  /** The id of a record that the store gave, by itself or by what was presented. */
  of(model: string, id: string): string {
    return isKeptId(id) ? id : this.ofPresented(model, id)
  }

  ofUserCode(code: string): string {
    return keyedMark + createHmac('sha256', this.#key).update(code).digest('base64url')
  }

  /** The same for a record that the store gave. */
  userCodeOf(code: string): string {
    return code.startsWith(keyedMark) ? code : this.ofUserCode(code)
  }
}

/** Puts hashes in the place of the tokens and codes of an earlier version; where it was ended half-way, in the place of the rest. */
export async function hashIds(db: Kysely<Tables>): Promise<void> {
  for (let after = 0; ; ) {
    const { rows } = await sql<{ rowid: number; id: string }>`
      select rowid, id from provider_records
      where rowid > ${after} and model in (${sql.join(presented)}) and substr(id, 1, ${hashMark.length}) <> ${hashMark} order by rowid limit ${batchSize}`.execute(
      db,
    )
    for (const { rowid, id } of rows) {
      const hash = hashOf(id)
      await sql`update provider_records
        set id = ${hash}, payload = json_set(payload, '$.jti', ${hash}) where rowid = ${rowid}`.execute(db)
      after = rowid
    }
    if (rows.length < batchSize) return
  }
}
