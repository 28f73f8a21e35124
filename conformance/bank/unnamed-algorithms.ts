import type { Signer } from '../service/assertions.js'
import { clientKeys, foreignSigner, publishedKeys } from '../service/client-keys.js'
import type { Metadata } from './client-metadata.js'
import type { Conversation } from './conversation.js'
import { hostKeys } from './hosted-keys.js'

/** A client with further keys that leave their algorithm open (RFC 7517 section 4.4). */
export interface UnnamedAlgorithms {
  /** Changes of the client's record. */
  clientMetadata: Metadata
  /** Signs with an algorithm of RSA or of the curve P-384, by a key that the client publishes for whichever of them. */
  signer(alg: string): Promise<Signer>
}

/**
 * A client whose key set has a key that fits every algorithm of RSA, and one for the curve P-384: who takes such an algorithm finds the
 * key of it, so that nothing but the algorithm can be what a signature is refused for.
 */
export async function unnamedAlgorithms(conversation: Conversation): Promise<UnnamedAlgorithms> {
  const open = { rsa: await foreignSigner('PS512'), ec: await foreignSigner('ES384') }
  const jwks_uri = await conversation.shared('keys of unnamed algorithms', async (own) => {
    const unnamed = Object.values(open).map(({ publicJwk: { alg: _, ...jwk } }) => jwk)
    const named = Object.values(await clientKeys()).map(({ publicJwk }) => publicJwk)
    return hostKeys(own, [...named, ...unnamed]).url
  })
  return {
    clientMetadata: { jwks_uri },
    signer: (alg) => foreignSigner(alg, alg.startsWith('ES') ? open.ec.kid : open.rsa.kid),
  }
}

/** The address of a key set of which the first key, an RSA key that signs, leaves its algorithm open; once in a run. */
export function openKeys(conversation: Conversation): Promise<string> {
  return conversation.shared('key of an open algorithm', async (own) => {
    const [signs, ...others] = publishedKeys(await clientKeys())
    return hostKeys(own, [{ ...signs, alg: undefined }, ...others]).url
  })
}
