import { AsyncLocalStorage } from 'node:async_hooks'

/** One of the ways in which a rule tries the same thing. */
export interface Variation {
  /** One within another has that one's name first. */
  name: string
  /** Id of evidence: what has a lower one is not the variation's. */
  since: string
}

const running = new AsyncLocalStorage<Variation | undefined>()

/** The variation in which the code runs, if it does in one. */
export function variationNow(): Variation | undefined {
  return running.getStore()
}

/** Runs code in a variation; in none where it is done for others too. */
export function within<Outcome>(variation: Variation | undefined, work: () => Promise<Outcome>): Promise<Outcome> {
  return running.run(variation, work)
}
