import { readFileSync } from 'node:fs'
import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import { packageFile } from '../../schemas/package-file.js'

/** Private keys of every client. */
export interface ClientKeyPairs {
  signing: JWK
  encryption: JWK
  /** ES256, for the signing flow. */
  requests: JWK
}

/** Made once and for all: to make them took each test file a quarter of a second. */
export const clientKeyPairs = JSON.parse(
  readFileSync(packageFile('fixtures/client-keys.json'), 'utf8'),
) as ClientKeyPairs

/** Signs claims, naming the key. */
export async function sign(claims: JWTPayload, key: JWK): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: String(key.alg), kid: key.kid })
    .sign(await importJWK(key, String(key.alg)))
}
