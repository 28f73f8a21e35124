/** Milliseconds between the starts of two requests once a bank has answered 429; twice as many each time it does so again, at most the last. */
const gapsMs = { first: 20, longest: 640 }

/** Answers in a row other than 429 after which half the distance is tried; twice as many each time that was too little. */
const answersBeforeCloser = 300

/** Distances of which the first are short and the last are long: a bank that goes by the pace serves more requests in a row at the long ones. */
const comparedGapsMs = { short: 40, long: 160 }

/**
 * Answers from one 429 to the next at short distances below which nothing is told by how many there are at long ones, and how many times as
 * many there are where the pace counts.
 */
const comparedAnswers = { fewest: 20, factor: 1.5 }

/** The distance at which a bank that answers 429 is sent requests: it grows with each, shrinks after many others, and is none where it does not help. */
export class Distance {
  private gap = 0
  private answers = 0
  private beforeCloser = answersBeforeCloser
  private cameCloser = false
  private isByPace = true
  private readonly short = { answers: 0, refusals: 0 }
  private readonly long = { answers: 0, refusals: 0 }

  /** Milliseconds between the starts of two requests; 0 for none. */
  get milliseconds(): number {
    return this.gap
  }

  /** Called with each answer other than 429: a bank that is busy now and then takes more again later. */
  answered(): void {
    this.answers += 1
    this.count('answers')
    if (this.gap === 0 || this.answers < this.beforeCloser) return
    this.gap = this.gap > gapsMs.first ? this.gap / 2 : 0
    this.answers = 0
    this.cameCloser = true
  }

  /** Called with each 429 that does not tell the same as the last one. */
  refused(): void {
    this.count('refusals')
    this.isByPace &&= this.helps()
    this.gap = this.isByPace ? Math.min(Math.max(gapsMs.first, 2 * this.gap), gapsMs.longest) : 0
    if (this.cameCloser) this.beforeCloser *= 2
    this.cameCloser = false
    this.answers = 0
  }

  private count(what: 'answers' | 'refusals'): void {
    if (this.gap > 0 && this.gap <= comparedGapsMs.short) this.short[what] += 1
    if (this.gap >= comparedGapsMs.long) this.long[what] += 1
  }

  /** Whether more requests in a row are served the farther they are apart, as far as was seen: a bank may as well refuse each sixtieth, or some by chance. */
  private helps(): boolean {
    const { short, long } = this
    if (short.refusals === 0 || long.refusals === 0) return true
    const inRow = short.answers / short.refusals
    return inRow < comparedAnswers.fewest || long.answers / long.refusals >= comparedAnswers.factor * inRow
  }
}
