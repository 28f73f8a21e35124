import { CompactEncrypt, type JWK } from 'jose'
import { keyToEncrypt } from './request-objects.js'

/** Algorithms that sign with a secret, and those that sign with a key that can be made here (RFC 7518 section 3.1, RFC 8037). */
export const bySecret: readonly string[] = ['HS256', 'HS384', 'HS512']
export const byKey: readonly string[] = [
  ...['PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'],
  ...['RS256', 'RS384', 'RS512', 'EdDSA'],
]

/** How something is encrypted (RFC 7516). */
export interface Jwe {
  alg: string
  enc: string
}

/** What can be encrypted with here, by the kty of the key that it needs (RFC 7518 section 4.1). */
const algs: Readonly<Record<string, readonly string[]>> = {
  RSA: ['RSA-OAEP', 'RSA-OAEP-256', 'RSA-OAEP-384', 'RSA-OAEP-512'],
  EC: ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A192KW', 'ECDH-ES+A256KW'],
}

/** Content encryption that can be made and read here, the table's first (RFC 7518 section 5.1). */
export const encs: readonly string[] = [
  ...['A256GCM', 'A192GCM', 'A128GCM'],
  ...['A256CBC-HS512', 'A192CBC-HS384', 'A128CBC-HS256'],
]

/** Whether something can be encrypted so here: a bank may declare what no library of ours knows. */
export function canEncrypt({ alg, enc }: Jwe): boolean {
  return Object.values(algs).flat().includes(alg) && encs.includes(enc)
}

/** Whether a key is one for an alg, or for another of the same kind: who encrypts otherwise than the key says uses the same key. */
export function isKeyFor({ kty, alg: own }: JWK, alg: string): boolean {
  const kind = algs[String(kty)] ?? []
  return kind.includes(alg) && kind.includes(own ?? alg)
}

/** Whether something can be encrypted to a key. */
export async function encryptsTo(key: JWK, alg: string): Promise<boolean> {
  try {
    await new CompactEncrypt(new Uint8Array())
      .setProtectedHeader({ alg, enc: 'A256GCM' })
      .encrypt(await keyToEncrypt(key, alg))
    return true
  } catch {
    return false
  }
}
