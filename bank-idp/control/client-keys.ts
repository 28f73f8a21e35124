import type { JWK } from 'jose'
import { LRUCache } from 'lru-cache'
import { generateEcKey, generateRsaKey } from '../keys/certificates.js'
import { toJwk } from '../keys/jwk.js'

/** Private keys of a client. */
export interface PrivateKeys {
  keys: JWK[]
}

/** Makes what a client of this scheme needs: PS512 for assertions, RSA-OAEP-256 for what is encrypted to it, ES256 for the signing flow. */
export async function makeClientKeys(): Promise<PrivateKeys> {
  const keys = await Promise.all([
    generateRsaKey().then((key) => toJwk(key, 'PS512')),
    generateRsaKey().then((key) => toJwk(key, 'RSA-OAEP-256', 'enc')),
    generateEcKey('P-256').then((key) => toJwk(key, 'ES256')),
  ])
  return { keys }
}

/** The keys of clients that were made here since the start, so that nobody has to send them back: those of the last ones. */
export class MadeKeys {
  readonly #byClient = new LRUCache<string, PrivateKeys>({ max: 1_000 })

  keep(clientId: string, keys: PrivateKeys): void {
    this.#byClient.set(clientId, keys)
  }

  of(clientId: string): PrivateKeys | undefined {
    return this.#byClient.get(clientId)
  }
}
