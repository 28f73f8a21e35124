import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { ClientCertificate } from '../target/client-certificate.js'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 24 * 3600 * 1000

/**
 * A key made for this process alone, with a certificate that nobody vouches for.
 * @param validity from yesterday until tomorrow when left out
 */
export async function selfSigned(
  name: string,
  validity = { notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) },
): Promise<ClientCertificate> {
  x509.cryptoProvider.set(webcrypto as Crypto)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    ...validity,
  })
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') }
}
