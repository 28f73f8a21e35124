/** The end of the last work of each that takes one at a time. */
const ends = new WeakMap<object, Promise<unknown>>()

/** Does some work once whatever was begun before it with the same one has ended, however that ended. */
export function inTurn<Outcome>(one: object, work: () => Promise<Outcome>): Promise<Outcome> {
  const ended = (ends.get(one) ?? Promise.resolve()).then(work)
  ends.set(
    one,
    ended.catch(() => {}),
  )
  return ended
}
