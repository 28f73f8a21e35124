import { generateKeyPairSync } from 'node:crypto'
import type { JWK } from 'jose'
import type { Sealing } from './fault.js'

let strange: JWK | undefined

/** A key that nobody published, made when it is first wanted. */
export function strangeKey(): JWK {
  strange ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }) as JWK
  return strange
}

/** For `sealing`: signs with a key that is not published, under the kid of one that is. */
export function signedByStranger({ signing, ...sealing }: Sealing): Sealing {
  if (signing === 'none' || signing.alg !== 'PS512') return { signing, ...sealing }
  return { ...sealing, signing: { ...signing, key: { ...strangeKey(), kid: signing.key.kid } } }
}
