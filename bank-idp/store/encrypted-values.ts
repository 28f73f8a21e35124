import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { UsageError } from '../errors.js'

const cipher = 'aes-256-gcm'

/**
 * Encrypts what the store has to be able to tell again, so that a copy of the store alone gives it away to nobody: AES-256-GCM (NIST SP
 * 800-38D) with a fresh nonce of 96 bits for each value.
 */
export class EncryptedValues {
  readonly #key: Buffer

  /** @param key 256 bits, kept elsewhere than the store */
  constructor(key: Buffer) {
    this.#key = key
  }

  /** A new key. */
  static makeKey(): Buffer {
    return randomBytes(32)
  }

  /** Whether a kept value was encrypted: the parts of an encrypted one are joined by dots, which no secret of ours holds, and no JSON object alone. */
  static isEncrypted(kept: string): boolean {
    return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(kept)
  }

  /**
   * What was encrypted for an owner, at the start of a bank.
   *
   * @param what it is, in words, for whoever has to find the key
   * @throws {UsageError} when it was encrypted under another key
   */
  open(kept: string, owner: string, what: string): string {
    try {
      return this.decrypt(kept, owner)
    } catch (cause) {
      throw new UsageError(`${what} cannot be decrypted: restore the store.key that belongs to this store`, { cause })
    }
  }

  /** @param owner what the value belongs to: it decrypts for the same owner alone */
  encrypt(value: string, owner: string): string {
    const nonce = randomBytes(12)
    const encryption = createCipheriv(cipher, this.#key, nonce).setAAD(Buffer.from(owner))
    const ciphertext = Buffer.concat([encryption.update(value, 'utf8'), encryption.final()])
    return [nonce, ciphertext, encryption.getAuthTag()].map((part) => part.toString('base64url')).join('.')
  }

  /** @throws {Error} when it was encrypted under another key or for another owner, or was changed */
  decrypt(kept: string, owner: string): string {
    const [nonce = '', ciphertext = '', tag = ''] = kept.split('.')
    const bytes = (part: string) => Buffer.from(part, 'base64url')
    const decryption = createDecipheriv(cipher, this.#key, bytes(nonce), { authTagLength: 16 })
    decryption.setAAD(Buffer.from(owner)).setAuthTag(bytes(tag))
    return Buffer.concat([decryption.update(bytes(ciphertext)), decryption.final()]).toString('utf8')
  }

  /** What shows that a text is the bank's own: whoever can write the store alone cannot make it. @param owner what the text belongs to */
  authenticate(text: string, owner: string): string {
    return this.encrypt(text, owner)
  }

  isAuthentic(text: string, owner: string, authentication: string | null): boolean {
    try {
      return this.decrypt(authentication ?? '', owner) === text
    } catch {
      return false
    }
  }
}
