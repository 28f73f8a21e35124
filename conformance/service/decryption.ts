import { type CompactDecryptResult, compactDecrypt, exportJWK, importJWK } from 'jose'
import { LRUCache } from 'lru-cache'
import type { SigningKey } from './client-keys.js'

/** The five parts of a compact JWE (RFC 7516 section 7.1). */
export const compactJwe = /^[\w-]+(\.[\w-]*){4}$/

/** Characters of JWEs whose content is kept: what holds of every token is judged at the end of a run, of tokens that rules have read before. */
const keptCharacters = 8 * 1024 * 1024

/** What was decrypted with a key, or could not be. */
const opened = new WeakMap<SigningKey['privateKey'], LRUCache<string, Promise<CompactDecryptResult>>>()

/**
 * Decrypts a compact JWE (RFC 7516) by the alg that it names, if that is of the key's kind: whether it is the one that was asked for is
 * another question, and has another answer. It is the same for all who ask.
 * @throws where it cannot be decrypted
 */
export function decrypt(jwe: string, { alg: own, privateKey }: SigningKey): Promise<CompactDecryptResult> {
  const ofKey =
    opened.get(privateKey) ?? new LRUCache({ maxSize: keptCharacters, sizeCalculation: (_, text) => text.length })
  opened.set(privateKey, ofKey)
  const known = ofKey.get(jwe)
  if (known) return known
  const result = compactDecrypt(jwe, async ({ alg }) =>
    alg === own ? privateKey : importJWK(await exportJWK(privateKey), alg),
  )
  ofKey.set(jwe, result)
  return result
}
