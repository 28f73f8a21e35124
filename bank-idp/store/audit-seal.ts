import type { Transaction } from 'kysely'
import { type Database, toDisk } from './database.js'
import { engineOf } from './dialects/dialect.js'
import type { EncryptedValues } from './encrypted-values.js'
import type { Tables } from './schema.js'

/** A place in the chain: an entry's number and its hash. */
export interface Link {
  sequence: number
  hash: string
}

/** Where the log begins, after the entry that retention took away last, and where it ends. */
export interface Ends {
  anchor: Link
  head: Link
}

/** What the first entry of all follows. */
export const genesis: Link = { sequence: 0, hash: ''.padEnd(64, '0') }

/** Where a copy of the seal is kept beside the store: an older store that is put in its place does not take that along. */
export interface SealCopy {
  /** Its name, for messages. */
  readonly name: string
  /** @returns undefined when there is none */
  read(): string | undefined
  write(seal: string): void
  /**
   * Whether the log was ever sealed, as far as the place tells. That is kept with the key of the store: somebody who can write the store, and remove the copy, can make
   * it look like one of an earlier version, and cannot take that mark away. Undefined where the key is elsewhere: the place cannot tell.
   */
  isMarked(): boolean | undefined
  mark(): void
  /** Is told why it could not be read or written; the next one takes its place. */
  failed(error: Error): void
}

/**
 * What a seal is encrypted for: it decrypts as one alone. That of the store is no copy: an older store, which holds an older seal, gives nobody
 * the copy of that time.
 */
const owners = { store: 'audit seal', copy: 'audit seal, copied' }

export async function endsOf(db: Database): Promise<Ends> {
  const anchor = await db.selectFrom('audit_anchor').select(['sequence', 'hash']).executeTakeFirst()
  const last = await db.selectFrom('audit').select(['sequence', 'hash']).orderBy('sequence', 'desc').executeTakeFirst()
  return { anchor: anchor ?? genesis, head: last ?? anchor ?? genesis }
}

const isSame = (a: Link, b: Link) => a.sequence === b.sequence && a.hash === b.hash
const areSame = (a: Ends, b: Ends) => isSame(a.anchor, b.anchor) && isSame(a.head, b.head)
const isBefore = (a: Ends, b: Ends) => a.head.sequence < b.head.sequence || a.anchor.sequence < b.anchor.sequence

/**
 * The ends of the audit log under a key that is kept elsewhere than the store. Between them each entry holds the hash of the one before, so
 * that whoever can write the store alone can neither remove entries at an end nor write the chain anew.
 */
export class AuditSeal {
  readonly #encryptedValues: EncryptedValues
  readonly #copy: SealCopy | undefined

  /** @param copy undefined for a store that dies with the process */
  constructor(encryptedValues: EncryptedValues, copy?: SealCopy) {
    this.#encryptedValues = encryptedValues
    this.#copy = copy
  }

  /**
   * Seals the log of a new store, or of one that an earlier version made, as it is; a copy that fell behind is brought up to date. What was
   * sealed before is not sealed again: that would hide what happened to it.
   */
  async begin(db: Database): Promise<void> {
    const seal = await kept(db)
    if (seal === undefined) await this.#first(db)
    else {
      this.#firstCopy(seal)
      await this.#bringUpToDate(db)
    }
    if (!this.#copy?.isMarked()) this.#copy?.mark()
  }

  /** A data directory that never had a copy is that of another replica on the store. */
  #firstCopy(seal: string): void {
    const sealed = this.#open(seal, owners.store)
    if (!sealed || !this.#copy || this.#copy.isMarked() || this.copied() !== undefined) return
    this.#copy.write(this.#seal(sealed, owners.copy))
  }

  /** Whether a log without a seal had one before. Where nothing tells, it is that of a new store alone that had none. */
  async #wasSealed(db: Database): Promise<boolean> {
    return this.#copy !== undefined && (this.#copy.isMarked() ?? !(await isUnused(db)))
  }

