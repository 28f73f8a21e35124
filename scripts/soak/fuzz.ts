import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { LogEntry } from '../../bank-idp/log.js'
import { doorBySchema } from './fuzz-door.js'
import { makeFetched } from './fuzz-fetched.js'
import { endpoints } from './fuzz-requests.js'
import type { Fetched, Make, Values } from './fuzz-values.js'
import { growth, type Held, held } from './growth.js'
import { type Answered, LiveBank, type LiveClient, type Sent } from './live-bank.js'
import { sealedForRos } from './request-object.js'
import { storedRows } from './stored-rows.js'

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
  /** What the process holds: once all is warm, and now. */
  held: [before: Held, now: Held]
  /** Rows of what ends by itself: at the most, and after all of it had ended. */
  rows: [most: number, left: number]
}

export interface FuzzOptions {
  requests: number
  /** The same one makes the same requests, but for what the bank itself chooses. */
  seed: number
  /** Part of the names of the endpoints that are asked. */
  only?: string | undefined
  /** Address of a PostgreSQL database that the bank keeps its store in; else it is a file. */
  store?: string | undefined
  onFailure?(failure: Failure): void
  /** Told from time to time how far it is. */
  onProgress?(fuzzed: Fuzzed): void
}

/** Rounds of requests between two tellings of how far it is. */
const roundsTold = 100

/** Requests after which all that fills up is full, or nearly so. */
const warmAfter = 2_000

/** How many failures are kept. */
const mostFailures = 50

/** What Node says of a request that is none. */
const unsendable = ['ERR_INVALID_CHAR', 'ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_HTTP_TOKEN']

/** Requests that are under way at once. */
const atOnce = 16

/** Seconds after which all has ended that ends by itself, and has been swept: over a year, for refresh tokens. */
const allOverSeconds = 500 * 24 * 3600

/** What is wrong with an answer; undefined when nothing is. */
function wrong({ status, headers, text }: Answered): string | undefined {
  if (status === 503) return headers['retry-after'] === undefined ? '503 without Retry-After' : undefined
  if (status >= 500 && !text.includes('user_not_eligible')) return `status ${status}: ${text.slice(0, 200)}`
  // Headers that are too long are answered before there is a request.
  if (status !== 431 && headers['x-content-type-options'] !== 'nosniff') return 'no nosniff'
  return undefined
}

/** What the requests of a whole fuzzing are made with. */
interface Lasting {
  live: LiveBank
  fetched: Fetched
  requestObject: Values['requestObject']
}

/**
 * Values of the bank's own, without which most requests would end at the first check. Where a request was good enough to rule the bank (the next
 * login is to fail, the client is changed or gone, the person is blocked, a part of it is out of order), that is put right first.
 *
 * @throws Error where a good login does not succeed all the same
 */
async function valuesOf(lasting: Lasting): Promise<Values> {
  const { live } = lasting
  return goodValues(lasting).catch(async () => {
    const headers = { 'content-type': 'application/json' }
    const tell = (path: string, given: object) =>
      live.send({ door: true, method: 'POST', path, headers, body: JSON.stringify(given) })
    await tell('/people/jana', { blocked: false })
    const { text } = await live.send({ door: true, method: 'GET', path: '/outages' })
    for (const { part, from } of JSON.parse(text) as { part: string; from: string }[])
      await tell('/outages/end', { part, from })
    live.client = await registered(live)
    return goodValues(lasting)
  })
}

function registered(live: LiveBank): Promise<LiveClient> {
  return live.register({
    scope: 'openid authorization profile.name offline_access',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  })
}

async function goodValues({ live, fetched, requestObject }: Lasting): Promise<Values> {
  const code = await live.code()
  const redeemed = await live.redeem(await live.code())
  if (redeemed.status !== 200) throw new Error(`a good login ends with status ${redeemed.status}: ${redeemed.text}`)
  const tokens = JSON.parse(redeemed.text) as Values['tokens']
  const { page } = await live.browse(`/auth?${live.query({ prompt: 'login' })}`, [])
  const interaction = /\/interaction\/[\w-]+/.exec(page)?.[0] ?? '/interaction/none'
  return { live, code, tokens, interaction, assertions: new Map(), fetched, requestObject }
}

/** Every endpoint, and the control door by the schemas of its operations. */
const all: Readonly<Record<string, fc.Arbitrary<Make>>> = { ...endpoints, 'door by its schemas': doorBySchema }

