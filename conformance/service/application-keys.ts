import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'

/** A private key of ours with the public JWK that a bank sees. */
export interface SigningKey {
  kid: string
  alg: string
  privateKey: CryptoKey
  publicJwk: JWK
}

/** The keys of an application: one to sign with, one that the bank encrypts to. */
export interface ApplicationKeys {
  signing: SigningKey
  encryption: SigningKey
}

async function makeKey(alg: string, use: 'sig' | 'enc'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, alg, privateKey, publicJwk: { ...jwk, kid, use, alg } }
}

let made: Promise<ApplicationKeys> | undefined

/** Made once in this process, since an RSA key takes a tenth of a second; every application of every run has these. */
export function applicationKeys(): Promise<ApplicationKeys> {
  made ??= Promise.all([makeKey('PS512', 'sig'), makeKey('RSA-OAEP-256', 'enc')]).then(([signing, encryption]) => ({
    signing,
    encryption,
  }))
  return made
}
