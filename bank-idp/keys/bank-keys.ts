import type { JWK } from 'jose'
import { nowSeconds } from '../clock.js'
import type { Database } from '../store/database.js'
import { type BankAlgorithm, type BankJwk, bankAlgorithms, publicJwk } from './jwk.js'

/** A signing key stays published this long after it stopped signing, in seconds. Specification: "Key set", "Limits". */
export const retentionSeconds = 31_536_000

interface KeptKey {
  jwk: BankJwk
  /** Seconds since the epoch; null while the key is in use. */
  retiredAt: number | null
}

/** The bank's keys, newest first. */
export class BankKeys {
  readonly #db: Database
  #keys: KeptKey[] = []

  private constructor(db: Database) {
    this.#db = db
  }

  /** Reads the keys of the store; an algorithm without a key gets the one `make` makes. */
  static async load(db: Database, make: (alg: BankAlgorithm) => Promise<BankJwk>): Promise<BankKeys> {
    const keys = new BankKeys(db)
    await keys.#read()
    const missing = (Object.keys(bankAlgorithms) as BankAlgorithm[]).filter((alg) => !keys.#current(alg))
    for (const jwk of await Promise.all(missing.map(make))) await keys.#add(jwk)
    await keys.#read()
    return keys
  }

  /** What GET /.well-known/jwks.json shows: keys in use, and those retired less than a year ago. */
  published(): JWK[] {
    return this.#alive().map(({ jwk }) => publicJwk(jwk))
  }

  /** The private keys as oidc-provider takes them: it signs with the first that fits. */
  forProvider(): JWK[] {
    return this.#alive().map(({ jwk }) => jwk)
  }

  /** The key that signs, or to which requests are encrypted, now. */
  current(alg: BankAlgorithm): BankJwk {
    const key = this.#current(alg)
    if (!key) throw new Error(`no ${alg} key in the store`)
    return key
  }

  #alive(): KeptKey[] {
    return this.#keys.filter(({ retiredAt }) => retiredAt === null || retiredAt + retentionSeconds > nowSeconds())
  }

  #current(alg: string): BankJwk | undefined {
    return this.#keys.find(({ jwk, retiredAt }) => jwk.alg === alg && retiredAt === null)?.jwk
  }

  async #add(jwk: BankJwk): Promise<void> {
    await this.#db
      .insertInto('keys')
      .values({ kid: jwk.kid, jwk: JSON.stringify(jwk), created_at: nowSeconds(), retired_at: null })
      .execute()
  }

  async #read(): Promise<void> {
    const rows = await this.#db.selectFrom('keys').selectAll().orderBy('sequence', 'desc').execute()
    this.#keys = rows.map((row) => ({ jwk: JSON.parse(row.jwk) as BankJwk, retiredAt: row.retired_at }))
  }
}
