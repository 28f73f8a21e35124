import { now } from '../clock.js'
import { errorTable } from '../errors.js'
import type { ActiveFaults } from '../faults/active.js'
import { reasonOf } from '../keys/client-keys.js'
import type { Outbound } from '../keys/outbound.js'
import type { Log } from '../log.js'
import type { Outbox, Parcel } from '../store/outbox.js'
import type { EventToken } from './event-tokens.js'
import { askedPause, pauseAfter } from './retry.js'

/** Parcels under way to one receiver at a time. */
const width = 4
/** What an attempt can take at the most, in milliseconds: as long it is under way, and its line waits. */
const longestAttempt = 10_000
/** How often the outbox is looked at for attempts that are due, in milliseconds of the machine's clock. */
const glance = 1_000
/** How long what is new for a receiver gathers before it is sent, in milliseconds. */
const gathering = 50
/** Characters of a refusal that are kept in the outbox. */
const longestReason = 300

/** Statuses that refuse the token itself, which would be no better another time (OpenID Back-Channel Logout 1.0 section 2.8). */
const refusals = [400, 413]

interface DeliveryOptions {
  outbox: Outbox
  outbound: Outbound
  makeToken(parcel: Parcel): Promise<EventToken>
  /** Seconds after which a parcel that does not arrive is given up. */
  retryFor: number
  log: Log
  faults: ActiveFaults
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

/**
 * Delivers what is in the outbox: at least once, in order for each person, each receiver by itself. A receiver that is slow or dead
 * holds up its own parcels alone.
 */
export class Delivery {
  readonly #options: DeliveryOptions
  readonly #workers = new Map<string, number>()
  readonly #running = new Set<Promise<void>>()
  readonly #gathering = new Map<string, NodeJS.Timeout>()
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(options: DeliveryOptions) {
    this.#options = options
    options.outbox.onAdded((receivers) => {
      for (const receiver of receivers) this.#gather(receiver)
    })
  }

  /** Goes on with what an earlier process left. */
  start(): void {
    this.#look()
    this.#timer = setInterval(() => this.#look(), glance).unref()
  }

  /** Ends when what is under way has ended; the rest stays in the outbox. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    for (const timer of this.#gathering.values()) clearTimeout(timer)
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  #look(): void {
    this.#run(async () => {
      for (const receiver of await this.#options.outbox.dueReceivers()) this.#recruit(receiver)
    })
  }

  #gather(receiver: string): void {
    if (!this.#timer || this.#gathering.has(receiver)) return
    const send = () => {
      this.#gathering.delete(receiver)
      this.#recruit(receiver)
    }
    this.#gathering.set(receiver, setTimeout(send, gathering))
  }

  #recruit(receiver: string): void {
    const workers = this.#workers.get(receiver) ?? 0
    if (workers >= width) return
    this.#workers.set(receiver, workers + 1)
    this.#run(() => this.#work(receiver).finally(() => this.#dismiss(receiver)))
  }

  #dismiss(receiver: string): void {
    const workers = (this.#workers.get(receiver) ?? 1) - 1
    if (workers > 0) this.#workers.set(receiver, workers)
    else this.#workers.delete(receiver)
  }

  async #work(receiver: string): Promise<void> {
    const { outbox } = this.#options
    const again = (attempt: number) => now() + longestAttempt + pauseAfter(attempt)
    while (!this.#stopped) {
      const parcel = await outbox.take(receiver, again)
      if (!parcel) return
      this.#recruit(receiver)
      await this.#deliver(parcel)
    }
  }

  async #deliver(parcel: Parcel): Promise<void> {
    const { outbox, retryFor, log, faults } = this.#options
    const attempt = await this.#attempt(parcel).catch(
      (error: unknown): Attempt => ({ problem: reasonOf(error), logged: reasonOf(error), refused: false, pause: 0 }),
    )
    const { receiver, jti, attempts, since, items } = parcel
    const tell = (outcome: 'delivered' | 'failed' | 'split' | 'given up', problem?: string) =>
      log({ event: 'delivery', receiver, jti, attempts, outcome, ...(problem !== undefined && { problem }) })
    if (attempt === 'delivered') {
      await outbox.delivered(parcel)
      return tell('delivered')
    }
    const { problem, logged, refused, pause } = attempt
    if (refused && items.length > 1) {
      await outbox.split(parcel, problem)
      return tell('split', logged)
    }
    const next = now() + Math.max(pauseAfter(attempts), pause)
    const lost = items.some(({ clientId }) => faults.leavesOut('notification/redelivery', clientId))
    const givenUp = refused || lost || next > since + retryFor * 1000
    await outbox.failed(parcel, problem, givenUp ? undefined : next)
    tell(givenUp ? 'given up' : 'failed', logged)
  }

  async #attempt(parcel: Parcel): Promise<Attempt> {
    const { outbound, makeToken } = this.#options
    const { field, jwt } = await makeToken(parcel)
    const response = await outbound.fetch(parcel.receiver, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
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
      problem: `status ${status}${text ? `: ${text.slice(0, longestReason)}` : ''}`,
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
