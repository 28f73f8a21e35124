import { type CompactVerifyGetKey, createRemoteJWKSet, customFetch, type JWK } from 'jose'
import { LRUCache } from 'lru-cache'
import { BankError, type ErrorCode } from '../errors.js'
import type { Outbound } from './outbound.js'

type RemoteSet = ReturnType<typeof createRemoteJWKSet>

/**
 * The public keys that applications publish at their jwks_uri: kept for a minute, fetched again when an unknown kid is asked for (at
 * most once in five seconds for each address), one fetch at a time for each address.
 */
export class ClientKeys {
  readonly #outbound: Outbound
  readonly #sets = new LRUCache<string, RemoteSet>({ max: 10_000 })

  constructor(outbound: Outbound) {
    this.#outbound = outbound
  }

  /** Resolves the key that verifies a JWS of the application, by kid and alg of its header. */
  verifier(jwksUri: string): CompactVerifyGetKey {
    return this.#set(jwksUri)
  }

  /**
   * The application's key to encrypt to.
   *
   * @throws {BankError} with the code given when jwks_uri cannot be read or holds no such key
   */
  async encryptionKey(jwksUri: string, alg: string, code: ErrorCode): Promise<JWK> {
    const set = this.#set(jwksUri)
    if (!set.fresh) await this.#reload(set, jwksUri, code)
    const find = () => set.jwks()?.keys.find((jwk) => fits(jwk, alg))
    const key = find() ?? (set.coolingDown ? undefined : await this.#reload(set, jwksUri, code).then(find))
    if (!key) throw new BankError(code, `jwks_uri ${jwksUri} holds no key for ${alg} (use enc)`)
    return key
  }

  async #reload(set: RemoteSet, jwksUri: string, code: ErrorCode): Promise<void> {
    try {
      await set.reload()
    } catch (cause) {
      throw new BankError(code, `jwks_uri ${jwksUri} cannot be read: ${reasonOf(cause)}`, { cause })
    }
  }

  #set(jwksUri: string): RemoteSet {
    const known = this.#sets.get(jwksUri)
    if (known) return known
    const set = createRemoteJWKSet(new URL(jwksUri), {
      cacheMaxAge: 60_000,
      cooldownDuration: 5_000,
      [customFetch]: this.#outbound.fetch as unknown as typeof fetch,
    })
    this.#sets.set(jwksUri, set)
    return set
  }
}

/** The innermost reason that a fetch failed for. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.cause === undefined ? error.message : reasonOf(error.cause)) : String(error)
}

function fits(jwk: JWK, alg: string): boolean {
  return jwk.kty === 'RSA' && (jwk.use ?? 'enc') === 'enc' && (jwk.alg ?? alg) === alg
}
