import { now } from '../clock.js'

/** How many seconds a client waits between two requests for one device code at first, and how many more each time it did not. */
export const pollIntervalSeconds = 5

/** Milliseconds after which what is known of a caller is forgotten. */
const retentionMs = 600_000

/** What is known of callers by some name, forgotten after a while; it need not outlive a restart. */
class Recent<Known extends { since: number }> {
  readonly #known = new Map<string, Known>()

  get(name: string): Known | undefined {
    for (const [old, { since }] of this.#known) {
      if (since + retentionMs > now()) break
      this.#known.delete(old)
    }
    return this.#known.get(name)
  }

  set(name: string, known: Known): void {
    this.#known.set(name, known)
  }
}

/** Tells who asks for the tokens of a device code too often (RFC 8628 section 3.5, slow_down). */
export class PollThrottle {
  readonly #requests = new Recent<{ since: number; at: number; interval: number }>()

  /** Takes note of a request. @returns whether it came too soon, which makes the interval longer */
  tooSoon(deviceCode: string): boolean {
    const last = this.#requests.get(deviceCode)
    const at = now()
    if (!last) {
      this.#requests.set(deviceCode, { since: at, at, interval: pollIntervalSeconds })
      return false
    }
    const tooSoon = at < last.at + last.interval * 1000
    this.#requests.set(deviceCode, { ...last, at, interval: last.interval + (tooSoon ? pollIntervalSeconds : 0) })
    return tooSoon
  }
}

/** Wrong user codes that one caller may send in ten minutes. */
const maxWrongCodes = 10

/** Holds back who tries user codes (RFC 8628 section 5.1). */
export class UserCodeThrottle {
  readonly #wrong = new Recent<{ since: number; count: number }>()

  /** A code is looked up: it counts as wrong until it is known not to be, so that of many sent side by side no more are looked up. */
  begin(caller: string): void {
    const { since, count } = this.#wrong.get(caller) ?? { since: now(), count: 0 }
    this.#wrong.set(caller, { since, count: count + 1 })
  }

  /** The code was not wrong. */
  release(caller: string): void {
    const known = this.#wrong.get(caller)
    if (known && known.count > 0) this.#wrong.set(caller, { ...known, count: known.count - 1 })
  }

  /** @returns seconds until the caller may try again; undefined when it may now */
  retryAfter(caller: string): number | undefined {
    const known = this.#wrong.get(caller)
    if (!known || known.count < maxWrongCodes) return undefined
    return Math.ceil((known.since + retentionMs - now()) / 1000)
  }
}
