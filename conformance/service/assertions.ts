import { randomUUID } from 'node:crypto'
import {
  type CryptoKey,
  decodeJwt,
  decodeProtectedHeader,
  importJWK,
  type JWK,
  type JWSHeaderParameters,
  SignJWT,
} from 'jose'
import type { Recorder } from '../evidence/evidence.js'

/** RFC 7523 section 2.2. */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** How long an assertion of ours lives. */
const lifetimeSeconds = 60

/** By how much the bank's clock and ours may differ before it is reported: half of what an assertion of ours lives. */
export const tolerableSkewSeconds = lifetimeSeconds / 2

/** What an assertion says beyond exp, iat and jti. */
export interface AssertionClaims {
  aud: string
  iss?: string
  sub?: string
}

/** What signs an assertion. */
export interface Signer {
  alg: string
  kid?: string
  privateKey: CryptoKey | Uint8Array
  /** What in the header brings a key along, or leads to one (RFC 7515 sections 4.1.2, 4.1.3, 4.1.5 and 4.1.6). */
  leading?: Pick<JWSHeaderParameters, 'jku' | 'jwk' | 'x5u' | 'x5c'>
  /** An extension of which the header says that whoever does not know it is to refuse the JWS (RFC 7515 section 4.1.11). */
  critical?: string
}

/** Of a signer that names a critical extension, what the header holds of it, and what has the library sign that. */
export function extensionOf({ critical }: Signer): {
  header: { crit?: string[]; [extension: string]: unknown }
  options: { crit?: Record<string, boolean> }
} {
  return critical === undefined
    ? { header: {}, options: {} }
    : { header: { crit: [critical], [critical]: true }, options: { crit: { [critical]: true } } }
}

/**
 * The claims of an assertion. Specification: "Client assertion JWT claims". jti is random and not drawn from the run's seed,
 * since a run repeated with its seed would else look like a replay.
 * @param now the bank's time, in Unix seconds
 */
export function assertionClaims(claims: AssertionClaims, now: number): Record<string, string | number> {
  return { ...claims, iat: now, exp: now + lifetimeSeconds, jti: randomUUID() }
}

/** Records what an assertion says that is sent. */
export function recordAssertion(jwt: string, evidence: Recorder): void {
  evidence.opened('client_assertion', decodeProtectedHeader(jwt), decodeJwt(jwt))
}

/** Signs an assertion (RFC 7523 section 3). */
export async function signAssertion(
  claims: Record<string, unknown>,
  signer: Signer,
  typ: string | null = 'JWT',
): Promise<string> {
  const { alg, kid, leading } = signer
  const extension = extensionOf(signer)
  const header = { alg, ...(typ !== null && { typ }), ...(kid && { kid }), ...leading, ...extension.header }
  return new SignJWT(claims).setProtectedHeader(header).sign(signer.privateKey, extension.options)
}

/** By key type or curve. */
const algorithmOf: Record<string, string> = { RSA: 'PS512', 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' }

/** What a key signs with: as it says itself, else as its type or curve has it. */
export function signingAlgorithm({ alg, crv, kty }: JWK): string {
  return alg ?? algorithmOf[crv ?? kty ?? ''] ?? 'PS512'
}

/** The first signing key of the service's key set, which signs RegistrationAuthJWT. */
export async function registrationSigner(keys: readonly JWK[]): Promise<Signer> {
  const key = keys.find(({ use }) => use !== 'enc')
  if (!key) throw new Error('the service has no signing key')
  return signerOf(key)
}

/** The first key of the service's key set by which it could sign request objects itself; undefined when there is none. */
export async function requestObjectSigner(keys: readonly JWK[], alg: string): Promise<Signer | undefined> {
  const key = keys.find((one) => one.use !== 'enc' && signingAlgorithm(one) === alg)
  return key && signerOf(key)
}

async function signerOf(key: JWK): Promise<Signer> {
  const alg = signingAlgorithm(key)
  return { alg, privateKey: await importJWK(key, alg), ...(key.kid && { kid: key.kid }) }
}
