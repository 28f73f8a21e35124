import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { JWK } from 'jose'
import { nowSeconds } from '../clock.js'
import { noteChange } from '../store/changes.js'
import { type Database, forgetOverwritten, inTransaction, writeAnew } from '../store/database.js'
import { EncryptedValues } from '../store/encrypted-values.js'
import type { KeyRow } from '../store/schema.js'
import { type BankAlgorithm, type BankJwk, bankAlgorithms, publicHalf, publicJwk } from './jwk.js'

/** A key stays published this long after it stopped signing, in seconds. Specification: "Key set", "Limits". */
export const retentionSeconds = 31_536_000

/** Whom the encrypted half of a key is for, as EncryptedValues has it. */
const ownerOf = (kid: string) => `key ${kid}`

const algorithms = Object.keys(bankAlgorithms) as BankAlgorithm[]

/** What transactions name that change keys. */
const keysChange = 'keys'

/** A key as the store keeps it; times are seconds since the epoch. */
export interface StoredKey {
  /** Frozen: what it is imported as is kept (imported-key.ts). */
  jwk: Readonly<BankJwk>
  createdAt: number
  /** null while the key is in use. */
  retiredAt: number | null
}

/** The bank's keys, newest first. */
export class BankKeys {
  readonly #db: Database
  readonly #make: (alg: BankAlgorithm) => Promise<BankJwk>
  readonly #encryptedValues: EncryptedValues
  #keys: StoredKey[] = []
  #rotation: Promise<unknown> = Promise.resolve()

  private constructor(db: Database, encryptedValues: EncryptedValues, make: (alg: BankAlgorithm) => Promise<BankJwk>) {
    this.#db = db
    this.#encryptedValues = encryptedValues
    this.#make = make
  }

  /**
   * Reads the keys of the store; an algorithm without a key gets one. Private halves that an earlier version kept as they are are encrypted.
   *
   * @param make makes a key, never the same twice
   * @param first keys to begin with where the store has none
   * @throws {UsageError} when they were encrypted under another key
   */
  static async load(
    db: Database,
    encryptedValues: EncryptedValues,
    make: (alg: BankAlgorithm) => Promise<BankJwk>,
    first: readonly BankJwk[] = [],
  ): Promise<BankKeys> {
    const keys = new BankKeys(db, encryptedValues, make)
    await keys.#encryptPlain()
    await keys.reload()
    const missing = algorithms.filter((alg) => !keys.#current(alg))
    const made = await Promise.all(missing.map((alg) => first.find((key) => key.alg === alg) ?? make(alg)))
    if (made.length > 0) await keys.#add(made, () => false)
    return keys
  }

  /** What GET /.well-known/jwks.json shows: keys in use, and those retired less than a year ago. */
  published(): JWK[] {
    return this.kept().map(({ jwk }) => publicJwk(jwk))
  }

  /** The keys that are published, as they are kept. */
  kept(): readonly StoredKey[] {
    const now = nowSeconds()
    return this.#keys.filter(({ retiredAt }) => retiredAt === null || retiredAt + retentionSeconds > now)
  }

  /** The private keys that sign now. */
  signing(): BankJwk[] {
    return algorithms.filter((alg) => bankAlgorithms[alg] === 'sig').map((alg) => this.current(alg))
  }

  /** The key that signs, or to which requests are encrypted, now. */
  current(alg: BankAlgorithm): BankJwk {
    const key = this.#current(alg)
    if (!key) throw new Error(`no ${alg} key in the store`)
    return key.jwk
  }

  /** Makes a new key for each algorithm; what is signed from now on takes the new one, the old one stays published for a year. */
  rotate(chosen: readonly BankAlgorithm[] = algorithms): Promise<void> {
    return this.#rotate(chosen, () => true)
  }

  /** Rotates the keys that are older than `lifetime` seconds, and forgets those that need not be published any more. */
  async rotateIfDue(lifetime: number): Promise<void> {
    const now = nowSeconds()
    const isOld = ({ createdAt }: StoredKey) => createdAt + lifetime <= now
    const old = algorithms.filter((alg) => {
      const current = this.#current(alg)
      return current !== undefined && isOld(current)
    })
    if (old.length > 0) await this.#rotate(old, isOld)
    if (this.kept().length === this.#keys.length) return
    await inTransaction(
      this.#db,
      async (db) => {
        await db
          .deleteFrom('keys')
          .where('retired_at', '<=', now - retentionSeconds)
          .execute()
        await noteChange(db, 'keys', 'forgotten')
      },
      keysChange,
    )
    await this.reload()
  }

  /** @param isDue which keys are to go, as they are when the new ones are there: another replica may have put new ones in their place meanwhile */
  #rotate(chosen: readonly BankAlgorithm[], isDue: (key: StoredKey) => boolean): Promise<void> {
    const rotation = this.#rotation.then(async () => {
      const made = await Promise.all(chosen.map(this.#make))
      await this.#add(made, isDue)
    })
    this.#rotation = rotation.catch(() => {})
    return rotation
  }

  /** Signs something with each signing key. @throws Error when a key does not verify what it signed */
  prove(): void {
    for (const jwk of this.signing()) {
      const data = Buffer.from(jwk.kid)
      const key = createPrivateKey({ key: jwk, format: 'jwk' })
      const proof = sign('sha512', data, key)
      if (!verify('sha512', data, createPublicKey(key), proof)) throw new Error(`the ${jwk.alg} key does not sign`)
    }
  }

  #current(alg: string): StoredKey | undefined {
    return this.#keys.find(({ jwk, retiredAt }) => jwk.alg === alg && retiredAt === null)
  }

