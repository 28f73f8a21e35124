import { Latest } from './latest.js'

/** A page of a login that was answered. */
export interface AnsweredPage {
  /** The name of its prompt. */
  page: 'login' | 'second_factor' | 'select_account' | 'consent' | 'identify' | 'sign'
  clientName: string
  /** Whether the login ended there without a code. */
  ended: boolean
}

/** The pages that were answered, of late: who goes back to one is told what happened there. */
export interface AnsweredPages {
  /** @param uid of the address, which nobody guesses */
  answered(uid: string, page: AnsweredPage): void
  /** The login went on from the answer, which counts from now on. */
  wentOn(uid: string): void
  /** What was done at a page, where that counts. */
  of(uid: string): Promise<AnsweredPage | undefined>
}

/** Those of a bank that is its own only replica: the last ones, in memory. */
export class OwnAnsweredPages implements AnsweredPages {
  readonly #byId = new Latest<AnsweredPage & { counts?: true }>(10_000)

  answered(uid: string, page: AnsweredPage): void {
    this.#byId.set(uid, page)
  }

  wentOn(uid: string): void {
    const page = this.#byId.get(uid)
    if (page) page.counts = true
  }

  async of(uid: string): Promise<AnsweredPage | undefined> {
    const page = this.#byId.get(uid)
    return page?.counts && page
  }
}
