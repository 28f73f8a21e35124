import 'reflect-metadata'
import { type KeyObject, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { ClientCertificate } from '../target/client-certificate.js'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const day = 24 * 3600 * 1000

/** From yesterday until tomorrow. */
const nowadays = () => ({ notBefore: new Date(Date.now() - day), notAfter: new Date(Date.now() + day) })

/**
 * A key made for this process alone, with a certificate that nobody vouches for.
 * @param validity from yesterday until tomorrow when left out
 */
export async function selfSigned(name: string, validity = nowadays()): Promise<ClientCertificate> {
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

/** A certificate of a key, by an authority that nobody trusts. PEM. */
export async function untrustedCertificate(name: string, publicKey: KeyObject): Promise<string> {
  x509.cryptoProvider.set(webcrypto as Crypto)
  const authority = await webcrypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: `CN=${name} authority`,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }),
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    ...nowadays(),
  })
  return certificate.toString('pem')
}
