import { createHash, type X509Certificate } from 'node:crypto'
import type { Request } from 'express'
import { certificateOf as presentedCertificate } from '../client-certificate.js'

/** What is known of the client certificate of a connection. */
export interface ClientCertificate {
  /** SHA-256 of the certificate, base64url: `x5t#S256` of RFC 8705 section 3.1. */
  thumbprint: string
  certificate: X509Certificate
  /** Whether an authority that the bank trusts issued it. */
  trusted: boolean
}

/** The client certificate that came with a request, trusted or not; undefined when there is none. */
export function certificateOf(req: Request): ClientCertificate | undefined {
  const { certificate, problem } = presentedCertificate(req)
  if (!certificate) return undefined
  const thumbprint = createHash('sha256').update(certificate.raw).digest('base64url')
  return { thumbprint, certificate, trusted: problem === undefined }
}

/** Limits of the specification: the key of an elliptic curve has 256 bits or more. */
export const minCurveBits = 256

/** How many bits the curve of an EC key has, by the name of the curve; undefined when the key is of another kind. */
export function curveBits({ publicKey }: X509Certificate): number | undefined {
  const { namedCurve } = publicKey.asymmetricKeyDetails ?? {}
  if (publicKey.asymmetricKeyType !== 'ec') return undefined
  // secp224r1, prime256v1, brainpoolP320r1, sect233k1: the name has the size.
  return Number(/\d{3}/.exec(namedCurve ?? '')?.[0] ?? 0)
}
