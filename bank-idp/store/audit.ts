import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { nowSeconds } from '../clock.js'
import type { SigningRequest } from '../signing-request.js'
import { type Anchor, anchorProblem, authenticateAnchor } from './audit-anchor.js'
import { type AuditEntry, saysWhatWasSigned } from './audit-entry.js'
import { type AuditSeal, type Ends, endsOf, genesis } from './audit-seal.js'
import { atOneMoment, type Database, inTransaction } from './database.js'
import { engineOf } from './dialects/dialect.js'
import type { EncryptedValues } from './encrypted-values.js'
import type { Tables } from './schema.js'

/** What transactions that change the log name, so that one follows the other. */
export const auditLog = 'audit log'

/** How a request object was decided, and by whom. */
export interface Decision {
  result: 'authorized' | 'refused' | 'not eligible'
  personId: string
  /** The person's sub at the client. */
  subject: string
  /** Level of assurance and methods of the authentication (OpenID Connect Core section 2). */
  acr: string
  amr: readonly string[]
  /** Scopes granted, separated by spaces. */
  scope: string
}

/** SHA-256 in hexadecimal of everything the entry says, the hash of the entry before it included. */
export function hashOf({ hash: _, ...entry }: AuditEntry): string {
  const members = Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(members)).digest('hex')
}

/** Adds an entry to the chain, in the transaction of what it tells of. @returns where the log ends with it */
export async function appendEntry(
  db: Transaction<Tables>,
  request: SigningRequest,
  decision: Decision,
): Promise<Pick<Ends, 'head'>> {
  const { head: before } = await endsOf(db)
  const entry: AuditEntry = {
    sequence: before.sequence + 1,
    at: nowSeconds(),
    txn: request.claims.txn,
    request_id: request.id,
    client_id: request.clientId,
    person_id: decision.personId,
    subject: decision.subject,
    result: decision.result,
    acr: decision.acr,
    amr: decision.amr.join(' '),
    scope: decision.scope,
    structured_scope: JSON.stringify(request.claims.structured_scope),
    request_object: request.jws,
    previous_hash: before.hash,
    hash: '',
  }
  const hash = hashOf(entry)
  await db
    .insertInto('audit')
    .values({ ...entry, hash })
    .execute()
  return { head: { sequence: entry.sequence, hash } }
}

/** What verification found: each a sentence that names the entry. */
export interface Verdict {
  problems: string[]
  entries: number
  /** The hash of the last entry: whoever keeps it can tell later whether the log was written anew. */
  head: string
  /** Where retention cut the log, if it did. */
  anchor?: Anchor
}

/** The log as it was at one moment. */
export interface Examined {
  /** Oldest first. */
  entries: AuditEntry[]
  verdict: Verdict
}

/** What only the key of the store can tell of the log. */
interface Keyed {
  encryptedValues: EncryptedValues
  seal: AuditSeal
}

const keyMissing =
  'store.key is missing: without it nobody can tell whether entries at the ends of the log were removed'

/** The append-only log of processed authorizations. Specification: "Authentication" 11. */
export class Audit {
  readonly #db: Database
  readonly #keyed: Keyed | undefined

  /** @param keyed left out where the key is not at hand, to read alone */
  constructor(db: Database, keyed?: Keyed) {
    this.#db = db
    this.#keyed = keyed
  }

