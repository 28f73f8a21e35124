/** Tells for how long something was under way, however many at once. */
export class Stopwatch {
  #underWay = 0
  #since = 0
  #over = 0

  /** Does something, and counts the time that it takes. */
  async during<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#underWay === 0) this.#since = performance.now()
    this.#underWay += 1
    try {
      return await work()
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#over += performance.now() - this.#since
    }
  }

  /** Milliseconds in which at least one was under way so far. */
  spent(): number {
    return this.#over + (this.#underWay > 0 ? performance.now() - this.#since : 0)
  }
}
