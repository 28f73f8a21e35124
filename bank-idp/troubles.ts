import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { alone, type Shared } from './shared.js'

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

/** Under which replicas tell each other of them. */
const topic = 'troubles'

/** The troubles of one bank, the first one first. */
export class Troubles {
  /** By ids, since two may be alike. */
  readonly #left = new Map<string, Trouble>()
  readonly #shared: Shared
  #hurry = new AbortController()

  constructor(shared: Shared = alone) {
    this.#shared = shared
  }

  /** Takes up what other replicas were told. */
  begin(): Promise<void> {
    return this.#shared.remember(topic, {
      forget: () => this.#left.clear(),
      takeUp: (id, trouble) => {
        if (trouble === undefined) this.#left.delete(id)
        else this.#left.set(id, JSON.parse(trouble) as Trouble)
      },
    })
  }

  async add(trouble: Trouble): Promise<void> {
    const [id, added] = [randomUUID(), { times: 1, ...trouble }]
    this.#left.set(id, added)
    await this.#shared.tell(topic, id, JSON.stringify(added))
  }

  list(): readonly Trouble[] {
    return [...this.#left.values()]
  }

  /** Whether there is any for a route, whoever asks. */
  expects(route: string): boolean {
    return this.list().some((trouble) => trouble.route === route)
  }

  /** The next one for an answer, which counts as had. */
  async take(route: string, clientId: string | undefined): Promise<Trouble | undefined> {
    for (const [id, found] of this.#left) {
      const { route: at, client = clientId } = found
      if (at !== route || client !== clientId) continue
      const left = onceLess(found)
      if (left) this.#left.set(id, left)
      else this.#left.delete(id)
      const had = await this.#shared.change(topic, id, (told) => {
        const others = onceLess(JSON.parse(told) as Trouble)
        return others ? JSON.stringify(others) : null
      })
      if (had) return found
    }
    return undefined
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

  async clear(): Promise<void> {
    const ids = [...this.#left.keys()]
    this.#left.clear()
    for (const id of ids) await this.#shared.tell(topic, id, null)
  }
}

/** What is left once it was had; undefined where nothing is. */
function onceLess({ times = 1, ...trouble }: Trouble): Trouble | undefined {
  return times > 1 ? { ...trouble, times: times - 1 } : undefined
}
