import { webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from 'jose'
import type { ClientCertificate } from '../target/client-certificate.js'

/** What the federated service shows a bank. */
export interface Credentials {
  /** Private JWK set: PS512 and ES512. */
  keys: JWK[]
  /** PEM of the key that the certificate, or the request for one, is about. */
  certificateKey: string
  /** PKCS #10 (RFC 2986), PEM: for the authority that the bank trusts. */
  request: string
  /** Made here, where an authority of one's own was wanted. */
  own?: { authority: ClientCertificate; certificate: string }
}

const rsa = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
}

const dayMs = 24 * 60 * 60 * 1000
const authorityLifetimeMs = 3650 * dayMs
const certificateLifetimeMs = 825 * dayMs

/** @peculiar/x509 costs a tenth of a second to load: only when a certificate is to be made. */
async function x509() {
  await import('reflect-metadata')
  const library = await import('@peculiar/x509')
  library.cryptoProvider.set(webcrypto as Crypto)
  return library
}

async function makeJwk(alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { modulusLength: 2048, extractable: true })
  const jwk = await exportJWK(privateKey)
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg, use: 'sig' }
}

/** The public half of a JWK (RFC 7517). */
export function publicHalf({ kty, kid, alg, use, n, e, crv, x, y }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, kid, alg, use, n, e, crv, x, y }))
}

function validity(lifetime: number) {
  const now = Date.now()
  return { notBefore: new Date(now - 60 * 60 * 1000), notAfter: new Date(now + lifetime) }
}

/**
 * Makes all that the service needs towards a bank: keys, a certificate request, and where wanted an authority with a certificate of its
 * own, which serves as client and as server.
 * @param hosts names and addresses under which the bank reaches the service
 */
export async function makeCredentials(hosts: readonly string[], ownAuthority: boolean): Promise<Credentials> {
  const library = await x509()
  const { ExtendedKeyUsage, ExtendedKeyUsageExtension, Pkcs10CertificateRequestGenerator, PemConverter } = library
  const name = 'CN=Conformance harness'
  const keys = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])
  const names = hosts.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value }))
  const extensions = [
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth, ExtendedKeyUsage.serverAuth]),
    new library.SubjectAlternativeNameExtension(names),
  ]
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: rsa, extensions })
  const pem = async (key: CryptoKey) =>
    PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')

  async function own(): Promise<NonNullable<Credentials['own']>> {
    const authorityKeys = await webcrypto.subtle.generateKey(rsa, true, ['sign', 'verify'])
    const authority = await library.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Conformance harness CA',
      keys: authorityKeys,
      signingAlgorithm: rsa,
      ...validity(authorityLifetimeMs),
      extensions: [
        new library.BasicConstraintsExtension(true, 0, true),
        new library.KeyUsagesExtension(library.KeyUsageFlags.keyCertSign | library.KeyUsageFlags.cRLSign, true),
      ],
    })
    const certificate = await library.X509CertificateGenerator.create({
      subject: name,
      issuer: authority.subject,
      publicKey: keys.publicKey,
      signingKey: authorityKeys.privateKey,
      signingAlgorithm: rsa,
      ...validity(certificateLifetimeMs),
      extensions: [new library.BasicConstraintsExtension(false, undefined, true), ...extensions],
    })
    return {
      authority: { cert: authority.toString('pem'), key: await pem(authorityKeys.privateKey) },
      certificate: certificate.toString('pem'),
    }
  }

  return {
    keys: await Promise.all([makeJwk('PS512'), makeJwk('ES512')]),
    certificateKey: await pem(keys.privateKey),
    request: request.toString('pem'),
    ...(ownAuthority && { own: await own() }),
  }
}
