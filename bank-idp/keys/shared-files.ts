import { type Database, inTransaction } from '../store/database.js'
import type { EncryptedValues } from '../store/encrypted-values.js'
import { type DataDirectory, files } from './data-directory.js'

/** Files of a data directory by which clients and the service know the bank, whichever replica they meet; whether for its owner alone. */
const alike = [
  [files.authority, false],
  [files.authorityKey, true],
  [files.serviceCertificate, false],
  [files.serviceCertificateKey, true],
  [files.otherCertificate, false],
  [files.otherCertificateKey, true],
  [files.serviceKeys, true],
] as const

const ownerOf = (name: string) => `file ${name}`

/**
 * The files that all replicas on one store have alike: the store has them, encrypted, and each data directory a copy. The first replica makes them,
 * or brings along those of a directory that there was before.
 */
export class SharedFiles {
  readonly #db: Database
  readonly #encryptedValues: EncryptedValues
  readonly #directory: DataDirectory
  readonly #files: readonly (readonly [name: string, secret: boolean])[]

  /** @param sharesToken whether the token of the control door is one of them */
  constructor(db: Database, encryptedValues: EncryptedValues, directory: DataDirectory, sharesToken: boolean) {
    this.#db = db
    this.#encryptedValues = encryptedValues
    this.#directory = directory
    this.#files = sharesToken ? [...alike, [files.controlToken, true]] : alike
  }

  /**
   * Puts what the store has into the directory, and keeps in the store what is there in addition after `make`, one replica after the other.
   *
   * @throws {UsageError} when it was encrypted under another key
   */
  with<Result>(make: () => Promise<Result>): Promise<Result> {
    const work = async (db: Database) => {
      const rows = await db.selectFrom('shared_files').selectAll().execute()
      const kept = new Map(
        rows.map(({ name, content }) => [
          name,
          this.#encryptedValues.open(content, ownerOf(name), `the file ${name} in the store`),
        ]),
      )
      for (const [name, secret] of this.#files) {
        const content = kept.get(name)
        if (content !== undefined && content !== this.#directory.read(name))
          this.#directory.write(name, content, { secret })
      }
      const made = await make()
      for (const [name] of this.#files) {
        const plain = this.#directory.read(name)
        if (plain === undefined || plain === kept.get(name)) continue
        const content = this.#encryptedValues.encrypt(plain, ownerOf(name))
        await db
          .insertInto('shared_files')
          .values({ name, content })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ content }))
          .execute()
      }
      return made
    }
    return inTransaction(this.#db, work, 'shared files')
  }
}
