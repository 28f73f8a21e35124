import { compactVerify, createLocalJWKSet, type JWTPayload } from 'jose'
import type { BankKeys } from '../keys/bank-keys.js'
import { decrypted } from './decryption.js'

/**
 * Whom an id_token_hint is about: an id_token that this bank issued to the application, expired or not, signed by a key in use or
 * retired. OpenID Connect Core section 3.1.2.1.
 *
 * @returns its sub
 * @throws {Error} when it is no such id_token
 */
export async function subjectOfHint(keys: BankKeys, issuer: string, clientId: string, hint: string): Promise<string> {
  const { content } = await decrypted(keys, hint)
  const { payload } = await compactVerify(content, createLocalJWKSet({ keys: keys.published() }))
  const claims = JSON.parse(new TextDecoder().decode(payload)) as JWTPayload
  if (claims.iss !== issuer || ![claims.aud].flat().includes(clientId))
    throw new Error('it was issued to somebody else')
  if (typeof claims.sub !== 'string') throw new Error('it has no sub')
  return claims.sub
}
