import { compactVerify, createLocalJWKSet, type JWTPayload } from 'jose'
import type { BankKeys } from '../keys/bank-keys.js'
import { decrypted } from './decryption.js'
import { notOfKind } from './jwt-kind.js'

/**
 * The claims of an id_token that this bank issued, expired or not, signed by a key in use or retired, as it is or encrypted to the bank.
 * OpenID Connect Core section 3.1.2.1; OpenID Connect RP-Initiated Logout 1.0 section 2.
 *
 * @throws {Error} when it is no such id_token
 */
export async function claimsOfHint(keys: BankKeys, issuer: string, hint: string): Promise<JWTPayload> {
  const { content } = await decrypted(keys, hint)
  const { payload, protectedHeader } = await compactVerify(content, createLocalJWKSet({ keys: keys.published() }))
  const claims = JSON.parse(new TextDecoder().decode(payload)) as JWTPayload
  if (claims.iss !== issuer) throw new Error('the id_token was issued by another issuer')
  const otherKind = notOfKind('id_token', protectedHeader, claims)
  if (otherKind !== undefined) throw new Error(`the JWT is not an id_token: ${otherKind}`)
  return claims
}

/**
 * Whom an id_token_hint is about.
 *
 * @returns its sub
 * @throws {Error} when it is no id_token that this bank issued to the client
 */
export async function subjectOfHint(keys: BankKeys, issuer: string, clientId: string, hint: string): Promise<string> {
  const { aud, sub } = await claimsOfHint(keys, issuer, hint)
  if (![aud].flat().includes(clientId)) throw new Error('the id_token was issued to another client')
  if (typeof sub !== 'string') throw new Error('the id_token has no sub')
  return sub
}
