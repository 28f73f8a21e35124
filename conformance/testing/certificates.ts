import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import type { ClientCertificate } from '../target/client-certificate.js'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const year = 365 * 24 * 3600 * 1000

/** An authority of its own with a certificate for localhost, as a server and as a client. */
export interface Certificates {
  ca: string
  localhost: ClientCertificate
}

async function make(): Promise<Certificates> {
  x509.cryptoProvider.set(webcrypto as Crypto)
  const keys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const validity = { notBefore: new Date(Date.now() - 3600_000), notAfter: new Date(Date.now() + year) }
  const authority = await keys()
  const own = await keys()
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=Test authority',
    keys: authority,
    signingAlgorithm: algorithm,
    ...validity,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  })
  const leaf = await x509.X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: ca.subject,
    publicKey: own.publicKey,
    signingKey: authority.privateKey,
    signingAlgorithm: algorithm,
    ...validity,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  })
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', own.privateKey)
  return {
    ca: ca.toString('pem'),
    localhost: { cert: leaf.toString('pem'), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') },
  }
}

let made: Promise<Certificates> | undefined

/** Made once per test file. */
export function certificates(): Promise<Certificates> {
  made ??= make()
  return made
}
