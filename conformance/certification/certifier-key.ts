import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'

/** What bundles are signed with: the algorithms of the interface (ES512, PS512), and EdDSA (RFC 8037). */
export const bundleAlgorithms = ['ES512', 'PS512', 'EdDSA'] as const

export type BundleAlgorithm = (typeof bundleAlgorithms)[number]

/** A key that verifies bundles. */
export interface VerificationKey {
  alg: BundleAlgorithm
  key: KeyObject
  /** Public members alone. */
  jwk: JWK
  /** RFC 7638, SHA-256. */
  thumbprint: string
}

/** A key that signs bundles. */
export interface CertifierKey extends VerificationKey {
  privateKey: KeyObject
}

/**
 * Reads the certifier's private key, a PEM file without a passphrase or a JWK.
 * @throws Error in words, which never hold the key
 */
export async function certifierKey(text: string): Promise<CertifierKey> {
  const privateKey = (() => {
    try {
      return text.trimStart().startsWith('{')
        ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
        : createPrivateKey(text)
    } catch {
      throw new Error('the file contains no private key, neither as PEM without a passphrase nor as a JWK')
    }
  })()
  return { ...(await verificationKey(createPublicKey(privateKey))), privateKey }
}

/**
 * Reads keys that verify: a PEM public key or certificate, a JWK, or a JWK set.
 * @throws Error in words
 */
export async function verificationKeys(text: string): Promise<VerificationKey[]> {
  const keys = (() => {
    try {
      if (!text.trimStart().startsWith('{')) return [createPublicKey(text)]
      const value: { keys?: JWK[] } & JWK = JSON.parse(text)
      const jwks: JWK[] = Array.isArray(value.keys) ? value.keys : [value]
      return jwks.map((key) => createPublicKey({ key, format: 'jwk' }))
    } catch {
      throw new Error('the file contains no public key, neither as PEM nor as a JWK or a JWK set')
    }
  })()
  return Promise.all(keys.map(verificationKey))
}

/** Whether a file of keys, which was read before, holds the private half of one: as PEM, a JWK or in a JWK set. */
export function isPrivate(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return text.includes('PRIVATE KEY-----')
  const value: { keys?: object[] } = JSON.parse(text)
  return [value, ...(value.keys ?? [])].some((jwk) => 'd' in jwk)
}

/** A key from the header of a signature. @throws Error when it is none that bundles are signed with */
export function embeddedKey(jwk: JWK): Promise<VerificationKey> {
  return verificationKey(createPublicKey({ key: jwk as Record<string, unknown>, format: 'jwk' }))
}

/** Makes a new pair. @returns both halves as JWKs */
export async function makeCertifierKey(alg: BundleAlgorithm): Promise<{ privateJwk: JWK; publicJwk: JWK }> {
  const { privateKey } = makers[alg]()
  const { jwk, thumbprint } = await verificationKey(createPublicKey(privateKey))
  const named = { kid: thumbprint, alg, use: 'sig' }
  return { privateJwk: { ...privateKey.export({ format: 'jwk' }), ...named }, publicJwk: { ...jwk, ...named } }
}

const makers: Record<BundleAlgorithm, () => { privateKey: KeyObject }> = {
  ES512: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  PS512: () => generateKeyPairSync('rsa', { modulusLength: 3072 }),
  EdDSA: () => generateKeyPairSync('ed25519'),
}

async function verificationKey(key: KeyObject): Promise<VerificationKey> {
  const jwk = key.export({ format: 'jwk' }) as JWK
  return { alg: algorithmOf(key), key, jwk, thumbprint: await calculateJwkThumbprint(jwk) }
}

/** @throws Error naming the keys that serve */
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails: details = {} }: KeyObject): BundleAlgorithm {
  if (asymmetricKeyType === 'ec' && details.namedCurve === 'secp521r1') return 'ES512'
  if (asymmetricKeyType === 'rsa' && (details.modulusLength ?? 0) >= 2048) return 'PS512'
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  const size = details.namedCurve ?? details.modulusLength ?? ''
  throw new Error(
    `${asymmetricKeyType} ${size} is not a key for bundles: use P-521, RSA of 2048 bits or more, or Ed25519`,
  )
}
