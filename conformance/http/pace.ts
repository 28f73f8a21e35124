import { NoAnswer, Unreachable } from '../evidence/failure.js'
import { Distance } from './distance.js'
import type { ExchangeContext, HttpClient, HttpRequest, HttpResponse } from './http.js'
import { Slots } from './slots.js'

/** Requests in a row without an answer after which the bank is asked whether it is still there. */
const unansweredBeforeProbe = 5

/** How long a run waits in all for a bank that answers 429, in milliseconds, beside what other answers make up for. */
const throttledWaitMs = 60_000

/** What each other answer makes up for: whoever refuses one in a hundred serves a run all the same. */
const madeUpForMs = 50

/** How often one request is sent again after 429. */
const mostRepeats = 3

/** How long is waited in a row for a bank that serves nobody now, in milliseconds: what is out for longer is judged as it is. */
const outageWaitMs = 10_000

/** How soon a request is repeated at least, in milliseconds. */
const soonestMs = 250

export interface PacedClient extends HttpClient {
  /** How long requests were held back so far because the bank asked for it, in milliseconds. */
  heldBack(): number
}

/**
 * A client that spares the bank and the run: so many requests side by side; after 429 none before the Retry-After is over (RFC 6585
 * section 4), and then one after the other at a distance that suits it; after 503 the same request once the Retry-After is over, unless that is
 * long (RFC 9110 section 15.6.4); and once the bank does not answer any more, which its discovery address is asked about, none at all.
 * @param options.address of the bank, which its paths follow
 * @param options.concurrency requests side by side
 */
export function pacedClient(
  client: HttpClient,
  { address, concurrency }: { address: string; concurrency: number },
): PacedClient {
  const discovery = `${address}/.well-known/openid-configuration`
  const slots = new Slots(concurrency)
  let silent = 0
  let presence: Promise<void> = Promise.resolve()
  let resumed = 0
  let held = 0
  let spent = 0
  const distance = new Distance()
  let nextStart = 0
  let outageUntil = 0
  let outage = 0

  /** Waits for the turn of a request at a bank that takes only so many in a time. */
  async function turn(signal: AbortSignal): Promise<void> {
    await until(resumed, signal)
    if (distance.milliseconds === 0) return
    const start = Math.max(nextStart, Date.now())
    nextStart = start + distance.milliseconds
    await until(start, signal)
  }

  /** @throws Unreachable when nothing is heard at the discovery address either */
  async function look(context: ExchangeContext): Promise<void> {
    const last = { evidence: context.evidence, signal: new AbortController().signal }
    await client.send({ method: 'GET', url: discovery }, last).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error
      const sentence = `the bank does not answer any more: at ${discovery} it also ${error.finding.actual}`
      throw new Unreachable({ ...error.finding, sentence })
    })
    silent = 0
  }

  async function sendOnce(request: HttpRequest, context: ExchangeContext): Promise<HttpResponse> {
    const free = await slots.take()
    try {
      await presence
      await turn(context.signal)
      const response = await client.send(request, context)
      silent = 0
      return response
    } catch (error) {
      if (error instanceof NoAnswer) {
        silent += 1
        // Who is cut off where others are served is judged by it; who is cut off with all others, or by chance, is not.
        if (error.disconnected && request.url !== discovery) {
          await look(context)
          if (request.method === 'GET') {
            return await client.send(request, context).catch((again: unknown) => {
              throw again instanceof NoAnswer ? error : again
            })
          }
        }
        if (silent === unansweredBeforeProbe) {
          presence = look(context)
          // Whoever asks next is told; nobody may.
          presence.catch(() => {})
        }
      }
      throw error
    } finally {
      free()
    }
  }

  function holdBack(response: HttpResponse): void {
    const milliseconds = retryAfter(response)
    const now = Date.now()
    const longer = now + milliseconds - Math.max(resumed, now)
    if (spent + longer > throttledWaitMs) throw new Unreachable(tooMany(response, milliseconds))
    if (longer <= 0) return
    // Those that were under way beside it tell the same.
    if (longer > milliseconds / 2) distance.refused()
    held += longer
    spent += longer
    resumed = now + milliseconds
  }

  /**
   * Waits until a bank that serves nobody now may serve again: it did nothing of what it was asked for.
   *
   * @returns whether it is to be asked again: not where the outage is longer than a run waits for
   */
  async function outlasts(response: HttpResponse, signal: AbortSignal): Promise<boolean> {
    const milliseconds = Math.max(retryAfter(response), soonestMs)
    const now = Date.now()
    const longer = Math.max(0, now + milliseconds - Math.max(outageUntil, now))
    if (outage + longer > outageWaitMs || spent + longer > throttledWaitMs || signal.aborted) return false
    outage += longer
    held += longer
    spent += longer
    outageUntil = Math.max(outageUntil, now + milliseconds)
    await until(now + milliseconds, signal)
    return !signal.aborted
  }

  return {
    async send(request, context) {
      let wasOut = false
      for (let repeats = 0; ; repeats += 1) {
        const response = await sendOnce(request, context)
        if (isOutage(response) && (await outlasts(response, context.signal))) {
          wasOut = true
          repeats -= 1
          continue
        }
        if (wasOut && !isOutage(response)) outage = 0
        if (response.status !== 429) {
          spent = Math.max(0, spent - madeUpForMs)
          distance.answered()
          return response
        }
        if (repeats === mostRepeats) throw new Unreachable(tooMany(response, retryAfter(response)))
        holdBack(response)
      }
    },
    close: () => client.close(),
    heldBack: () => held,
  }
}

/** A record of the health that comes with 503 (AMB-57) is an answer. */
function isOutage(response: HttpResponse): boolean {
  return response.status === 503 && typeof response.member('status') !== 'string'
}

function tooMany({ request, evidence }: HttpResponse, milliseconds: number) {
  return {
    sentence: `the bank answers ${request.method} ${request.url} with 429 and asks to wait ${Math.ceil(milliseconds / 1000)} s; a request is sent ${mostRepeats} times again, and the run waits ${throttledWaitMs / 1000} s in all while few others are answered: a lower concurrency in the target file puts less load on it`,
    evidence,
  }
}

/** Retry-After in milliseconds, given in seconds or as a date (RFC 9110 section 10.2.3); a second when it is absent. */
export function retryAfter(response: HttpResponse): number {
  const value = response.header('retry-after')
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? 1000 : Math.max(0, date - Date.now())
}

async function until(time: number, signal: AbortSignal): Promise<void> {
  const milliseconds = time - Date.now()
  if (milliseconds <= 0 || signal.aborted) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end, { once: true })
  })
}
