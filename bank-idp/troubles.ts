import { setTimeout } from 'node:timers/promises'

/** What is wrong with an answer of the bank; what it was asked it did all the same. One member at least. */
export interface Trouble {
  /** A method and a path below the bank's address, such as `POST /token`. */
  route: string
  /** client_id of the one client that it concerns, where the bank comes to know who asks. */
  client?: string
  /** How many answers it concerns. Default: 1. */
  times?: number
  /** The status in place of the bank's; the body goes with it, unless {@link Trouble.body} is given. */
  status?: number
  /** The body in place of the bank's. */
  body?: string
  /** Seconds of the machine's time for which the answer waits. */
  delay_seconds?: number
  /** The connection is reset in place of an answer, or in the midst of its body; or the body is bytes that mean nothing. */
  broken?: 'reset' | 'truncated' | 'garbled'
}

/** The troubles of one bank, the first one first. */
export class Troubles {
  #left: Trouble[] = []
  #hurry = new AbortController()

  add(trouble: Trouble): void {
    this.#left.push({ times: 1, ...trouble })
  }

  list(): readonly Trouble[] {
    return this.#left
  }

  /** Whether there is any for a route, whoever asks. */
  expects(route: string): boolean {
    return this.#left.some((trouble) => trouble.route === route)
  }

  /** The next one for an answer, which counts as had. */
  take(route: string, clientId: string | undefined): Trouble | undefined {
    const found = this.#left.find(({ route: at, client = clientId }) => at === route && client === clientId)
    if (!found) return undefined
    this.#left = this.#left.flatMap((one) => {
      if (one !== found) return [one]
      const times = (one.times ?? 1) - 1
      return times > 0 ? [{ ...one, times }] : []
    })
    return found
  }

  /** Resolves after so many seconds, or when there is a {@link Troubles.hurry}. */
  async delay(seconds: number): Promise<void> {
    await setTimeout(seconds * 1000, undefined, { signal: this.#hurry.signal }).catch(() => {})
  }

  /** Answers are not delayed any more, those under way neither. @returns has them delayed again from then on */
  hurry(): () => void {
    this.#hurry.abort()
    return () => {
      this.#hurry = new AbortController()
    }
  }

  clear(): void {
    this.#left = []
  }
}
