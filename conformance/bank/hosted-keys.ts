import type { JWK } from 'jose'
import type { Recorder } from '../evidence/evidence.js'
import type { ServiceServer } from '../service/server.js'
import type { Conversation } from './conversation.js'

/** A key set of ours at an address of its own, which can change while the bank knows the address. */
export interface HostedKeys {
  /** For jwks_uri. */
  url: string
  replace(keys: readonly JWK[]): void
  /** How often it was fetched so far. */
  fetches(): number
}

/**
 * Serves public keys as a key set, and gives its address. As application/json, as the bank's own key set is: some banks read no other
 * media type, while those that look for application/jwk-set+json take this too.
 */
export function hostKeySet(server: ServiceServer, path: string, keys: readonly JWK[], evidence: Recorder): string {
  return server.host(path, { contentType: 'application/json', body: JSON.stringify({ keys }), evidence })
}

/** Hosts public keys; each fetch is evidence. */
export function hostKeys(conversation: Conversation, keys: readonly JWK[]): HostedKeys {
  const { server } = conversation.run.service
  if (!server) throw new Error('a rule that hosts keys has to need what is in toRegister')
  const path = `/${conversation.name()}/jwks.json`
  const put = (published: readonly JWK[]) => hostKeySet(server, path, published, conversation.evidence)
  const url = put(keys)
  return {
    url,
    replace: (published) => {
      put(published)
    },
    fetches: () =>
      conversation.evidence.all().filter((item) => item.kind === 'exchange' && item.request.url.endsWith(path)).length,
  }
}

/** Hosts a certificate, PEM, as x5u leads to one (RFC 7515 section 4.1.5), and gives its address. */
export function hostCertificate(conversation: Conversation, pem: string): string {
  const { server } = conversation.run.service
  if (!server) throw new Error('a rule that hosts a certificate has to need what is in toRegister')
  const contentType = 'application/pem-certificate-chain'
  const { evidence } = conversation
  return server.host(`/${conversation.name()}/certificate.pem`, { contentType, body: pem, evidence })
}
