import { CompactEncrypt, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import type { BankAlgorithm } from '../keys/jwk.js'
import type { NestedJwt, NestedJwtKind } from '../seams.js'

/**
 * Signs claims with the bank's key, then encrypts them to the client's, by the algorithms it registered for this kind of reply:
 * `<kind>_signed_response_alg`, `<kind>_encrypted_response_alg` and `_enc` (default A128CBC-HS256 is not offered: A256GCM).
 *
 * @returns a compact JWE, or a compact JWS where the client registered no encryption (AMB-48)
 * @throws {BankError} invalid_client_metadata when jwks_uri gives no key to encrypt to
 */
export async function makeNestedJwt(
  { keys, clientKeys, seams }: Pick<BankContext, 'clientKeys' | 'keys' | 'seams'>,
  kind: NestedJwtKind,
  client: Client,
  claims: JWTPayload,
): Promise<string> {
  const { record, clientId } = client
  const signingAlg = String(record[`${kind}_signed_response_alg`] ?? 'PS512')
  const encryptionAlg = record[`${kind}_encrypted_response_alg`]
  const signing: NestedJwt['signing'] =
    signingAlg === 'none' ? 'none' : { alg: signingAlg, key: keys.current(signingAlg as BankAlgorithm) }
  const planned: NestedJwt = { claims, signing, typ: 'JWT' }
  if (typeof encryptionAlg === 'string') {
    planned.encryption = {
      alg: encryptionAlg,
      enc: String(record[`${kind}_encrypted_response_enc`] ?? 'A256GCM'),
      key: await clientKeys.encryptionKey(record.jwks_uri, encryptionAlg, 'invalid_client_metadata'),
    }
  }
  const nestedJwt = await seams.nestedJwt(kind, planned, { clientId, bankKey: (alg) => keys.current(alg) })
  const { encryption } = nestedJwt
  const jws = await signJwt(nestedJwt)
  if (!encryption) return jws
  return new CompactEncrypt(new TextEncoder().encode(jws))
    .setProtectedHeader({ alg: encryption.alg, enc: encryption.enc, kid: encryption.key.kid, cty: 'JWT' })
    .encrypt(await importJWK(encryption.key, encryption.alg))
}

/** Signs claims, and no more. */
export async function signJwt({ claims, signing, typ }: NestedJwt): Promise<string> {
  if (signing === 'none') return new UnsecuredJWT(claims).encode()
  return new SignJWT(claims)
    .setProtectedHeader({ alg: signing.alg, kid: signing.key.kid, typ })
    .sign(await importJWK(signing.key, signing.alg))
}
