import fc from 'fast-check'
import { endpoints } from './fuzz-requests.js'
import type { Values } from './fuzz-texts.js'
import { type Answered, LiveBank, type Sent } from './live-bank.js'

/** A request that the bank failed at, and how. */
export interface Failure {
  endpoint: string
  why: string
  sent: Sent
}

/** What came of a fuzzing. */
export interface Fuzzed {
  requests: number
  /** By endpoint: how often each status came. */
  statuses: Map<string, Map<number, number>>
  /** Requests that the bank failed at, and why. */
  failures: Failure[]
  /** Milliseconds of the slowest answer. */
  slowest: number
  /** Megabytes of live memory before and after. */
  heap: [before: number, after: number]
}

export interface FuzzOptions {
  requests: number
  /** The same one makes the same requests, but for what the bank itself chooses. */
  seed: number
  /** Part of the names of the endpoints that are asked. */
  only?: string | undefined
  onFailure?(failure: Failure): void
  /** Told from time to time how far it is. */
  onProgress?(fuzzed: Fuzzed): void
}

/** Rounds of requests between two tellings of how far it is. */
const roundsTold = 100

/** How many failures are kept. */
const mostFailures = 50
/** What Node says of a request that is none. */
const unsendable = ['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_HTTP_TOKEN']

/** Requests that are under way at once. */
const atOnce = 16

/** What is wrong with an answer; undefined when nothing is. */
function wrong({ status, headers, text }: Answered): string | undefined {
  if (status === 503) return headers['retry-after'] === undefined ? '503 without Retry-After' : undefined
  if (status >= 500 && !text.includes('user_not_eligible')) return `status ${status}: ${text.slice(0, 200)}`
  // Headers that are too long are answered before there is a request.
  if (status !== 431 && headers['x-content-type-options'] !== 'nosniff') return 'no nosniff'
  return undefined
}

function heapMegabytes(): number {
  globalThis.gc?.()
  return Math.round(process.memoryUsage().heapUsed / 1e6)
}

/** Values of the bank's own, without which most requests would end at the first check. */
async function valuesOf(live: LiveBank): Promise<Values> {
  const code = await live.code()
  const tokens = JSON.parse((await live.redeem(await live.code())).text) as Values['tokens']
  const { page } = await live.browse(`/auth?${live.query({ prompt: 'login' })}`, [])
  const interaction = /\/interaction\/[\w-]+/.exec(page)?.[0] ?? '/interaction/none'
  return { live, code, tokens, interaction, assertions: new Map(), registration: await live.registrationHeaders() }
}

/**
 * Sends what nobody would send: each endpoint of the bank and of its control door gets requests made of good and hostile parts.
 */
export async function fuzzBank({ requests, seed, only, onFailure, onProgress }: FuzzOptions): Promise<Fuzzed> {
  const live = await LiveBank.start()
  const fuzzed: Fuzzed = { requests: 0, statuses: new Map(), failures: [], slowest: 0, heap: [0, 0] }
  const fail = (endpoint: string, why: string, sent: Sent) => {
    onFailure?.({ endpoint, why, sent })
    if (fuzzed.failures.length < mostFailures) fuzzed.failures.push({ endpoint, why, sent })
  }
  const chosen = Object.entries(endpoints).filter(([name]) => only === undefined || name.includes(only))
  try {
    let values = await valuesOf(live)
    fuzzed.heap[0] = heapMegabytes()
    for (let round = 0; fuzzed.requests < requests; round += 1) {
      // Codes, tokens and assertions are used up, and pages end: what is hostile beside a good value is only seen while it is good.
      if (round % 20 === 19) values = await valuesOf(live)
      for (const endpoint of ['/token', '/token-info', '/revoke', '/device_authorization'])
        values.assertions.set(endpoint, await live.assertion(endpoint))
      values.registration = await live.registrationHeaders()
      const made = chosen.flatMap(([name, arbitrary], at) =>
        fc
          .sample(arbitrary, {
            numRuns: Math.max(1, Math.ceil(atOnce / chosen.length)),
            seed: seed + round * 97 + at * 7919,
          })
          .map((make) => ({ name, make })),
      )
      for (let at = 0; at < made.length; at += atOnce) {
        await Promise.all(
          made.slice(at, at + atOnce).map(async ({ name, make }) => {
            const sent = make(values)
            const began = performance.now()
            try {
              const answer = await live.send(sent)
              const counts = fuzzed.statuses.get(name) ?? new Map<number, number>()
              fuzzed.statuses.set(name, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1))
              const why = wrong(answer)
              if (why !== undefined) fail(name, why, sent)
            } catch (error) {
              // What cannot be sent at all (a line end in a header) never reached the bank.
              if (!unsendable.includes(String((error as { code?: string }).code))) fail(name, String(error), sent)
            }
            fuzzed.slowest = Math.max(fuzzed.slowest, Math.round(performance.now() - began))
          }),
        )
        fuzzed.requests += Math.min(atOnce, made.length - at)
      }
      if (round % roundsTold === roundsTold - 1) {
        fuzzed.heap[1] = heapMegabytes()
        onProgress?.(fuzzed)
      }
    }
    fuzzed.heap[1] = heapMegabytes()
    for (const entry of live.log) {
      if (entry.event === 'error') fail('log', `${entry.message}\n${entry.stack}`, { method: '', path: '' })
      if (entry.event === 'request') {
        fail('log', `a refusal without a name: ${JSON.stringify(entry)}`, { method: entry.method, path: entry.path })
      }
    }
    return fuzzed
  } finally {
    await live.close()
  }
}