  async #first(db: Database): Promise<void> {
    const ends = await endsOf(db)
    const copied = this.copied()
    if (copied === undefined && (await this.#wasSealed(db))) return
    // The copy comes first: a bank that ends in between finds it, and goes by it, where it is one of this very log.
    if (copied === undefined) this.#copy?.write(this.#seal(ends, owners.copy))
    const sealed = copied === undefined ? ends : this.#open(copied, owners.copy)
    if (!sealed || !areSame(sealed, ends)) return
    await db
      .insertInto('audit_seal')
      .values({ only: 1, seal: this.#seal(ends, owners.store) })
      .execute()
  }

  /**
   * Seals the log anew after a change of it, in the change's own transaction. A log that was not what its seal says stays as it was found.
   *
   * @param change gives the ends that it made. They are not read from the store, in which a trigger of somebody else may undo the change
   * @returns what was sealed, to be copied once the transaction is through
   * @throws {Error} where the store did not keep what was written
   */
  async renew(db: Transaction<Tables>, change: () => Promise<Partial<Ends>>): Promise<Ends | undefined> {
    const [before, sealed] = [await endsOf(db), this.#open(await sealIn(db), owners.store)]
    const after = { ...before, ...(await change()) }
    const seal = sealed && areSame(sealed, before) ? this.#seal(after, owners.store) : undefined
    if (seal !== undefined) await db.updateTable('audit_seal').set({ seal }).execute()
    if (!areSame(await endsOf(db), after) || (seal !== undefined && (await sealIn(db)) !== seal))
      throw new Error('the store did not keep what was written to the audit log: somebody else changed it')
    return seal === undefined ? undefined : after
  }

  /**
   * Copies the seal, once what it seals is kept: that stays so where the copy fails.
   *
   * @param made what a change sealed, which the store might have been made to forget since
   */
  async copy(db: Database, made?: Ends): Promise<void> {
    await this.#bringUpToDate(db, made).catch((error: Error) => this.#copy?.failed(error))
  }

  /** What a copy says that the log does not continue stays, and one that is gone is not made again: that would hide what happened to it. */
  async #bringUpToDate(db: Database, made?: Ends): Promise<void> {
    const copied = this.#open(this.copied(), owners.copy)
    if (!copied || !(await isInLog(db, copied.head))) return
    const stored = this.#open(await kept(db), owners.store)
    const isOvertaken = stored && (!made || (isBefore(made, stored) && (await isInLog(db, made.head))))
    const newest = isOvertaken ? stored : made
    if (!newest || areSame(newest, copied) || isBefore(newest, copied)) return
    // Else the copy alone might outlive a failure of the power.
    await toDisk(db)
    this.#copy?.write(this.#seal(newest, owners.copy))
  }

  /** The copy as it is now. */
  copied(): string | undefined {
    return this.#copy?.read()
  }

  /**
   * What is wrong at the ends of the log.
   *
   * @param copied the copy, as it was before the log was read
   * @returns sentences, and the highest number that was sealed
   */
  async problems(db: Database, copied: string | undefined): Promise<{ problems: string[]; highest: number }> {
    const seal = await kept(db)
    if (seal === undefined && copied === undefined && !(await this.#wasSealed(db))) {
      const never =
        'the log was never sealed: an earlier version of the bank kept it, and this one seals it at its start'
      return { problems: [never], highest: 0 }
    }
    const ends = await endsOf(db)
    const [sealed, last] = [this.#open(seal, owners.store), this.#open(copied, owners.copy)]
    const problems = [
      seal === undefined
        ? 'the seal of the log was removed'
        : sealed
          ? this.#mismatch(sealed, ends)
          : 'the bank did not write the seal of the log: it does not open with store.key',
      sealed && (await this.#rewritten(db, sealed.head)),
    ]
    if (this.#copy) {
      const { name } = this.#copy
      problems.push(copied === undefined ? `${name} is missing, which holds a copy of the log's seal` : undefined)
      problems.push(
        copied !== undefined && !last ? `the bank did not write ${name}: it does not open with store.key` : undefined,
      )
      problems.push(last && (await this.#rewritten(db, last.head)))
    }
    return {
      problems: [...new Set(problems.filter((problem) => problem !== undefined))],
      highest: Math.max(sealed?.head.sequence ?? 0, last?.head.sequence ?? 0),
    }
  }

  #mismatch(sealed: Ends, { anchor, head }: Ends): string | undefined {
    if (!isSame(sealed.anchor, anchor)) {
      const says = sealed.anchor.sequence === 0 ? 'removed none' : `removed those up to ${sealed.anchor.sequence}`
      return anchor.sequence === 0
        ? `the record of retention was removed: the bank ${says}`
        : `entries up to ${anchor.sequence} were removed, and not by the bank: its retention ${says}`
    }
    const first = sealed.head.sequence + 1
    if (head.sequence < first) return undefined
    return head.sequence === first
      ? `entry ${first} is not sealed: somebody else added it, or the log was changed before`
      : `entries ${first} to ${head.sequence} are not sealed: somebody else added them, or the log was changed before`
  }

  async #rewritten(db: Database, link: Link): Promise<string | undefined> {
    const { head } = await endsOf(db)
    // That it is gone is told with the other entries that are.
    if (head.sequence < link.sequence || (await isInLog(db, link))) return undefined
    return `entry ${link.sequence} is not the one that the bank sealed: the log was written anew`
  }

  #seal({ anchor, head }: Ends, owner: string): string {
    return this.#encryptedValues.encrypt(JSON.stringify({ anchor, head }), owner)
  }

  /** @returns undefined for what the bank did not seal */
  #open(seal: string | undefined, owner: string): Ends | undefined {
    try {
      return seal === undefined ? undefined : (JSON.parse(this.#encryptedValues.decrypt(seal, owner)) as Ends)
    } catch {
      return undefined
    }
  }
}

/** The seal in the store; undefined where there is none, or no room for one since an earlier version made the store. */
async function kept(db: Database): Promise<string | undefined> {
  const tables = await db.introspection.getTables()
  return tables.some(({ name }) => name === 'audit_seal') ? sealIn(db) : undefined
}

async function sealIn(db: Database): Promise<string | undefined> {
  return (await db.selectFrom('audit_seal').select('seal').executeTakeFirst())?.seal
}

/** Whether nothing was written to the store yet that a bank in use writes. */
async function isUnused(db: Database): Promise<boolean> {
  const client = await db.selectFrom('clients').select('client_id').limit(1).executeTakeFirst()
  const { head } = await endsOf(db)
  return client === undefined && head.sequence === 0 && (await engineOf(db).highestEntry(db)) === 0
}

/** Whether the log goes through a link, or retention took away what came up to it. */
async function isInLog(db: Database, link: Link): Promise<boolean> {
  const { anchor } = await endsOf(db)
  if (link.sequence < anchor.sequence) return true
  if (link.sequence === anchor.sequence) return link.hash === anchor.hash
  const entry = await db.selectFrom('audit').select('hash').where('sequence', '=', link.sequence).executeTakeFirst()
  return entry?.hash === link.hash
}
