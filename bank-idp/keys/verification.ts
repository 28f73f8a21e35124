import { type CompactVerifyGetKey, compactVerify, errors } from 'jose'

/**
 * Verifies a compact JWS. Where its header names no kid and several keys of the set fit, each is tried (RFC 7515 section 4.1.4: kid
 * is a hint, and optional).
 *
 * @param alg the algorithm of its header, which was seen to be allowed
 * @throws {Error} of jose when no key verifies it, or the key set cannot be read
 */
export async function verifyCompact(jws: string, key: CompactVerifyGetKey, alg: string): Promise<void> {
  const options = { algorithms: [alg] }
  try {
    await compactVerify(jws, key, options)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const candidate of error) {
      const verified = compactVerify(jws, candidate, options)
      if (await verified.then(() => true, isOtherKey)) return
    }
    throw new errors.JWSSignatureVerificationFailed()
  }
}

/** Whether the signature is that of another key; any other failure is thrown on. */
function isOtherKey(error: unknown): false {
  if (error instanceof errors.JWSSignatureVerificationFailed) return false
  throw error
}
