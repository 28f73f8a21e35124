import type { Bank } from '../../bank/bank.js'
import type { Signer } from '../../service/assertions.js'

/** What signs with an algorithm that the flow forbids: the client's secret, or a key that it published for whichever algorithm fits it. */
export async function forbiddenSigner(bank: Bank, alg: string): Promise<Signer> {
  const { clientMetadata, signer } = await bank.signing.unnamedAlgorithms()
  if (!alg.startsWith('HS')) return signer(alg)
  const { clientSecret } = await bank.client(await bank.signing.metadata(clientMetadata))
  // With an empty one nothing can be signed.
  return { alg, privateKey: new TextEncoder().encode(clientSecret || 'of a client without a secret') }
}
