import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'

/** Private keys of every client. */
export interface ClientKeyPairs {
  signing: JWK
  encryption: JWK
  /** ES256, for the signing flow. */
  requests: JWK
}

async function makeKeys(): Promise<ClientKeyPairs> {
  const make = async (alg: string, use: string) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    return { ...(await exportJWK(privateKey)), kid: `${use}-1`, alg, use }
  }
  const [signing, encryption, requests] = await Promise.all([
    make('PS512', 'sig'),
    make('RSA-OAEP-256', 'enc'),
    make('ES256', 'sig'),
  ])
  return { signing, encryption, requests: { ...requests, kid: 'requests-1' } }
}

let made: Promise<ClientKeyPairs> | undefined

/** Made once per test file. */
export function clientKeyPairs(): Promise<ClientKeyPairs> {
  made ??= makeKeys()
  return made
}

/** Signs claims, naming the key. */
export async function sign(claims: JWTPayload, key: JWK): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: String(key.alg), kid: key.kid })
    .sign(await importJWK(key, String(key.alg)))
}
