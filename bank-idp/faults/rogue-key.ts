import { generateKeyPairSync } from 'node:crypto'
import type { JWK } from 'jose'
import type { NestedJwt } from '../seams.js'

let rogue: JWK | undefined

/** A key that nobody published, made when it is first wanted. */
export function rogueKey(): JWK {
  rogue ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK
  return rogue
}

/** For `nestedJwt`: signs with a key that is not published, under the kid of one that is. */
export function signedByRogueKey({ signing, ...nestedJwt }: NestedJwt): NestedJwt {
  if (signing === 'none' || signing.alg !== 'PS512') return { signing, ...nestedJwt }
  return { ...nestedJwt, signing: { ...signing, key: { ...rogueKey(), kid: signing.key.kid } } }
}
