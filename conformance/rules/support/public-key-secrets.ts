import { createPublicKey, KeyObject } from 'node:crypto'
import type { Signer } from '../../service/assertions.js'

/**
 * Signers by an HMAC of which the public key of another signer is the secret, as a library that reads keys of files hands it to whatever
 * algorithm the header names (RFC 8725 section 2.1).
 * @param whose the public key is, in words
 */
export function publicKeySecrets(
  { kid, privateKey }: Pick<Signer, 'kid' | 'privateKey'>,
  whose: string,
): Record<string, Signer> {
  if (privateKey instanceof Uint8Array) throw new Error('a secret has no public key')
  const pem = createPublicKey(KeyObject.from(privateKey)).export({ format: 'pem', type: 'spki' })
  const secret = new TextEncoder().encode(String(pem))
  return Object.fromEntries(
    ['HS256', 'HS512'].map((alg) => [
      `with ${alg}, by the public key of ${whose}`,
      { alg, ...(kid && { kid }), privateKey: secret },
    ]),
  )
}
