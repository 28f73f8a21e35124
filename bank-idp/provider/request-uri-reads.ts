import { LRUCache } from 'lru-cache'
import type { Limits } from '../limits.js'

/** How long what was read can be answered for, in milliseconds. */
const windowMs = 10_000

/** Reads of one address at a time. */
const maxUnderWay = 5

/** Addresses that are remembered; each answer has 256 KiB at the most. */
const maxAddresses = 100

interface Reads<Answer> {
  /** When they began, in milliseconds of performance.now(). */
  at: number[]
  underWay: number
  last: Promise<Answer>
  /** The last answer that was of use, and when its read began. */
  good?: { answer: Answer; began: number }
}

/**
 * Reads of request_uri: whoever has a browser can ask for one as often as they like, and each would be a request of the bank's to the client. A
 * few are made at a time, and so many within ten seconds; beyond that the last answer counts that was of use within that time: somebody who
 * provokes a failure keeps nobody out by it. Only where there is none, the last failure counts.
 */
export class RequestUriReads<Answer> {
  readonly #most: number
  readonly #known = new LRUCache<string, Reads<Answer>>({ max: maxAddresses })

  constructor({ requestUriReads }: Pick<Limits, 'requestUriReads'>) {
    this.#most = requestUriReads
  }

  /**
   * @param address with its fragment: a client that changes it has changed the object (OpenID Connect Core section 6.2)
   * @param isGood whether an answer is of use
   */
  read(address: string, fetch: () => Promise<Answer>, isGood: (answer: Answer) => boolean): Promise<Answer> {
    const began = performance.now()
    const known = this.#known.get(address) ?? { at: [], underWay: 0 }
    const at = known.at.filter((earlier) => earlier > began - windowMs)
    if ('last' in known && (at.length >= this.#most || known.underWay >= maxUnderWay)) {
      const { good, last } = known
      return good && good.began > began - windowMs ? Promise.resolve(good.answer) : last
    }
    const last = fetch()
      .then((answer) => {
        if (isGood(answer)) reads.good = { answer, began }
        return answer
      })
      .finally(() => {
        reads.underWay -= 1
      })
    const reads: Reads<Answer> = Object.assign(known, { at: [...at, began], underWay: known.underWay + 1, last })
    this.#known.set(address, reads)
    return last
  }
}