  /**
   * Keeps new keys in place of those of their algorithms in one step: what signs is never missing, and never two. A key that signs no more needs its
   * private half no more; one that was encrypted to does, for what was encrypted while it was published may still come.
   *
   * @param isDue whether a key is to go; one that stays has no new one beside it
   */
  async #add(added: readonly BankJwk[], isDue: (key: StoredKey) => boolean): Promise<void> {
    const now = nowSeconds()
    const work = async (db: Database) => {
      const inUse = (await this.#stored(db)).filter(({ retiredAt }) => retiredAt === null)
      const staying = inUse.filter((key) => !isDue(key)).map(({ jwk }) => jwk.alg)
      const fresh = added.filter(({ alg }) => !staying.includes(alg))
      const retiring = inUse.filter(({ jwk }) => fresh.some(({ alg }) => alg === jwk.alg))
      for (const { jwk } of retiring) {
        const kept = jwk.use === 'sig' ? publicHalf(jwk) : jwk
        await db
          .updateTable('keys')
          .set({ retired_at: now, jwk: this.#kept(kept) })
          .where('kid', '=', jwk.kid)
          .execute()
      }
      for (const jwk of fresh) {
        await db
          .insertInto('keys')
          .values({ kid: jwk.kid, jwk: this.#kept(jwk), created_at: now, retired_at: null })
          .execute()
      }
      if (fresh.length > 0) await noteChange(db, 'keys', 'added')
      return retiring.length > 0
    }
    if (await inTransaction(this.#db, work, keysChange)) await forgetOverwritten(this.#db)
    await this.reload()
  }

  /** As the store has it: a key with a private half is encrypted. */
  #kept(jwk: BankJwk): string {
    const text = JSON.stringify(jwk)
    return jwk.d === undefined ? text : this.#encryptedValues.encrypt(text, ownerOf(jwk.kid))
  }

  #told({ kid, jwk }: Pick<KeyRow, 'kid' | 'jwk'>): string {
    return EncryptedValues.isEncrypted(jwk)
      ? this.#encryptedValues.open(jwk, ownerOf(kid), `the private key ${kid}`)
      : jwk
  }

  async #encryptPlain(): Promise<void> {
    const rows = await this.#db.selectFrom('keys').select(['kid', 'jwk']).execute()
    const plain = rows.filter(({ jwk }) => !EncryptedValues.isEncrypted(jwk) && 'd' in (JSON.parse(jwk) as BankJwk))
    for (const { kid, jwk } of plain) {
      const encrypted = this.#encryptedValues.encrypt(jwk, ownerOf(kid))
      await this.#db.updateTable('keys').set({ jwk: encrypted }).where('kid', '=', kid).execute()
    }
    if (plain.length > 0) await writeAnew(this.#db)
  }

  /** Reads the keys that another replica changed. */
  async changed(): Promise<void> {
    await this.reload()
  }

  async reload(): Promise<void> {
    this.#keys = await this.#stored(this.#db)
  }

  async #stored(db: Database): Promise<StoredKey[]> {
    const rows = await db.selectFrom('keys').selectAll().orderBy('sequence', 'desc').execute()
    return rows.map((row) => ({
      jwk: Object.freeze(JSON.parse(this.#told(row)) as BankJwk),
      createdAt: row.created_at,
      retiredAt: row.retired_at,
    }))
  }
}
