import type { JWK } from 'jose'
import { BankFailure } from '../harness/failure.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { inStep } from './steps.js'

/** The keys that the bank publishes at jwks_uri, read once in a run. */
export function publishedKeys(conversation: Conversation): Promise<JWK[]> {
  return conversation.shared('key set', async (own) => {
    const url = await (await discover(own)).endpoint('jwks_uri')
    return inStep('keySet', async () => {
      const response = await own.send({ method: 'GET', url, headers: { accept: 'application/json' } })
      const keys = response.member('keys')
      if (Array.isArray(keys)) return keys
      throw new BankFailure({ sentence: `there is no key set at ${url}`, evidence: response.evidence })
    })
  })
}
