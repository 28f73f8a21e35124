import { type KeyObject, X509Certificate } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { now } from '../clock.js'
import { type Certificate, generateEcKey, generateRsaKey, issueCertificate } from './certificates.js'

/** A key of the bank as kept in the store: with its private half as long as that is of use. */
export type BankJwk = JWK & { kid: string; alg: string; use: 'sig' | 'enc'; x5c: string[] }

/** The algorithms the bank has a key for, with what each is used for. Specification: "Discovery document"; ES256 in the signing flow. */
export const bankAlgorithms = { PS512: 'sig', ES512: 'sig', ES256: 'sig', 'RSA-OAEP-256': 'enc' } as const
export type BankAlgorithm = keyof typeof bankAlgorithms

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

/** A key as a private JWK whose kid is its thumbprint (RFC 7638). */
export async function toJwk(key: KeyObject, alg: string, use: 'sig' | 'enc' = 'sig'): Promise<JWK & { kid: string }> {
  const jwk = key.export({ format: 'jwk' }) as JWK
  return { kid: await calculateJwkThumbprint(jwk), use, alg, ...jwk }
}

/** A key without its private half. */
export function publicHalf<Key extends JWK>(jwk: Key): Key {
  return Object.fromEntries(Object.entries(jwk).filter(([name]) => !privateMembers.includes(name))) as Key
}

/** The published form: public members alone, key_ops by use (RFC 7517 section 4.3). */
export function publicJwk(jwk: JWK): JWK {
  return { ...publicHalf(jwk), key_ops: jwk.use === 'enc' ? ['encrypt', 'wrapKey'] : ['verify'] }
}

const curves: Partial<Record<BankAlgorithm, 'P-256' | 'P-521'>> = { ES512: 'P-521', ES256: 'P-256' }

/** Makes a key of the bank with its certificate. */
export async function makeBankKey(authority: Certificate, alg: BankAlgorithm): Promise<BankJwk> {
  const curve = curves[alg]
  const key = await (curve ? generateEcKey(curve) : generateRsaKey())
  const jwk = await toJwk(key, alg, bankAlgorithms[alg])
  const leaf = { commonName: `bank-idp key ${jwk.kid}`, from: now() }
  const certificate = new X509Certificate(await issueCertificate(authority, key, leaf))
  return { ...jwk, alg, use: bankAlgorithms[alg], x5c: [certificate.raw.toString('base64')] }
}

/** Makes one key for each algorithm of the bank. */
export function makeBankKeys(authority: Certificate): Promise<BankJwk[]> {
  return Promise.all((Object.keys(bankAlgorithms) as BankAlgorithm[]).map((alg) => makeBankKey(authority, alg)))
}
