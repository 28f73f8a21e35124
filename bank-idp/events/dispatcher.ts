import { now } from '../clock.js'
import { errorTable } from '../errors.js'
import { reasonOf } from '../keys/client-keys.js'
import type { Outbound } from '../keys/outbound.js'
import type { Log } from '../log.js'
import type { Seams } from '../seams.js'
import { runSteps, type Step } from '../steps.js'
import type { Delivery, Outbox } from '../store/outbox.js'
import type { EventToken } from './event-tokens.js'
import { askedPause, pauseAfter } from './retry.js'

/** Deliveries under way to one receiver at a time. */
const concurrency = 4
/** What an attempt can take at the most, in milliseconds: as long it is under way, and its line waits. */
const attemptTimeoutMs = 10_000
/** How often the outbox is looked at for attempts that are due, in milliseconds of the machine's clock. */
const pollIntervalMs = 1_000
/** How long what is new for a receiver gathers before it is sent, in milliseconds. */
const gatheringMs = 50
/** Characters of a refusal that are kept in the outbox. */
const maxReasonLength = 300

/** Statuses that refuse the token itself, which would be no better another time (OpenID Back-Channel Logout 1.0 section 2.8). */
const refusals = [400, 413]

interface DispatcherOptions {
  outbox: Outbox
  outbound: Outbound
  makeToken(delivery: Delivery): Promise<EventToken>
  /** Seconds after which a delivery that does not arrive is given up. */
  retryFor: number
  log: Log
  seams: Pick<Seams, 'leavesOut' | 'eventForm'>
}

/** How an attempt ended, when not well. */
interface Failure {
  /** In the receiver's words: for who looks into the outbox. */
  problem: string
  /** The same with nothing in it that the receiver said, for it may quote what it was sent: for the log. */
  logged: string
  refused: boolean
  /** Milliseconds that the receiver asks for. */
  pause: number
}

type Attempt = 'delivered' | Failure

/** What becomes of one event after an attempt that failed; times in milliseconds since the epoch. */
interface Retry {
  refused: boolean
  /** When it could be sent again, and until when it is. */
  next: number
  until: number
  /** When it is sent again; undefined: never. */
  at?: number
}

const retrySteps: readonly Step<Retry>[] = [
  {
    id: 'notification/redelivery',
    run(retry) {
      if (!retry.refused && retry.next <= retry.until) retry.at = retry.next
    },
  },
]

/**
 * Delivers what is in the outbox: at least once, in order for each person, each receiver by itself. A receiver that is slow or dead
 * holds up its own deliveries alone.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #workers = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()
  readonly #gatheringTimers = new Map<string, NodeJS.Timeout>()
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: DispatcherOptions) {
    this.#options = options
    options.outbox.onAdded((receivers) => {
      for (const receiver of receivers) this.#gather(receiver)
    })
  }

  /** Goes on with what an earlier process left. */
  start(): void {
    this.#poll()
    this.#timer = setInterval(() => this.#poll(), pollIntervalMs).unref()
  }

  /** Ends when what is under way has ended; the rest stays in the outbox. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    for (const timer of this.#gatheringTimers.values()) clearTimeout(timer)
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #poll(): void {
    this.#run(async () => {
      for (const receiver of await this.#options.outbox.dueReceivers()) this.#addWorker(receiver)
    })
  }

  #gather(receiver: string): void {
    if (!this.#timer || this.#gatheringTimers.has(receiver)) return
    const send = () => {
      this.#gatheringTimers.delete(receiver)
      this.#addWorker(receiver)
    }
    this.#gatheringTimers.set(receiver, setTimeout(send, gatheringMs))
  }

  #addWorker(receiver: string): void {
    const workers = this.#workers.get(receiver) ?? 0
    if (workers >= concurrency) return
    this.#workers.set(receiver, workers + 1)
    this.#run(() => this.#work(receiver).finally(() => this.#removeWorker(receiver)))
  }

  #removeWorker(receiver: string): void {
    const workers = (this.#workers.get(receiver) ?? 1) - 1
    if (workers > 0) this.#workers.set(receiver, workers)
    else this.#workers.delete(receiver)
  }

  async #work(receiver: string): Promise<void> {
    const { outbox } = this.#options
    const again = (attempt: number) => now() + attemptTimeoutMs + pauseAfter(attempt)
    while (!this.#stopped) {
      const delivery = await outbox.take(receiver, again)
      if (!delivery) return
      this.#addWorker(receiver)
      await this.#deliver(delivery)
    }
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { outbox, retryFor, log, seams } = this.#options
    const attempt = await this.#attempt(delivery).catch(
      (error: unknown): Attempt => ({ problem: reasonOf(error), logged: reasonOf(error), refused: false, pause: 0 }),
    )
    const { receiver, jti, attempts, since, items } = delivery
    const tell = (outcome: 'delivered' | 'failed' | 'split' | 'given up', problem?: string) =>
      log({ event: 'delivery', receiver, jti, attempts, outcome, ...(problem !== undefined && { problem }) })
    if (attempt === 'delivered') {
      await outbox.delivered(delivery)
      return tell('delivered')
    }
    const { problem, logged, refused, pause } = attempt
    if (refused && items.length > 1) {
      await outbox.split(delivery, problem)
      return tell('split', logged)
    }
    const next = now() + Math.max(pauseAfter(attempts), pause)
    const retries = items.map(async ({ clientId }) => {
      const retry: Retry = { refused, next, until: since + retryFor * 1000 }
      await runSteps(retrySteps, retry, seams, clientId)
      return retry.at
    })
    const givenUp = (await Promise.all(retries)).includes(undefined)
    await outbox.failed(delivery, problem, givenUp ? undefined : next)
    tell(givenUp ? 'given up' : 'failed', logged)
  }

  async #attempt(delivery: Delivery): Promise<Attempt> {
    const { outbound, makeToken, seams } = this.#options
    const { field: named, jwt } = await makeToken(delivery)
    const { field, contentType } = seams.eventForm({ field: named, contentType: 'application/x-www-form-urlencoded' })
    const response = await outbound.fetch(delivery.receiver, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body: new URLSearchParams({ [field]: jwt }).toString(),
    })
    const { ok, status, headers } = response
    // A token that was accepted is delivered, even if the rest of the answer never comes, or is too long.
    const text = await response.text().catch((error: unknown) => {
      if (ok) return ''
      throw error
    })
    if (ok) return 'delivered'
    return {
      problem: `status ${status}${text ? `: ${text.slice(0, maxReasonLength)}` : ''}`,
      logged: `status ${status}, ${errorCodeIn(text) ?? `${text.length} characters`}`,
      refused: refusals.includes(status),
      pause: askedPause(headers.get('retry-after'), now()),
    }
  }

  #run(work: () => Promise<void>): void {
    if (this.#stopped) return
    const running = work()
      .catch((error: Error) => this.#options.log({ event: 'error', message: error.message, stack: error.stack }))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }
}

/** The error code of a JSON answer (RFC 6749 section 5.2), when it is one that we know. */
function errorCodeIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    return Object.keys(errorTable).find((code) => code === error)
  } catch {
    return undefined
  }
}
