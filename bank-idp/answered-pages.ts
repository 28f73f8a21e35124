import { Latest } from './latest.js'

/** A page of a login that was answered. */
export interface AnsweredPage {
  /** The name of its prompt. */
  page: 'login' | 'second_factor' | 'select_account' | 'consent' | 'identify' | 'sign'
  clientName: string
  /** Whether the login ended there without a code. */
  ended: boolean
}

/** The pages that were answered, the last ones, in memory: who goes back to one is told what happened there. */
export class AnsweredPages {
  readonly #byId = new Latest<AnsweredPage & { counts?: true }>(10_000)

  /** @param uid of the address, which nobody guesses */
  answered(uid: string, page: AnsweredPage): void {
    this.#byId.set(uid, page)
  }

  /** The login went on from the answer, which counts from now on. */
  wentOn(uid: string): void {
    const page = this.#byId.get(uid)
    if (page) page.counts = true
  }

  /** What was done at a page, where that counts. */
  of(uid: string): AnsweredPage | undefined {
    const page = this.#byId.get(uid)
    return page?.counts && page
  }
}
