import { createHash } from 'node:crypto'
import {
  CompactEncrypt,
  type CompactVerifyGetKey,
  createRemoteJWKSet,
  customFetch,
  errors,
  importJWK,
  type JWK,
} from 'jose'
import { LRUCache } from 'lru-cache'
import { now } from '../clock.js'
import { BankError, type ErrorCode } from '../errors.js'
import { Latest } from '../latest.js'
import { isNestedTooDeeply } from '../nesting.js'
import type { Seams } from '../seams.js'
import { runSteps, type Step } from '../steps.js'
import type { Outbound } from './outbound.js'

type RemoteSet = ReturnType<typeof createRemoteJWKSet>

/** For how long a key set is kept at most, in milliseconds. */
const keySetMaxAgeMs = 60_000

/** How often a key that is not known is looked for at one address: so many times in so many milliseconds. */
const searches = { times: 3, milliseconds: 5_000 }

interface CachedKeySet {
  remote: RemoteSet
  /** Until when the last answer may be used as it is, in milliseconds since the epoch. */
  freshUntil: number
  /** When keys that were not known were looked for, in milliseconds since the epoch. */
  searchedAt: number[]
}

/** What is done where a key is asked for that no kept set holds. */
const missingKeySteps: readonly Step<{ search(): Promise<void> }>[] = [
  { id: 'client-keys/search', run: (missing) => missing.search() },
]

/** How one is chosen of the keys that fit an algorithm: none whose use is another, and one that says its use and alg before one that does not. */
const choiceSteps: readonly Step<{ keys: JWK[] }>[] = [
  {
    id: 'client-keys/use',
    run(choice) {
      const said = ({ use, alg }: JWK) => (use ? 2 : 0) + (alg ? 1 : 0)
      choice.keys = choice.keys.filter(({ use = 'enc' }) => use === 'enc').sort((a, b) => said(b) - said(a))
    },
  },
]

/**
 * The public keys that clients publish at their jwks_uri: kept for a minute, fetched again as soon as an unknown kid is asked for
 * (within bounds for each address), one fetch at a time for each address. Before something is encrypted they are fetched again unless
 * their Cache-Control says that they are fresh: no kid tells there that a key has changed (OpenID Connect Core section 10.2.1).
 */
export class ClientKeys {
  readonly #outbound: Outbound
  readonly #seams: Pick<Seams, 'leavesOut'>
  readonly #sets = new Latest<CachedKeySet>(10_000)
  /** When a set was last asked for, in milliseconds of the bank. */
  #latest = 0

  constructor(outbound: Outbound, seams: Pick<Seams, 'leavesOut'>) {
    this.#outbound = outbound
    this.#seams = seams
  }

  /** Resolves the key that verifies a JWS of the client, by kid and alg of its header. */
  verifier(jwksUri: string): CompactVerifyGetKey {
    return async (header, jws) => {
      const kept = this.#set(jwksUri)
      try {
        return await kept.remote(header, jws)
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        await this.#search(kept, () => kept.remote.reload())
        return kept.remote(header, jws)
      }
    }
  }

  /**
   * The client's key to encrypt to.
   *
   * @throws {BankError} with the code given when jwks_uri cannot be read or holds no such key
   */
  async encryptionKey(jwksUri: string, alg: string, code: ErrorCode): Promise<JWK> {
    const kept = this.#set(jwksUri)
    const { remote } = kept
    if (!remote.fresh || kept.freshUntil <= now()) await this.#reload(remote, jwksUri, code)
    const find = () => this.#keyFor(remote.jwks()?.keys ?? [], alg)
    const key = (await find()) ?? (await this.#search(kept, () => this.#reload(remote, jwksUri, code)).then(find))
    if (!key) {
      const reason = `jwks_uri ${jwksUri} contains no key for ${alg} (use enc)`
      throw new BankError(code, reason).refusedBy('client-keys/encryption-key')
    }
    return key
  }

  async #reload(set: RemoteSet, jwksUri: string, code: ErrorCode): Promise<void> {
    try {
      await set.reload()
    } catch (cause) {
      throw new BankError(code, `jwks_uri ${jwksUri} cannot be read: ${reasonOf(cause)}`, { cause }).refusedBy(
        'client-keys/readable',
      )
    }
  }

