import type { Lock, Rule } from './rule.js'

/** What a turn is given by: what has to be free for the rule, and when it comes. */
type Bid = Pick<Rule, 'alone' | 'needs' | 'waits' | 'last'>

/** Ends a turn: what waited for it may begin. */
type End = () => void

/**
 * Says when rules may begin, whether they are asked for all at once or one after the other: so many side by side, those that ask for
 * the same lock one after the other, those that wait for time to pass first and beside the others, those that judge what the others asked
 * for after them, and those that have time pass at the bank when nothing else is under way or waits.
 */
export class Turns {
  private readonly waiting: { bid: Bid; begin(end: End | undefined): void }[] = []
  private readonly running = new Set<Bid>()
  private readonly held = new Set<Lock>()

  /**
   * @param concurrency rules side by side, not counting those that wait for time to pass, but where it is 1
   * @param signal has no further rule begin
   */
  constructor(
    private readonly concurrency: number,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.fill(), { once: true })
  }

  /** Resolves when the rule may begin, with what ends its turn; without it when it is not to begin any more. */
  take({ alone, needs, waits, last }: Bid): Promise<End | undefined> {
    return new Promise((begin) => {
      const others = waits ? this.waiting.findIndex(({ bid }) => !bid.waits) : -1
      this.waiting.splice(others < 0 ? this.waiting.length : others, 0, { bid: { alone, needs, waits, last }, begin })
      // Those that are asked for in one go are weighed together.
      queueMicrotask(() => this.fill())
    })
  }

  private fill(): void {
    if (this.signal.aborted) for (const { begin } of this.waiting.splice(0)) begin(undefined)
    for (;;) {
      const next = this.waiting.findIndex(({ bid }) => this.mayBegin(bid))
      const [first] = next < 0 ? [] : this.waiting.splice(next, 1)
      if (!first) return
      const { bid, begin } = first
      this.running.add(bid)
      for (const lock of bid.alone) this.held.add(lock)
      begin(() => this.end(bid))
    }
  }

  private end(bid: Bid): void {
    this.running.delete(bid)
    for (const lock of bid.alone) this.held.delete(lock)
    this.fill()
  }

  private mayBegin(bid: Bid): boolean {
    if (bid.alone.some((lock) => this.held.has(lock))) return false
    const running = [...this.running]
    // Who wants one at a time has a reason, such as a bank at which a sign-in ends the person's other sessions.
    if (this.concurrency === 1 && running.length > 0) return false
    if (!bid.waits && running.filter(({ waits }) => !waits).length >= this.concurrency) return false
    // When time passes at the bank nothing else is under way, and what can do without is done before.
    const all = [...running, ...this.waiting.map((other) => other.bid)]
    if (hasTimePass(bid)) return all.every(hasTimePass)
    if (bid.last) return all.every((other) => other.last || hasTimePass(other)) && !running.some(hasTimePass)
    return !running.some(hasTimePass)
  }
}

/** Whether a rule has time pass at the bank: what the bank gave before may have expired after it. */
export function hasTimePass({ needs }: Pick<Rule, 'needs'>): boolean {
  return needs.includes('clock')
}
