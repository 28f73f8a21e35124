import { type CompactDecryptResult, compactDecrypt, exportJWK, importJWK } from 'jose'
import type { SigningKey } from './client-keys.js'

/** The five parts of a compact JWE (RFC 7516 section 7.1). */
export const compactJwe = /^[\w-]+(\.[\w-]*){4}$/

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
