import { Turns } from './turns.js'

const bid = { alone: [], needs: [], waits: false, last: false }

/** Which of two rules may begin before any has ended. */
async function begun(concurrency: number, ...bids: (typeof bid)[]): Promise<number> {
  const turns = new Turns(concurrency, new AbortController().signal)
  let count = 0
  for (const one of bids) {
    void turns.take(one).then(() => {
      count += 1
    })
  }
  await new Promise(setImmediate)
  return count
}

describe('turns', () => {
  const waiting = { ...bid, waits: true }

  test('come side by side, those that wait for time to pass beside the others', async () => {
    expect(await begun(2, bid, bid, bid, waiting, waiting)).toBe(4)
  })

  test('come one at a time where one alone is wanted, of those that wait too', async () => {
    expect(await begun(1, waiting, waiting, bid)).toBe(1)
  })

  test('come to the next when one ends', async () => {
    const turns = new Turns(1, new AbortController().signal)
    const end = await turns.take(waiting)
    const next = turns.take(bid)
    end?.()
    expect(await next).toBeInstanceOf(Function)
  })
})
