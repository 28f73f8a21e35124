import { type CompactJWEHeaderParameters, compactDecrypt, importJWK } from 'jose'
import type { BankKeys } from '../keys/bank-keys.js'
import { capabilities } from './capabilities.js'

/** The five parts of a compact JWE. RFC 7516 section 7.1. */
const compactJwe = /^[\w-]+(?:\.[\w-]*){4}$/

/** What was inside of a JWE, and how it was encrypted; `encryption` is absent where nothing was. */
export interface Decrypted {
  content: string
  encryption?: CompactJWEHeaderParameters
}

/**
 * Takes what was encrypted to one of the bank's keys out of its encryption; text that is no compact JWE is given back as it is.
 *
 * @throws {Error} when the bank cannot decrypt it
 */
export async function decrypted(keys: BankKeys, text: string): Promise<Decrypted> {
  if (!compactJwe.test(text)) return { content: text }
  const { plaintext, protectedHeader } = await compactDecrypt(
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
  return { content: new TextDecoder().decode(plaintext), encryption: protectedHeader }
}
