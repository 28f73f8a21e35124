import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'

/**
 * Encrypts what the store has to be able to tell again, so that a copy of the store alone gives it away to nobody: AES-256-GCM (NIST SP
 * 800-38D) with a fresh nonce of 96 bits for each value.
 */
export class SealedValues {
  readonly #key: Buffer

  /** @param key 256 bits, kept elsewhere than the store */
  constructor(key: Buffer) {
    this.#key = key
  }

  /** A new key. */
  static makeKey(): Buffer {
    return randomBytes(32)
  }

  /** Whether a kept value was sealed: the parts of a sealed one are joined by dots, which no secret of ours holds. */
  static isSealed(kept: string): boolean {
    return kept.includes('.')
  }

  /** @param owner what the value belongs to: it opens for the same owner alone */
  seal(value: string, owner: string): string {
    const nonce = randomBytes(12)
    const sealing = createCipheriv(cipher, this.#key, nonce).setAAD(Buffer.from(owner))
    const sealed = Buffer.concat([sealing.update(value, 'utf8'), sealing.final()])
    return [nonce, sealed, sealing.getAuthTag()].map((part) => part.toString('base64url')).join('.')
  }

  /** @throws {Error} when it was sealed under another key or for another owner, or was changed */
  open(kept: string, owner: string): string {
    const [nonce = '', sealed = '', tag = ''] = kept.split('.')
    const bytes = (part: string) => Buffer.from(part, 'base64url')
    const opening = createDecipheriv(cipher, this.#key, bytes(nonce), { authTagLength: 16 })
    opening.setAAD(Buffer.from(owner)).setAuthTag(bytes(tag))
    return Buffer.concat([opening.update(bytes(sealed)), opening.final()]).toString('utf8')
  }
}
