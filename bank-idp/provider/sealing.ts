import { CompactEncrypt, importJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import type { Sealed, Sealing } from '../faults/fault.js'
import type { BankAlgorithm } from '../keys/jwk.js'
import type { Rooms } from '../rooms.js'
import type { Client } from '../store/clients.js'

/**
 * Signs claims with the bank's key, then encrypts them to the application's, by the algorithms it registered for this kind of reply:
 * `<kind>_signed_response_alg`, `<kind>_encrypted_response_alg` and `_enc` (default A128CBC-HS256 is not offered: A256GCM).
 *
 * @returns a compact JWE, or a compact JWS where the application registered no encryption (AMB-48)
 * @throws {BankError} invalid_client_metadata when jwks_uri gives no key to encrypt to
 */
export async function seal(
  { keys, clientKeys, faults }: Pick<Rooms, 'keys' | 'clientKeys' | 'faults'>,
  kind: Sealed,
  client: Client,
  claims: JWTPayload,
): Promise<string> {
  const { record, clientId } = client
  const signingAlg = String(record[`${kind}_signed_response_alg`] ?? 'PS512')
  const encryptionAlg = record[`${kind}_encrypted_response_alg`]
  const signing: Sealing['signing'] =
    signingAlg === 'none' ? 'none' : { alg: signingAlg, key: keys.current(signingAlg as BankAlgorithm) }
  const planned: Sealing = { claims, signing }
  if (typeof encryptionAlg === 'string') {
    planned.encryption = {
      alg: encryptionAlg,
      enc: String(record[`${kind}_encrypted_response_enc`] ?? 'A256GCM'),
      key: await clientKeys.encryptionKey(record.jwks_uri, encryptionAlg, 'invalid_client_metadata'),
    }
  }
  const sealing = await faults.sealing(kind, planned, { clientId, bankKey: (alg) => keys.current(alg) })
  const { encryption } = sealing
  const jws = await signed(sealing, 'JWT')
  if (!encryption) return jws
  return new CompactEncrypt(new TextEncoder().encode(jws))
    .setProtectedHeader({ alg: encryption.alg, enc: encryption.enc, kid: encryption.key.kid, cty: 'JWT' })
    .encrypt(await importJWK(encryption.key, encryption.alg))
}

/** Signs claims, and no more. */
export async function signed({ claims, signing }: Sealing, typ: string): Promise<string> {
  if (signing === 'none') return new UnsecuredJWT(claims).encode()
  return new SignJWT(claims)
    .setProtectedHeader({ alg: signing.alg, kid: signing.key.kid, typ })
    .sign(await importJWK(signing.key, signing.alg))
}
