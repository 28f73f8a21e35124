import { Latest } from './latest.js'

/** Milliseconds for which further requests belong to a race: a burst does not arrive all at once. */
export const burstMs = 5_000

/**
 * Tells requests that race with one refresh token from a reuse of it (RFC 9700 section 4.14.2). Those that race overlap: the client sends
 * one before it has the answer to another, though that may be out when the other's connection is at last encrypted. A reuse comes when the
 * token was used up and answered.
 */
export interface RefreshRaces {
  /** Whether an end has to be noted before the answer is out, so that whoever comes to another replica with it is later. */
  readonly endBeforeAnswer: boolean
  /**
   * Takes note of a request with a token.
   *
   * @param arrivedAt in milliseconds of performance.now()
   * @returns to be called at its end
   */
  begin(token: string, arrivedAt: number): Promise<() => Promise<void>>
  /** Whether several requests with the token overlapped, a moment ago at the most. */
  has(token: string): Promise<boolean>
}

/** Those of a bank that is its own only replica, in memory. */
export class OwnRefreshRaces implements RefreshRaces {
  readonly endBeforeAnswer = false
  readonly #running = new Map<string, number>()
  /** When the last request with a token ended, in milliseconds of performance.now(). */
  readonly #ended = new Latest<number>(10_000, burstMs)
  readonly #raced = new Latest<true>(10_000, burstMs)

  async begin(token: string, arrivedAt: number): Promise<() => Promise<void>> {
    const others = this.#running.get(token) ?? 0
    if (others > 0 || arrivedAt < (this.#ended.get(token) ?? 0)) this.#raced.set(token, true)
    this.#running.set(token, others + 1)
    return async () => {
      const left = (this.#running.get(token) ?? 1) - 1
      if (left > 0) this.#running.set(token, left)
      else this.#running.delete(token)
      this.#ended.set(token, performance.now())
    }
  }

  async has(token: string): Promise<boolean> {
    return this.#raced.has(token)
  }
}
