import type { JWK } from 'jose'
import { type Certificate, generateEcKey, generateRsaKey, makeAuthority, makeCertificate } from './certificates.js'
import { type BankJwk, toJwk } from './jwk.js'

/** Everything about the bank, and about the service that it trusts, that is made once and then kept. */
export interface Identity {
  /** Signs the certificates below, and those of the bank's keys. */
  authority: Certificate
  /** The bank's TLS server certificate. */
  tls: Certificate
  /** What the federated service needs to be let in: a newcomer plays the service with it. */
  service: ServiceIdentity
}

export interface ServiceIdentity {
  /** For mutual TLS towards the bank, and for the service's own https address on this machine. */
  certificate: Certificate
  /** For mutual TLS too, of somebody else: what is bound to the certificate above is refused with it. */
  otherCertificate: Certificate
  /** Private JWK set: PS512, ES512 and, for request objects, ES256. */
  jwks: { keys: JWK[] }
}

/** Makes the key set that signs the service's RegistrationAuthJWT and request objects. */
export async function makeServiceKeys(): Promise<{ keys: JWK[] }> {
  const keys = await Promise.all([
    generateRsaKey().then((key) => toJwk(key, 'PS512')),
    generateEcKey('P-521').then((key) => toJwk(key, 'ES512')),
    generateEcKey('P-256').then((key) => toJwk(key, 'ES256')),
  ])
  return { keys }
}

export const serviceHosts = ['localhost', '127.0.0.1']

/** @param hosts names and addresses under which the bank is reached */
export async function makeIdentity(hosts: string[]): Promise<Identity> {
  const authority = await makeAuthority()
  const [tls, certificate, otherCertificate, jwks] = await Promise.all([
    makeCertificate(authority, { commonName: 'bank-idp', hosts, usages: ['server'] }),
    makeCertificate(authority, { commonName: 'federated service', hosts: serviceHosts, usages: ['client', 'server'] }),
    makeCertificate(authority, { commonName: 'somebody else', hosts: serviceHosts, usages: ['client'] }),
    makeServiceKeys(),
  ])
  return { authority, tls, service: { certificate, otherCertificate, jwks } }
}

/** Names and addresses of every bank. */
export const ownHosts = ['localhost', '127.0.0.1']

/** What a bank in memory has from the start. */
export interface IdentityInMemory {
  identity: Identity
  bankKeys: BankJwk[]
}
