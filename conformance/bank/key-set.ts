import type { JWK } from 'jose'
import type { Opened } from '../evidence/evidence.js'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'
import { encryptsTo, isKeyFor } from '../service/algorithms.js'
import type { Conversation, Run } from './conversation.js'
import { discover } from './discovery.js'
import type { KeysAt, SeenKey } from './keys-seen.js'
import { inStep } from './steps.js'

/** Members of a JWK that are no one's but its owner's (RFC 7518 section 6, RFC 9964 section 3). */
export const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'] as const

/** What the key set is asked for as, once in a run. */
const sharedAs = 'key set'

async function getKeySet(conversation: Conversation): Promise<HttpResponse> {
  const url = await (await discover(conversation)).endpoint('jwks_uri')
  return inStep('keySet', () => conversation.send({ method: 'GET', url, headers: { accept: 'application/json' } }))
}

/** GET of jwks_uri without credentials, once in a run. */
export function fetchKeySet(conversation: Conversation): Promise<HttpResponse> {
  return conversation.shared(sharedAs, getKeySet)
}

/** The keys that the bank publishes at jwks_uri, their public members alone. @throws StepFailure when there are none */
export async function publishedKeys(conversation: Conversation): Promise<JWK[]> {
  return keysIn(await fetchKeySet(conversation))
}

/**
 * The published keys that a JWS may be signed with: the one its kid names, or without kid all. For a kid that is unknown the key set is
 * fetched again, once in a run, since a bank may take new keys while it is examined.
 * @throws StepFailure when there is no key set
 */
export async function keysFor(conversation: Conversation, kid: string | undefined): Promise<JWK[]> {
  const among = (keys: JWK[]) => keys.filter((key) => kid === undefined || key.kid === kid)
  const known = among(await publishedKeys(conversation))
  if (known.length > 0 || kid === undefined) return known
  return among(await keysIn(await conversation.shared(`${sharedAs} for ${kid}`, getKeySet)))
}

function keysIn(response: HttpResponse): Promise<JWK[]> {
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
async function publishedEncryptionKeys(conversation: Conversation): Promise<JWK[]> {
  const keys = await publishedKeys(conversation)
  return keys
    .filter(({ use }) => use === 'enc')
    .map(({ kid, ...key }) => (keys.filter((one) => one.kid === kid).length === 1 ? { ...key, kid } : key))
}

/**
 * The published key that request objects are encrypted to: one for the alg, else one that names another alg of its kind, for a rule
 * that encrypts otherwise than it should.
 * @throws StepFailure when there is none
 */
export async function encryptionKeyFor(conversation: Conversation, alg: string): Promise<JWK> {
  const keys = (await publishedEncryptionKeys(conversation)).filter((key) => isKeyFor(key, alg))
  return inStep('encryptionKey', async () => {
    const key = keys.find((one) => (one.alg ?? alg) === alg) ?? keys[0]
    if (!key) throw new BankFailure({ sentence: `the bank publishes no key to encrypt request objects to by ${alg}` })
    if (await encryptsTo(key, alg)) return key
    throw new BankFailure({ sentence: `nothing can be encrypted by ${alg} to the key ${key.kid} of the bank` })
  })
}

function publicPart(key: JWK): JWK {
  return Object.fromEntries(Object.entries(key).filter(([name]) => !privateMembers.some((one) => one === name)))
}

/** The keys that the bank published in a run, and whether they were seen to sign so far. */
export async function keysSeen({ shared, evidence, service }: Run): Promise<KeysAt> {
  const fetched = [...shared].filter(([name]) => name.startsWith(sharedAs)).map(([, { outcome }]) => outcome)
  const answers = (await Promise.all(fetched.map((outcome) => outcome.catch(() => undefined)))) as (
    | HttpResponse
    | undefined
  )[]
  const keys = answers.flatMap((response) => {
    const list = response?.member('keys')
    return Array.isArray(list) ? list : []
  })
  const signing = new Set(
    evidence.items.flatMap((item) => (item.kind === 'opened' ? (kidOfSignature(item) ?? []) : [])),
  )
  const seen = keys.flatMap((key): [string, SeenKey][] => {
    if (typeof key?.kid !== 'string') return []
    const { kid, use, alg } = key
    const described = { ...(typeof use === 'string' && { use }), ...(typeof alg === 'string' && { alg }) }
    return [[kid, { kid, ...described, signed: signing.has(kid) }]]
  })
  return {
    at: new Date(service.clock() * 1000).toISOString(),
    keys: [...new Map(seen).values()].sort((a, b) => (a.kid < b.kid ? -1 : 1)),
  }
}

/** The kid in the header of a JWS that was opened; a JWE has `enc` (RFC 7516 section 4.1.2). */
function kidOfSignature({ header }: Opened): string | undefined {
  const { kid, enc } = (header ?? {}) as { kid?: unknown; enc?: unknown }
  return typeof kid === 'string' && enc === undefined ? kid : undefined
}
