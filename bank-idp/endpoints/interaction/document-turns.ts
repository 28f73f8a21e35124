import type { Response } from 'express'

/** Documents that are fetched or on their way at once, for one page and for all: each is in memory as a whole, up to 20 MiB, until it was taken. */
const most = { ofPage: 2, ofAll: 16 }

/** Milliseconds in which a browser has to take a document: who takes it slowly keeps others waiting. */
const patienceMs = 60_000

/** So many at a time; the others wait for their turn. */
class Places {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(free: number) {
    this.#free = free
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  give(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}

/** Has whoever looks at documents have them by turns: a page can be asked for them as often as somebody likes. */
export class DocumentTurns {
  readonly #all = new Places(most.ofAll)
  readonly #pages = new Map<string, { places: Places; users: number }>()

  /** Resolves when it is the turn of an answer, which ends with it. @param page names the page that the document is of */
  async take(page: string, res: Response): Promise<void> {
    const own = this.#pages.get(page) ?? { places: new Places(most.ofPage), users: 0 }
    this.#pages.set(page, own)
    own.users += 1
    await own.places.take()
    await this.#all.take()
    const cut = setTimeout(() => res.destroy(), patienceMs).unref()
    const end = () => {
      clearTimeout(cut)
      this.#all.give()
      own.places.give()
      own.users -= 1
      if (own.users === 0) this.#pages.delete(page)
    }
    // Who went away while they waited has no turn.
    if (res.closed || res.destroyed) end()
    else res.once('close', end)
  }
}
