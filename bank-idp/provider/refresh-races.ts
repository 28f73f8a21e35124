import { LRUCache } from 'lru-cache'

/** Milliseconds for which further requests belong to a race: a burst does not arrive all at once. */
const burstMs = 5_000

/**
 * Tells requests that race with one refresh token from a reuse of it (RFC 9700 section 4.14.2). Those that race overlap: the client sends
 * one before it has the answer to another. A reuse comes when the token was used up and answered.
 */
export class RefreshRaces {
  readonly #running = new Map<string, number>()
  readonly #raced = new LRUCache<string, true>({ max: 10_000, ttl: burstMs })

  /** Takes note of a request with a token. @returns to be called at its end */
  begin(token: string): () => void {
    const others = this.#running.get(token) ?? 0
    if (others > 0) this.#raced.set(token, true)
    this.#running.set(token, others + 1)
    return () => {
      const left = (this.#running.get(token) ?? 1) - 1
      if (left > 0) this.#running.set(token, left)
      else this.#running.delete(token)
    }
  }

  /** Whether several requests with the token overlapped, a moment ago at the most. */
  has(token: string): boolean {
    return this.#raced.has(token)
  }
}
