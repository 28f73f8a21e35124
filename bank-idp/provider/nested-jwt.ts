import { CompactEncrypt, importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { Client } from '../client.js'
import type { BankContext } from '../context.js'
import { importedKey } from '../keys/imported-key.js'
import type { BankAlgorithm } from '../keys/jwk.js'
import type { NestedJwt, NestedJwtKind } from '../seams.js'

/**
 * Signs claims with the bank's key, then encrypts them to the client's, by the algorithms it registered for this kind of reply:
 * `<kind>_signed_response_alg`, `<kind>_encrypted_response_alg` and `_enc` (default A128CBC-HS256 is not offered: A256GCM).
 *
 * @param grant the grant_type that an id_token is issued for at /token
 * @returns a compact JWE, or a compact JWS where the client registered no encryption (AMB-48)
 * @throws {BankError} when jwks_uri gives no key to encrypt to
 */
export async function makeNestedJwt(
  { keys, clientKeys, seams }: Pick<BankContext, 'clientKeys' | 'keys' | 'seams'>,
  kind: NestedJwtKind,
  client: Client,
  claims: JWTPayload,
  grant?: string,
): Promise<string> {
  const { record, clientId } = client
  const signingAlg = String(record[`${kind}_signed_response_alg`] ?? 'PS512')
  const signing: NestedJwt['signing'] =
    signingAlg === 'none' ? 'none' : { alg: signingAlg, key: keys.current(signingAlg as BankAlgorithm) }
  const planned: NestedJwt = { claims, signing, typ: 'JWT' }
  const encryptionKey = await encryptionKeyOf({ clientKeys }, kind, client)
  if (encryptionKey) {
    planned.encryption = { ...encryptionKey, enc: String(record[`${kind}_encrypted_response_enc`] ?? 'A256GCM') }
  }
  const facts = { clientId, bankKey: (alg: BankAlgorithm) => keys.current(alg), ...(grant !== undefined && { grant }) }
  const nestedJwt = await seams.nestedJwt(kind, planned, facts)
  const { encryption } = nestedJwt
  const jws = await signJwt(nestedJwt)
  if (!encryption) return jws
  return new CompactEncrypt(new TextEncoder().encode(jws))
    .setProtectedHeader({
      alg: encryption.alg,
      enc: encryption.enc,
      kid: encryption.key.kid,
      ...(!encryption.untyped && { cty: 'JWT' }),
    })
    .encrypt(await importJWK(encryption.key, encryption.alg))
}

/**
 * The key that a reply to a client is encrypted to, and the algorithm.
 *
 * @returns undefined where the client registered no encryption
 * @throws {BankError} when jwks_uri gives no such key: unauthorized_client for an id_token (specification: "Error codes", a result that
 *   cannot be issued for the client), else invalid_request (RFC 6750 section 3.1)
 */
export async function encryptionKeyOf(
  { clientKeys }: Pick<BankContext, 'clientKeys'>,
  kind: NestedJwtKind,
  { record }: Client,
): Promise<{ alg: string; key: JWK } | undefined> {
  const alg = record[`${kind}_encrypted_response_alg`]
  if (typeof alg !== 'string') return undefined
  const code = kind === 'id_token' ? 'unauthorized_client' : 'invalid_request'
  return { alg, key: await clientKeys.encryptionKey(record.jwks_uri, alg, code) }
}

/** Signs claims, and no more. */
export async function signJwt({ claims, signing, typ, bare }: NestedJwt): Promise<string> {
  if (bare) return JSON.stringify(claims)
  if (signing === 'none') return new UnsecuredJWT(claims).encode()
  return new SignJWT(claims)
    .setProtectedHeader({ alg: signing.alg, kid: signing.key.kid, typ })
    .sign(await importedKey(signing.key, signing.alg))
}
