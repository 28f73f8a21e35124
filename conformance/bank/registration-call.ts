import { X509Certificate } from 'node:crypto'
import type { HttpRequest } from '../http/http.js'
import {
  assertionType,
  assertionClaims as claimsOf,
  recordAssertion,
  type Signer,
  signAssertion,
} from '../service/assertions.js'
import { mutualTlsAddress, mutualTlsAudience } from '../target/mutual-tls.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'

/** A call of /register or /register/{client_id}, step by step ("Exposed by the bank" 4 and 5). */
export interface RegistrationCall {
  /** The address of POST /register. */
  endpoint: string
  /** Of RegistrationAuthJWT ("Client assertion JWT claims"). */
  claims: Record<string, unknown>
  signer: Signer
  /** What is sent as client_assertion, given what was signed; undefined leaves the header out. */
  presented(signed: string): string | undefined
  /** Undefined leaves the header out. */
  assertionType: string | undefined
  /** Whether the client certificate is shown, or which other one. */
  certificate: HttpRequest['certificate']
  /** Whether the client certificate is told in headers, as by a proxy that ends TLS, which whoever asks a bank is none of. */
  certificateTold?: boolean
  /** What is sent as body in place of the record. */
  body?: string
  /** Further headers. */
  headers?: Record<string, string>
}

/** The steps of a good call. */
export function goodCall(conversation: Conversation, endpoint: string): RegistrationCall {
  const { target, service } = conversation.run
  const { signer, clock } = service
  if (!signer) throw new Error('the target file names no service.keys: what registers has to need it')
  const claims = claimsOf({ aud: mutualTlsAudience(target, endpoint) }, clock())
  return { endpoint, claims, signer, presented: (signed) => signed, assertionType, certificate: true }
}

/** By which proxies tell a certificate: the header of RFC 9440 section 2, and those of nginx and Envoy. */
export function tellingCertificate(pem: string): Record<string, string> {
  const encoded = encodeURIComponent(pem)
  return {
    'client-cert': `:${new X509Certificate(pem).raw.toString('base64')}:`,
    'ssl-client-cert': encoded,
    'ssl-client-verify': 'SUCCESS',
    'x-forwarded-client-cert': `Cert="${encoded}"`,
  }
}

/** The Authorization header by which a token is presented (RFC 6750 section 2.1). */
export const bearer = (token: string): string => `Bearer ${token}`

/**
 * The HTTP request of a call, its assertion signed.
 * @param authorization the Authorization header, whole
 */
export async function messageOf(
  { evidence, run }: Conversation,
  method: HttpRequest['method'],
  url: string,
  call: RegistrationCall,
  record?: Metadata,
  authorization?: string,
): Promise<HttpRequest> {
  const assertion = call.presented(await signAssertion(call.claims, call.signer))
  if (assertion !== undefined) recordAssertion(assertion, evidence)
  const told = call.certificateTold ? run.target.clientCertificate : undefined
  const body = call.body ?? (record && JSON.stringify(record))
  return {
    method,
    url: mutualTlsAddress(run.target, url),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...call.headers,
      accept: 'application/json',
      ...(call.assertionType !== undefined && { client_assertion_type: call.assertionType }),
      ...(assertion !== undefined && { client_assertion: assertion }),
      ...(told && tellingCertificate(told.cert)),
      ...(authorization !== undefined && { authorization }),
    },
    ...(body !== undefined && { body }),
    certificate: call.certificate,
  }
}
