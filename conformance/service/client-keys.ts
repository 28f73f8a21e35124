import { createPublicKey } from 'node:crypto'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import { type Signer, signingAlgorithm } from './assertions.js'

/** A private key of ours with the public JWK that a bank sees. */
export interface SigningKey {
  kid: string
  alg: string
  privateKey: CryptoKey
  publicJwk: JWK
}

/** The keys of a client: one to sign with, one that the bank encrypts to. */
export interface ClientKeys {
  signing: SigningKey
  /** Signs where a client registered ES512; absent where the target file gives none. */
  ecSigning?: SigningKey
  /** Sign in the signing flow, which allows other algorithms; absent where the target file gives none. */
  es256?: SigningKey
  ps256?: SigningKey
  encryption: SigningKey
}

async function makeKey(alg: string, use: 'sig' | 'enc'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, alg, privateKey, publicJwk: { ...jwk, kid, use, alg } }
}

let made: Promise<ClientKeys> | undefined

/** Made once in this process, since an RSA key takes up to half a second; every client of every run has these. */
export function clientKeys(): Promise<ClientKeys> {
  made ??= makeKeys()
  return made
}

async function makeKeys(): Promise<ClientKeys> {
  const [signing, ecSigning, encryption, es256] = await Promise.all([
    makeKey('PS512', 'sig'),
    makeKey('ES512', 'sig'),
    makeKey('RSA-OAEP-256', 'enc'),
    makeKey('ES256', 'sig'),
  ])
  const ps256 = await onceMore(signing, 'PS256', 'sig')
  return { signing, ecSigning, encryption, es256, ps256 }
}

/** Keys of which the one that signs is no other client's. */
export async function keysOfOne(alg: string): Promise<ClientKeys> {
  const { encryption } = await clientKeys()
  return { signing: await makeKey(alg, 'sig'), encryption }
}

/** What a key set of a client needs in any case: the keys that may sign its assertions, and the one to encrypt to. */
export function publishedKeys({ signing, ecSigning, encryption }: ClientKeys): JWK[] {
  return [signing, ...(ecSigning ? [ecSigning] : []), encryption].map(({ publicJwk }) => publicJwk)
}

/** An RSA key once more, under a kid of its own, for another algorithm: to make one takes long. */
async function onceMore(key: SigningKey, alg: string, use: 'sig' | 'enc'): Promise<SigningKey> {
  return asKey({ ...(await exportJWK(key.privateKey)), kid: `${key.kid}-${alg.toLowerCase()}` }, alg, use)
}

let others: Promise<SigningKey> | undefined

/** An RSA key that no client has from the start; made once in this process. */
function otherRsaKey(): Promise<SigningKey> {
  others ??= makeKey('PS512', 'sig')
  return others
}

/** The keys of a client that has changed the one that the bank encrypts to. */
export async function withNextEncryptionKey(keys: ClientKeys): Promise<ClientKeys> {
  return { ...keys, encryption: await onceMore(await otherRsaKey(), 'RSA-OAEP-256', 'enc') }
}

async function asKey(jwk: JWK, alg: string, use: 'sig' | 'enc'): Promise<SigningKey> {
  const publicJwk = createPublicKey({ key: { ...jwk }, format: 'jwk' }).export({ format: 'jwk' })
  const kid = jwk.kid ?? (await calculateJwkThumbprint(publicJwk))
  const privateKey = (await importJWK(jwk, alg, { extractable: true })) as CryptoKey
  return { kid, alg, privateKey, publicJwk: { ...publicJwk, kid, use, alg } }
}

/**
 * The keys of a client that was registered elsewhere, from its private JWK set: the first that is not for encryption signs,
 * the first that is not for signatures decrypts. One that the set lacks is made, for nobody will ask for it.
 */
export async function givenKeys(set: readonly JWK[]): Promise<ClientKeys> {
  const made = await clientKeys()
  const signs = set.find(({ use }) => use !== 'enc')
  const decrypts = set.find(({ use }) => use !== 'sig')
  return {
    signing: signs ? await asKey(signs, signingAlgorithm(signs), 'sig') : made.signing,
    encryption: decrypts ? await asKey(decrypts, encryptionAlgorithm(decrypts), 'enc') : made.encryption,
  }
}

function encryptionAlgorithm({ use, alg, kty }: JWK): string {
  if (use === 'enc' && alg) return alg
  return kty === 'RSA' ? 'RSA-OAEP-256' : 'ECDH-ES'
}

/** A key that no client registered, under the kid of one that a client did, or its own. */
export async function foreignSigner(alg: string, kid?: string): Promise<SigningKey> {
  const key = await foreignKey(alg)
  return { ...key, kid: kid ?? key.kid }
}

const foreign = new Map<string, Promise<SigningKey>>()

function foreignKey(alg: string): Promise<SigningKey> {
  const make = async () => (/^[PR]S/.test(alg) ? onceMore(await otherRsaKey(), alg, 'sig') : makeKey(alg, 'sig'))
  const known = foreign.get(alg) ?? make()
  foreign.set(alg, known)
  return known
}

/** The client's RSA key, used with an algorithm of RSASSA-PKCS1-v1_5 (RS256, RS384, RS512), all of which are forbidden. */
export async function pkcs1Signer({ signing }: ClientKeys, alg: 'RS256' | 'RS384' | 'RS512'): Promise<Signer> {
  if (signing.publicJwk.kty !== 'RSA') return foreignSigner(alg, signing.kid)
  const jwk = await exportJWK(signing.privateKey)
  return { alg, kid: signing.kid, privateKey: (await importJWK(jwk, alg)) as CryptoKey }
}

export function rs256Signer(keys: ClientKeys): Promise<Signer> {
  return pkcs1Signer(keys, 'RS256')
}
