import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { UnsecuredJWT } from 'jose'
import type { ClientCertificate } from '../target/client-certificate.js'

/** What somebody has to show who is not the service. */

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 24 * 3600 * 1000

async function makeCertificate(): Promise<ClientCertificate> {
  x509.cryptoProvider.set(webcrypto as Crypto)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=untrusted',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - day),
    notAfter: new Date(Date.now() + day),
  })
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') }
}

let certificate: Promise<ClientCertificate> | undefined

/** A client certificate of no authority; made once in a process. */
export function untrustedCertificate(): Promise<ClientCertificate> {
  certificate ??= makeCertificate()
  return certificate
}

/** A JWT with these claims and no signature (RFC 7519 section 6). */
export function unsigned(claims: Record<string, unknown>): string {
  return new UnsecuredJWT(claims).encode()
}
