import { generateKeyPairSync, sign } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'

/** A P-256 key published and used under ES512, which is for P-521 (RFC 7518 section 3.4). */
export interface MismatchedCurve {
  publicJwk: JWK
  /** A compact JWS with these claims. */
  sign(claims: Record<string, unknown>): string
}

/** Makes such a key. JOSE libraries refuse to sign this way, so the signature is put together here. */
export async function mismatchedCurve(): Promise<MismatchedCurve> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = publicKey.export({ format: 'jwk' }) as JWK
  const kid = await calculateJwkThumbprint(jwk)
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    publicJwk: { ...jwk, kid, use: 'sig', alg: 'ES512' },
    sign(claims) {
      const signed = `${part({ alg: 'ES512', kid })}.${part(claims)}`
      const signature = sign('sha512', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${signed}.${signature.toString('base64url')}`
    },
  }
}