  /** Looks for a key that is not known, unless that was done too often of late. */
  async #search(kept: CachedKeySet, reload: () => Promise<void>): Promise<void> {
    const search = async () => {
      kept.searchedAt = kept.searchedAt.filter((time) => time > now() - searches.milliseconds)
      if (kept.searchedAt.length >= searches.times) return
      kept.searchedAt.push(now())
      await reload()
    }
    await runSteps(missingKeySteps, { search }, this.#seams)
  }

  /** The key to encrypt to with an algorithm. */
  async #keyFor(keys: readonly JWK[], alg: string): Promise<JWK | undefined> {
    const choice = { keys: keys.filter((jwk) => fits(jwk, alg)) }
    await runSteps(choiceSteps, choice, this.#seams)
    for (const key of choice.keys) if (await canBeEncryptedTo(key, alg)) return key
    return undefined
  }

  #set(jwksUri: string): CachedKeySet {
    // Once the bank's time was turned back, what was read before would be fresh until that time comes again.
    if (now() < this.#latest) this.#sets.clear()
    this.#latest = now()
    const known = this.#sets.get(jwksUri)
    if (known) return known
    const fetchSet = async (...[url, init]: Parameters<Outbound['fetch']>) => {
      const response = await this.#outbound.fetch(url, init)
      kept.freshUntil = now() + freshFor(response.headers.get('cache-control'))
      // The library wants no more of an answer.
      return { status: response.status, json: async () => withoutNonsense(await response.json()) }
    }
    const remote = createRemoteJWKSet(new URL(jwksUri), {
      cacheMaxAge: keySetMaxAgeMs,
      // The library does not search by itself: searches are counted here.
      cooldownDuration: Number.MAX_SAFE_INTEGER,
      [customFetch]: fetchSet as unknown as typeof fetch,
    })
    const kept: CachedKeySet = { remote, freshUntil: 0, searchedAt: [] }
    this.#sets.set(jwksUri, kept)
    return kept
  }
}

/** For how long an answer is fresh, in milliseconds (RFC 9111 section 5.2.2), a minute at most. */
function freshFor(cacheControl: string | null): number {
  const said = cacheControl ?? ''
  const maxAge = /\bmax-age="?(\d+)/i.exec(said)?.[1]
  return maxAge === undefined || /\bno-(cache|store)\b/i.test(said)
    ? 0
    : Math.min(Number(maxAge) * 1000, keySetMaxAgeMs)
}

/** The innermost reason that a fetch failed for. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.cause === undefined ? error.message : reasonOf(error.cause)) : String(error)
}

/** Members of a JWK that are strings where they are there. RFC 7517 section 4, RFC 7518 section 6. */
const strings = ['kty', 'use', 'alg', 'kid', 'crv', 'n', 'e', 'x', 'y']

/** A key set without what is no JWK: one that somebody spoilt keeps nobody from the others (RFC 7517 section 5). */
function withoutNonsense(set: unknown): unknown {
  const { keys } = (set ?? {}) as { keys?: unknown }
  if (!Array.isArray(keys)) return set
  const isJwk = (key: unknown) =>
    typeof key === 'object' &&
    key !== null &&
    !isNestedTooDeeply(key) &&
    strings.every((name) => ['undefined', 'string'].includes(typeof Reflect.get(key, name)))
  return { keys: keys.filter(isJwk) }
}

/** Whether keys can be encrypted to, by a hash of all that they say and the algorithm: the trial costs as much as what is encrypted then. */
const trials = new LRUCache<string, Promise<boolean>>({ max: 1_000 })

/** Whether the numbers of a key are those of one: libraries find out at the first use. */
function canBeEncryptedTo(jwk: JWK, alg: string): Promise<boolean> {
  const asked = createHash('sha256')
    .update(JSON.stringify([alg, jwk]))
    .digest('base64url')
  const known = trials.get(asked) ?? encryptTo(jwk, alg)
  trials.set(asked, known)
  return known
}

async function encryptTo(jwk: JWK, alg: string): Promise<boolean> {
  try {
    const trial = new CompactEncrypt(new Uint8Array(1)).setProtectedHeader({ alg, enc: 'A256GCM' })
    await trial.encrypt(await importJWK(jwk, alg))
    return true
  } catch {
    return false
  }
}

/** Whether a key can be one to encrypt to with an algorithm. */
function fits(jwk: JWK, alg: string): boolean {
  const long = Buffer.from(jwk.n ?? '', 'base64url').length >= 256
  return jwk.kty === 'RSA' && long && (jwk.alg ?? alg) === alg
}
