import { compactDecrypt, importJWK } from 'jose'
import type { BankKeys } from '../keys/bank-keys.js'
import { capabilities } from './capabilities.js'

/** The five parts of a compact JWE. RFC 7516 section 7.1. */
const compactJwe = /^[\w-]+(?:\.[\w-]*){4}$/

/**
 * Takes what was encrypted to one of the bank's keys out of its encryption; text that is no compact JWE is given back as it is.
 *
 * @throws {Error} when the bank cannot decrypt it
 */
export async function decrypted(keys: BankKeys, text: string): Promise<string> {
  if (!compactJwe.test(text)) return text
  const { plaintext } = await compactDecrypt(
    text,
    async ({ alg, kid }) => {
      const fits = keys.kept().find(({ jwk }) => jwk.use === 'enc' && jwk.alg === alg && (kid ?? jwk.kid) === jwk.kid)
      if (!fits) throw new Error(`the bank has no key ${kid ?? ''} for ${alg}`)
      return importJWK(fits.jwk, alg)
    },
    {
      keyManagementAlgorithms: capabilities.requestObjectEncryptionAlgs,
      contentEncryptionAlgorithms: capabilities.requestObjectEncryptionEncs,
    },
  )
  return new TextDecoder().decode(plaintext)
}