/** Has all end that ends by itself. @returns how many rows are left of it, by table */
async function outlived(live: LiveBank, data: string, store?: string): Promise<Map<string, number>> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ advance_seconds: allOverSeconds })
  const { status, text } = await live.send({ door: true, method: 'POST', path: '/clock', headers, body })
  if (status !== 200) throw new Error(`the clock cannot be moved: ${text}`)
  return storedRows(data, store)
}

/**
 * Sends what nobody would send: each endpoint of the bank and of its control door gets requests made of good and hostile parts, and whatever the
 * bank fetches meanwhile is hostile too. What it holds on to afterwards is a failure as well.
 */
export async function fuzzBank({ requests, seed, only, store, onFailure, onProgress }: FuzzOptions): Promise<Fuzzed> {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-fuzz-'))
  const live = await LiveBank.start({ data, store })
  let beside = await LiveBank.start()
  const none = { memory: 0, handles: new Map() }
  const fuzzed: Fuzzed = {
    requests: 0,
    statuses: new Map(),
    failures: [],
    slowest: 0,
    held: [none, none],
    rows: [0, 0],
  }
  const fail = (endpoint: string, why: string, sent: Sent = { method: '', path: '' }) => {
    onFailure?.({ endpoint, why, sent })
    if (fuzzed.failures.length < mostFailures) fuzzed.failures.push({ endpoint, why, sent })
  }
  const chosen = Object.entries(all).filter(([name]) => only === undefined || name.includes(only))

  const logs: LogEntry[] = []
  async function ask(name: string, make: Make, values: Values): Promise<void> {
    const sent = await make(values)
    const began = performance.now()
    try {
      const answer = await (sent.beside ? beside : live).send(sent)
      const counts = fuzzed.statuses.get(name) ?? new Map<number, number>()
      fuzzed.statuses.set(name, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1))
      const why = wrong(answer)
      if (why !== undefined) fail(name, why, sent)
    } catch (error) {
      // What cannot be sent at all (a line end in a header) never reached the bank.
      if (!unsendable.includes(String((error as { code?: string }).code))) fail(name, String(error), sent)
    }
    fuzzed.slowest = Math.max(fuzzed.slowest, Math.round(performance.now() - began))
  }

  async function look(): Promise<void> {
    // It was asked to know ever more people and clients, and to remember all of them several times.
    logs.push(...beside.log)
    await beside.close()
    beside = await LiveBank.start()
    if (fuzzed.requests >= warmAfter && fuzzed.held[0] === none) fuzzed.held[0] = await held()
    fuzzed.held[1] = await held()
    const rows = [...(await storedRows(data, store)).values()].reduce((sum, count) => sum + count, 0)
    fuzzed.rows[0] = Math.max(fuzzed.rows[0], rows)
  }

  try {
    live.client = await registered(live)
    const lasting = { live, fetched: await makeFetched(live), requestObject: await sealedForRos(live) }
    let values = await valuesOf(lasting)
    for (let round = 0; fuzzed.requests < requests; round += 1) {
      // Codes, tokens and assertions are used up, and pages end: what is hostile beside a good value is only seen while it is good.
      if (round % 20 === 19) values = await valuesOf(lasting)
      for (const endpoint of ['/token', '/token-info', '/revoke', '/device_authorization'])
        values.assertions.set(endpoint, await live.assertion(endpoint))
      const made = chosen.flatMap(([name, arbitrary], at) =>
        fc
          .sample(arbitrary, {
            numRuns: Math.max(1, Math.ceil(atOnce / chosen.length)),
            seed: seed + round * 97 + at * 7919,
          })
          .map((make) => ({ name, make })),
      )
      for (let at = 0; at < made.length; at += atOnce) {
        await Promise.all(made.slice(at, at + atOnce).map(({ name, make }) => ask(name, make, values)))
        fuzzed.requests += Math.min(atOnce, made.length - at)
      }
      if (round % roundsTold === roundsTold - 1) {
        await look()
        onProgress?.(fuzzed)
      }
    }
    await look()
    if (fuzzed.held[0] !== none) for (const grown of growth(...fuzzed.held)) fail('growth', grown)
    for (const [table, rows] of await outlived(live, data, store)) {
      fuzzed.rows[1] += rows
      if (rows > 0) fail('growth', `${rows} rows of ${table} outlive all that they are about`)
    }
    for (const entry of [...live.log, ...logs]) {
      if (entry.event === 'error') fail('log', `${entry.message}\n${entry.stack}`)
      if (entry.event === 'request') {
        const { method, path } = entry
        fail('log', `a refusal without a name: ${JSON.stringify(entry)}`, { method, path })
      }
    }
    return fuzzed
  } finally {
    await Promise.all([live.close(), beside.close()])
    rmSync(data, { recursive: true, force: true })
  }
}
