import { jest } from '@jest/globals'
import { EvidenceLog } from '../evidence/evidence.js'
import { Masking } from '../evidence/masking.js'
import { HttpResponse } from './http.js'
import { pacedClient } from './pace.js'

const url = 'https://bank.example/token'

/** Sends so many requests, one after the other, to a bank that answers the n-th, from 1, so. @returns milliseconds from one to the next */
async function distances(count: number, answer: (n: number) => { status: number; retryAfter?: string }) {
  const context = { evidence: new EvidenceLog(new Masking()).recorder(), signal: new AbortController().signal }
  const at: number[] = []
  const client = pacedClient(
    {
      async send(request) {
        at.push(Date.now())
        const { status, retryAfter } = answer(at.length)
        const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
        return new HttpResponse(request, status, headers, '', '1')
      },
      async close() {},
    },
    { address: 'https://bank.example', concurrency: 1 },
  )
  const statuses: number[] = []
  const sending = (async () => {
    for (let n = 0; n < count; n += 1) statuses.push((await client.send({ method: 'POST', url }, context)).status)
  })()
  let isOver = false
  const over = () => {
    isOver = true
  }
  sending.then(over, over)
  while (!isOver) await jest.advanceTimersToNextTimerAsync()
  await sending
  return { statuses, between: at.slice(1).map((time, i) => time - (at[i] ?? 0)) }
}

describe('a paced client', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  test('keeps a distance after 429, and comes closer again after many other answers', async () => {
    const { between } = await distances(320, (n) => (n === 2 ? { status: 429, retryAfter: '1' } : { status: 200 }))
    expect(between[10]).toBeGreaterThan(10)
    expect(Math.min(...between.slice(-15))).toBeLessThan(10)
  })

  test('keeps no distance at a bank that refuses each 61st, and waits for it as long as it serves the others', async () => {
    const { statuses, between } = await distances(6000, (n) =>
      n % 61 === 0 ? { status: 429, retryAfter: '1' } : { status: 200 },
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(new Set(between.slice(-1000))).toEqual(new Set([0, 1000]))
  })

  test('keeps the distance at which a bank that takes six requests a second refuses none', async () => {
    let [taken, since] = [0, 0]
    const { statuses, between } = await distances(400, () => {
      if (Date.now() - since >= 1000) [taken, since] = [0, Date.now()]
      taken += 1
      return taken > 6 ? { status: 429, retryAfter: '1' } : { status: 200 }
    })
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(new Set(between.slice(100, 300))).toEqual(new Set([320]))
  })

  test('gives up where a bank serves few requests between two that it refuses for long', async () => {
    const few = distances(100, (n) => (n % 10 === 0 ? { status: 429, retryAfter: '20' } : { status: 200 }))
    await expect(few).rejects.toThrow('the run waits 60 s in all while few others are answered')
  })

  test('repeats after 503 what is served a little later', async () => {
    const { statuses, between } = await distances(2, (n) =>
      n === 1 ? { status: 503, retryAfter: '1' } : { status: 200 },
    )
    expect(statuses).toEqual([200, 200])
    expect(between[0]).toBeGreaterThan(990)
  })

  test('gives back a 503 that tells of a long outage', async () => {
    const { statuses } = await distances(2, () => ({ status: 503, retryAfter: '3600' }))
    expect(statuses).toEqual([503, 503])
  })
})