  /**
   * Reads the log, and follows the chain from its beginning, or from where retention cut it, to the end that was sealed: names each entry that
   * was changed or removed. What it holds and what is wrong with it are of one reading: a store that tells something else each time proves nothing.
   */
  examine(): Promise<Examined> {
    // The copy first: what a running bank adds meanwhile is in no older state of the log.
    const copied = this.#keyed?.seal.copied()
    return atOneMoment(this.#db, (db) => new Audit(db, this.#keyed).#judge(copied))
  }

  async #judge(copied: string | undefined): Promise<Examined> {
    const entries = await this.#db.selectFrom('audit').selectAll().orderBy('sequence').execute()
    const anchor = await this.#db.selectFrom('audit_anchor').selectAll().executeTakeFirst()
    const problem = anchor && (await anchorProblem(this.#db, anchor, this.#keyed?.encryptedValues))
    const problems = problem === undefined ? [] : [problem]
    let { sequence, hash } = anchor ?? genesis
    for (const entry of entries) {
      const missing = entry.sequence - sequence - 1
      if (missing > 0) problems.push(removed(sequence + 1, missing))
      const intact = hashOf(entry) === entry.hash
      if (!intact) problems.push(`entry ${entry.sequence} (txn ${entry.txn}) was changed: its hash does not match`)
      else if (missing === 0 && entry.previous_hash !== hash)
        problems.push(
          `entry ${entry.sequence} (txn ${entry.txn}) does not follow entry ${sequence}: one of the two was rewritten`,
        )
      if (intact && !saysWhatWasSigned(entry))
        problems.push(`entry ${entry.sequence} (txn ${entry.txn}) says something else than the request object in it`)
      sequence = entry.sequence
      hash = entry.hash
    }
    const sealed = (await this.#keyed?.seal.problems(this.#db, copied)) ?? { problems: [keyMissing], highest: 0 }
    const issued = Math.max(await engineOf(this.#db).highestEntry(this.#db), sealed.highest)
    if (issued > sequence) problems.push(removed(sequence + 1, issued - sequence))
    problems.push(...sealed.problems, ...(await this.#wrongTriggers()))
    return { entries, verdict: { problems, entries: entries.length, head: hash, ...(anchor && { anchor }) } }
  }

  /**
   * Takes entries away whose time of retention is over, oldest first; the chain then begins at an anchor.
   *
   * @param retention how long entries are kept, in seconds
   */
  async removeOlderThan(retention: number): Promise<void> {
    const keyed = this.#keyed
    if (!keyed) throw new Error('a log that is only read is not cut')
    const work = (db: Transaction<Tables>) => keyed.seal.renew(db, () => cut(db, retention, keyed.encryptedValues))
    await keyed.seal.copy(this.#db, await inTransaction(this.#db, work, auditLog))
  }

  async #wrongTriggers(): Promise<string[]> {
    const engine = engineOf(this.#db)
    const { audit, clients } = engine.ownTriggers
    const there = await engine.triggers(this.#db)
    const missing = audit.filter((trigger) => !there.includes(trigger))
    const foreign = there.filter((trigger) => ![...audit, ...clients].includes(trigger))
    return [
      ...missing.map((trigger) => `trigger ${trigger}, which prevents changes and removals of entries, is missing`),
      ...foreign.map((trigger) => `trigger ${trigger} is not the bank's: it may change what is written`),
    ]
  }
}

function removed(first: number, count: number): string {
  return count === 1 ? `entry ${first} was removed` : `entries ${first} to ${first + count - 1} were removed`
}

/** @returns where the log begins, if that changed */
async function cut(
  db: Transaction<Tables>,
  retention: number,
  encryptedValues: EncryptedValues,
): Promise<Partial<Ends>> {
  const at = nowSeconds()
  const before = at - retention
  const kept = await db
    .selectFrom('audit')
    .select('sequence')
    .where('at', '>=', before)
    .orderBy('sequence')
    .executeTakeFirst()
  const over = db
    .selectFrom('audit')
    .where('at', '<', before)
    .where('sequence', '<', kept?.sequence ?? Number.MAX_SAFE_INTEGER)
  const last = await over.select(['sequence', 'hash']).orderBy('sequence', 'desc').executeTakeFirst()
  if (!last) return {}
  const { newest } = await over.select(({ fn }) => fn.max('at').as('newest')).executeTakeFirstOrThrow()
  await db.deleteFrom('audit_anchor').execute()
  await db
    .insertInto('audit_anchor')
    .values(authenticateAnchor({ ...last, at, newest, retention }, encryptedValues))
    .execute()
  await db.deleteFrom('audit').where('sequence', '<=', last.sequence).execute()
  return { anchor: last }
}
