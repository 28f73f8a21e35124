import type { JWK } from 'jose'
import type { Conversation } from './conversation.js'

/** A key set of ours at an address of its own, which can change while the bank knows the address. */
export interface HostedKeys {
  /** For jwks_uri. */
  url: string
  replace(keys: readonly JWK[]): void
  /** How often it was fetched so far. */
  fetches(): number
}

/** Hosts public keys; each fetch is evidence. */
export function hostKeys(conversation: Conversation, keys: readonly JWK[]): HostedKeys {
  const { server } = conversation.run.service
  if (!server) throw new Error('a rule that hosts keys has to need what is in toRegister')
  const path = `/${conversation.name()}/jwks.json`
  const put = (published: readonly JWK[]) =>
    server.host(path, {
      contentType: 'application/jwk-set+json',
      body: JSON.stringify({ keys: published }),
      evidence: conversation.evidence,
    })
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
