import { type CompactJWEHeaderParameters, compactDecrypt, errors } from 'jose'
import { capabilities } from '../capabilities.js'
import type { BankKeys } from '../keys/bank-keys.js'
import { importedKey } from '../keys/imported-key.js'
import { headerOfJwt } from '../keys/jwt-header.js'

/** The five parts of a compact JWE. RFC 7516 section 7.1. */
const compactJwe = /^[\w-]+(?:\.[\w-]*){4}$/

/** What was inside of a JWE, and how it was encrypted; `encryption` is absent where nothing was. */
export interface Decrypted {
  content: string
  encryption?: CompactJWEHeaderParameters
}

/**
 * Takes what was encrypted to one of the bank's keys out of its encryption; text that is no compact JWE is given back as it is. Where its
 * header names no kid, each key that fits is tried (RFC 7516 section 4.1.6: kid is a hint, and optional), the newest first.
 *
 * @throws {Error} when the bank cannot decrypt it
 */
export async function decrypted(keys: BankKeys, text: string): Promise<Decrypted> {
  if (!compactJwe.test(text)) return { content: text }
  const { alg, kid } = headerOfJwt(text)
  const fitting = keys.kept().filter(({ jwk }) => jwk.use === 'enc' && jwk.alg === alg && (kid ?? jwk.kid) === jwk.kid)
  for (const { jwk } of fitting) {
    const opened = compactDecrypt(text, await importedKey(jwk), {
      keyManagementAlgorithms: capabilities.requestObjectEncryptionAlgs,
      contentEncryptionAlgorithms: capabilities.requestObjectEncryptionEncs,
    })
    const found = await opened.catch(otherKey)
    if (found) return { content: new TextDecoder().decode(found.plaintext), encryption: found.protectedHeader }
  }
  throw fitting.length > 0 ? new errors.JWEDecryptionFailed() : new Error(`the bank has no key ${kid ?? ''} for ${alg}`)
}

/** That it was encrypted to another key is no failure yet; any other one is thrown on. */
function otherKey(error: unknown): undefined {
  if (!(error instanceof errors.JWEDecryptionFailed)) throw error
}
