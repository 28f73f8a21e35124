import type { Metadata } from '../../bank/client-metadata.js'
import type { Tools } from '../../harness/rule.js'
import { assertionAlgorithm } from './client-methods.js'

/** Changes of the record for a client whose key no other has: from anybody else's the bank could not tell who signed. */
export async function ofOwnKey({ bank }: Tools, changes: Metadata = {}): Promise<Metadata> {
  if (!bank.client.canBe({ jwks_uri: '' })) return changes
  const { metadata } = await bank.client()
  return {
    ...changes,
    jwks_uri: await bank.hostKeysOfOne(assertionAlgorithm({ metadata: { ...metadata, ...changes } })),
  }
}
