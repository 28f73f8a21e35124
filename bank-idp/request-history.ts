import type { FoundJwt, Message } from './messages.js'
import type { Reason } from './refusals.js'
import type { ToldRefusal } from './told-refusal.js'

/** A request that the bank got, and what it answered. It has secrets in it: it is shown to who asks at the bench, and never logged. */
export interface RequestEntry extends Message {
  /** Rising, from 1. */
  id: number
  /** When it came, by the bank's clock; ISO 8601. */
  at: string
  method: string
  /** Below the bank's address, without the query. */
  path: string
  query: Record<string, string | string[]>
  /** The client_id of who asked, where the bank came to know it. */
  client?: string
  /** Why it was refused, where it was. */
  refusal?: ToldRefusal & Reason
  /** Absent where the caller went away before there was one. */
  answer?: Message & { status: number }
  milliseconds: number
  /** Of a bank with a shared store: whose request it was. Each replica remembers its own. */
  replica?: string
}

export type { FoundJwt }

/** What is decoded of a request when it is looked at: hardly any ever is. */
type Decoded = Omit<RequestEntry, 'id' | 'method' | 'path' | 'replica'>

type Route = Pick<RequestEntry, 'method' | 'path' | 'replica'>

/** A request as it is remembered. */
class Remembered {
  readonly id: number
  readonly name: string
  readonly #route: Route
  /** How it is decoded, until it was. */
  #seen: (() => Decoded) | RequestEntry

  constructor(id: number, route: Route, decode: () => Decoded) {
    this.id = id
    this.name = `${route.method} ${route.path}`
    this.#route = route
    this.#seen = decode
  }

  get entry(): RequestEntry {
    if (typeof this.#seen === 'function') this.#seen = { ...this.#seen(), ...this.#route, id: this.id }
    return this.#seen
  }
}

/** Whether a request was refused, or came to nothing. */
export function wasRefused({ refusal, answer }: Pick<RequestEntry, 'refusal' | 'answer'>): boolean {
  return refusal !== undefined || answer === undefined
}

/** How many requests are remembered: the last ones. */
const kept = 200

/** The last requests to a bank, in memory. */
export class RequestHistory {
  readonly #replica: string | undefined
  #remembered: Remembered[] = []
  #lastId = 0
  readonly #watchers = new Set<{ added(one: Remembered): void; ended(why: string): void }>()
  /** Why none comes any more. */
  #ended: string | undefined

  /** @param replica which one of several it is that remembers */
  constructor(replica?: string) {
    this.#replica = replica
  }

  /** @param decode gives the rest of what is known of a request; called once at the most, and long after it was answered */
  add(route: Pick<RequestEntry, 'method' | 'path'>, decode: () => Decoded): void {
    this.#lastId += 1
    const whose = this.#replica === undefined ? route : { ...route, replica: this.#replica }
    const added = new Remembered(this.#lastId, whose, decode)
    this.#remembered.push(added)
    if (this.#remembered.length > kept) this.#remembered.shift()
    for (const watcher of this.#watchers) watcher.added(added)
  }

  /** Those of a route such as `POST /token`, or all; the first one first. @param after id of the entry that they came after */
  list(route?: string, after = 0): readonly RequestEntry[] {
    return this.#of(route, after).map(({ entry }) => entry)
  }

  /** The last one of a route such as `POST /token`, or of all. */
  last(route?: string): RequestEntry | undefined {
    return this.#of(route).at(-1)?.entry
  }

  /**
   * The first one of a route that came after another: at once where it is there, else when it is answered.
   *
   * @param timeoutSeconds of the machine's time
   * @param after id of the entry that it comes after; default: any that is remembered will do
   * @throws {Error} when it does not come in time, or the bank is closed or taken back before
   */
  waitFor(route: string, { timeoutSeconds = 5, after = 0 }: { timeoutSeconds?: number; after?: number } = {}) {
    const [there] = this.#of(route, after)
    if (there) return Promise.resolve(there.entry)
    return new Promise<RequestEntry>((resolve, reject) => {
      const fail = (why: string) => settle(() => reject(new Error(`no ${route} came ${why}`)))
      if (this.#ended !== undefined) return reject(new Error(`no ${route} came before ${this.#ended}`))
      const watcher = {
        added(one: Remembered) {
          if (one.name === route) settle(() => resolve(one.entry))
        },
        ended: (why: string) => fail(`before ${why}`),
      }
      const timer = setTimeout(
        () => fail(`within ${timeoutSeconds} s; the last request was ${this.#lastName()}`),
        timeoutSeconds * 1000,
      )
      const settle = (how: () => void) => {
        clearTimeout(timer)
        this.#watchers.delete(watcher)
        how()
      }
      this.#watchers.add(watcher)
    })
  }

  /** Nobody waits any more. @param why none comes, such as: the bank was closed */
  end(why: string): void {
    this.#ended = why
    for (const watcher of this.#watchers) watcher.ended(why)
  }

  clear(): void {
    this.#remembered = []
  }

  #lastName(): string {
    const last = this.#remembered.at(-1)?.name ?? 'none'
    return this.#replica === undefined ? last : `${last}, and replica ${this.#replica} remembers its own alone`
  }

  #of(route: string | undefined, after = 0): Remembered[] {
    return this.#remembered.filter(({ id, name }) => id > after && (route === undefined || route === name))
  }
}

/** The methods by which a test asks what came. */
export type AskedRequests = Pick<RequestHistory, 'list' | 'last' | 'waitFor' | 'clear'>
