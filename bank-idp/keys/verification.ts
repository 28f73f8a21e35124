import { type CompactVerifyGetKey, compactVerify, errors } from 'jose'
import { headerOfJwt } from './jwt-header.js'

/** What jose verifies with. */
type VerificationKey = Awaited<ReturnType<CompactVerifyGetKey>>

/** An RSA key has this many bits or more. RFC 7518 section 3.5. */
export const minRsaBits = 2048

/** Keys that are tried for one JWS: each costs a millisecond, and whoever names a client can ask for all of them. */
const mostTried = 20

/** Looks the key of one JWS up once, however many checks ask for it. */
export function memoizedKey(key: CompactVerifyGetKey): CompactVerifyGetKey {
  let found: Promise<VerificationKey> | undefined
  return (header, jws) => {
    found ??= Promise.resolve(key(header, jws))
    return found
  }
}

/**
 * The keys that may have signed a compact JWS: one, or each key of the set that fits where its header names no kid (RFC 7515 section
 * 4.1.4: kid is a hint, and optional).
 *
 * @throws {Error} of jose when there is none, or the key set cannot be read; or when more fit than can be tried
 */
export async function keysOf(jws: string, key: CompactVerifyGetKey): Promise<VerificationKey[]> {
  const { alg = '', ...header } = headerOfJwt(jws)
  const [own = '', payload = '', signature = ''] = jws.split('.')
  try {
    return [await key({ ...header, alg }, { protected: own, payload, signature })]
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    const fitting: VerificationKey[] = []
    for await (const candidate of error) {
      fitting.push(candidate)
      if (fitting.length > mostTried)
        throw new Error(`more than ${mostTried} keys of the key set fit: its kid has to name one of them alone`)
    }
    return fitting
  }
}

/** How many bits an RSA key has; undefined for a key of another kind. */
export function rsaBits(key: VerificationKey): number | undefined {
  return 'algorithm' in key ? (key.algorithm as { modulusLength?: number }).modulusLength : undefined
}

/**
 * Verifies a compact JWS with one of its keys. RSA keys that are too short verify nothing.
 *
 * @param alg the algorithm of its header, which was seen to be allowed
 * @throws {Error} of jose when no key verifies it, or the key set cannot be read
 */
export async function verifyCompact(jws: string, key: CompactVerifyGetKey, alg: string): Promise<void> {
  const keys = await keysOf(jws, key)
  const long = keys.filter((candidate) => (rsaBits(candidate) ?? minRsaBits) >= minRsaBits)
  if (keys.length > 0 && long.length === 0) throw new Error(`the RSA key has fewer than ${minRsaBits} bits`)
  for (const candidate of long) {
    const verified = compactVerify(jws, candidate, { algorithms: [alg] })
    if (await verified.then(() => true, isOtherKey)) return
  }
  throw new errors.JWSSignatureVerificationFailed()
}

/** Whether the signature is that of another key; any other failure is thrown on. */
function isOtherKey(error: unknown): false {
  if (error instanceof errors.JWSSignatureVerificationFailed) return false
  throw error
}
