import { randomUUID } from 'node:crypto'
import { compactDecrypt, importJWK, SignJWT } from 'jose'
import type { Client } from '../client.js'
import { nowSeconds } from '../clock.js'
import { BankError } from '../errors.js'
import { assertionType } from '../provider/assertion.js'
import type { PrivateKeys } from './client-keys.js'

/** A registered client, and what it signs and decrypts with where that is known. */
export interface ActingClient {
  client: Client
  keys?: PrivateKeys | undefined
  issuer: string
}

/**
 * What proves the client at an endpoint, by the method that it registered.
 *
 * @throws {BankError} invalid_request when its keys are not known here
 */
export async function credentials(acting: ActingClient, endpoint: string): Promise<Record<string, string>> {
  const { clientId, clientSecret, record } = acting.client
  const method = record.token_endpoint_auth_method
  if (method === 'client_secret_post') return { client_id: clientId, client_secret: clientSecret }
  const alg = String(record.token_endpoint_auth_signing_alg ?? (method === 'client_secret_jwt' ? 'HS512' : 'PS512'))
  const iat = nowSeconds()
  const claims = { iss: clientId, sub: clientId, aud: acting.issuer + endpoint, jti: randomUUID(), iat, exp: iat + 60 }
  const jwk = acting.keys?.keys.find((key) => key.alg === alg)
  if (!jwk && method !== 'client_secret_jwt') {
    throw new BankError(
      'invalid_request',
      `the client authenticates by ${method}: give its key for ${alg} in private_jwks, since it was not made here`,
    )
  }
  const key = jwk && method !== 'client_secret_jwt' ? await importJWK(jwk, alg) : new TextEncoder().encode(clientSecret)
  const assertion = await new SignJWT(claims)
    .setProtectedHeader({ alg, ...(jwk?.kid !== undefined && { kid: jwk.kid }) })
    .sign(key)
  return { client_id: clientId, client_assertion: assertion, client_assertion_type: assertionType }
}

/** The claims of a JWT for the client, out of its encryption where it has one. They are read, not verified. */
export async function claimsOf({ keys }: ActingClient, jwt: string): Promise<Record<string, unknown>> {
  const jwk = keys?.keys.find(({ use }) => use === 'enc')
  const encrypted = jwt.split('.').length === 5
  if (encrypted && !jwk) {
    throw new BankError('invalid_request', 'the id_token is encrypted: give the key that opens it in private_jwks')
  }
  const jws =
    encrypted && jwk
      ? new TextDecoder().decode((await compactDecrypt(jwt, await importJWK(jwk, 'RSA-OAEP-256'))).plaintext)
      : jwt
  const [, payload = ''] = jws.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
}
