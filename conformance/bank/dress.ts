import { AsyncLocalStorage } from 'node:async_hooks'

/** In which dress, beside the default one, work can be done: `dressing.ts` has what each is like. */
export const dresses = ['another dress', 'a third dress', 'the least dress'] as const

export type Dress = (typeof dresses)[number]

/** Headers that every request carries in a dress: another one is worn for an organization that pays for an SLA. */
const headers: Readonly<Record<Dress, Readonly<Record<string, string>>>> = {
  'another dress': { 'x-sep-identifier': 'another-organization' },
  'a third dress': {},
  'the least dress': {},
}

const wearing = new AsyncLocalStorage<Dress>()

/** Does work in a dress: what is said to the bank on the way is as good as ever, and otherwise unlike what it is by default. */
export function inDress<Outcome>(dress: Dress, work: () => Promise<Outcome>): Promise<Outcome> {
  return wearing.run(dress, work)
}

/** Does work as it is done without any dress: what is found out about the bank once for every dress. */
export function outOfDress<Outcome>(work: () => Promise<Outcome>): Promise<Outcome> {
  return wearing.exit(work)
}

/** The dress that the code runs in; undefined in the default one. */
export function dressNow(): Dress | undefined {
  return wearing.getStore()
}

/** Whether the code runs in the least dress, in which no more is asked than shows that a client of few members is treated as others are. */
export function inLeastDress(): boolean {
  return dressNow() === 'the least dress'
}

/** What every request carries in the dress that the code runs in. */
export function dressHeaders(): Readonly<Record<string, string>> {
  const dress = dressNow()
  return dress ? headers[dress] : {}
}
