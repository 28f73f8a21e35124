import { AsyncLocalStorage } from 'node:async_hooks'

const wearing = new AsyncLocalStorage<true>()

/** Does work in another dress: what is said to the bank on the way is as good as ever, and otherwise unlike what it is by default. */
export function inOtherDress<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  return wearing.run(true, work)
}

/** Whether the code runs in another dress. */
export function isDressed(): boolean {
  return wearing.getStore() === true
}
