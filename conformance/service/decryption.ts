import { type CompactDecryptResult, compactDecrypt, exportJWK, importJWK } from 'jose'
import type { SigningKey } from './client-keys.js'

/**
 * Decrypts a compact JWE (RFC 7516) by the alg that it names, if that is of the key's kind: whether it is the one that was asked for is
 * another question, and has another answer.
 * @throws where it cannot be decrypted
 */
export function decrypt(jwe: string, { alg: own, privateKey }: SigningKey): Promise<CompactDecryptResult> {
  return compactDecrypt(jwe, async ({ alg }) =>
    alg === own ? privateKey : importJWK(await exportJWK(privateKey), alg),
  )
}
