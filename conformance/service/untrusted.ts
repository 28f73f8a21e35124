import { UnsecuredJWT } from 'jose'
import { selfSigned } from '../http/self-signed.js'
import type { ClientCertificate } from '../target/client-certificate.js'

/** What somebody has to show who is not the service. */

let certificate: Promise<ClientCertificate> | undefined

/** A client certificate of no authority; made once in a process. */
export function untrustedCertificate(): Promise<ClientCertificate> {
  certificate ??= selfSigned('untrusted')
  return certificate
}

/** A JWT with these claims and no signature (RFC 7519 section 6). */
export function unsigned(claims: Record<string, unknown>): string {
  return new UnsecuredJWT(claims).encode()
}
