import type { JWK } from 'jose'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import type { Conversation } from './conversation.js'
import { discover } from './discovery.js'
import { inStep } from './steps.js'

/** Members of a JWK that are no one's but its owner's (RFC 7518 section 6, RFC 9964 section 3). */
export const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'] as const

/** What the key set is asked for as, once in a run. */
export const sharedAs = 'key set'

/** GET of jwks_uri without credentials, once in a run. */
export function fetchKeySet(conversation: Conversation): Promise<HttpResponse> {
  return conversation.shared(sharedAs, async (own) => {
    const url = await (await discover(own)).endpoint('jwks_uri')
    return own.send({ method: 'GET', url, headers: { accept: 'application/json' } })
  })
}

/** The keys that the bank publishes at jwks_uri, their public members alone. @throws StepFailure when there are none */
export async function publishedKeys(conversation: Conversation): Promise<JWK[]> {
  const response = await fetchKeySet(conversation)
  return inStep('keySet', async () => {
    const keys = response.member('keys')
    if (Array.isArray(keys)) return keys.filter((key) => typeof key === 'object' && key !== null).map(publicPart)
    throw new BankFailure({ sentence: `there is no key set at ${response.request.url}`, evidence: response.evidence })
  })
}

/**
 * The published keys that can be encrypted to. A kid that several keys have tells none of them: such a key goes without.
 * @throws StepFailure when there is no key set
 */
export async function publishedEncryptionKeys(conversation: Conversation): Promise<JWK[]> {
  const keys = await publishedKeys(conversation)
  return keys
    .filter(({ use }) => use === 'enc')
    .map(({ kid, ...key }) => (keys.filter((one) => one.kid === kid).length === 1 ? { ...key, kid } : key))
}

function publicPart(key: JWK): JWK {
  return Object.fromEntries(Object.entries(key).filter(([name]) => !privateMembers.some((one) => one === name)))
}
