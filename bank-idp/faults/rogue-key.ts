import { generateKeyPairSync } from 'node:crypto'
import type { JWK } from 'jose'
import type { NestedJwt } from '../seams.js'

/** A key that nobody published, made when it is first wanted. */
export class RogueKey {
  #jwk: JWK | undefined

  get jwk(): JWK {
    this.#jwk ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK
    return this.#jwk
  }
}

/** For `memory`: a key of the fault's own. */
export const rogueKey = () => new RogueKey()

/** For `nestedJwt`: signs with a key that is not published, under the kid of one that is. */
export function signedByRogueKey({ signing, ...nestedJwt }: NestedJwt, _bank: unknown, { jwk }: RogueKey): NestedJwt {
  if (signing === 'none' || signing.alg !== 'PS512') return { signing, ...nestedJwt }
  return { ...nestedJwt, signing: { ...signing, key: { ...jwk, kid: signing.key.kid } } }
}

/** For `nestedJwt`: encrypts to a key that is not the client's, under the kid of one that is. */
export function encryptedToRogueKey(nestedJwt: NestedJwt, _bank: unknown, { jwk }: RogueKey): NestedJwt {
  const { kty, n, e } = jwk
  const { encryption } = nestedJwt
  return encryption
    ? { ...nestedJwt, encryption: { ...encryption, key: { kty, n, e, kid: encryption.key.kid } } }
    : nestedJwt
}
