import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { now } from './clock.js'
import type { BankContext } from './context.js'
import { decoded, jwtsIn, parametersOf } from './messages.js'
import { type Reason, reasonOf } from './refusals.js'
import type { RequestEntry } from './request-history.js'
import { routeBelow } from './route-below.js'
import { toldRefusal } from './told-refusal.js'

/** How much of a body is remembered, in bytes. */
const keptBytes = 64 * 1024

/** What is kept of a body. */
interface Kept {
  bytes: Buffer
  /** Whether there was more of it. */
  truncated: boolean
}

/** The first bytes of what passes. */
class Beginning {
  readonly #chunks: Buffer[] = []
  #left = keptBytes
  #truncated = false

  add(chunk: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const bytes = Buffer.from(chunk as Uint8Array)
    this.#truncated ||= bytes.length > this.#left
    this.#chunks.push(bytes.subarray(0, this.#left))
    this.#left -= Math.min(bytes.length, this.#left)
  }

  /** What has passed so far. */
  kept(): Kept {
    return { bytes: Buffer.concat(this.#chunks), truncated: this.#truncated }
  }
}

function flat(headers: IncomingHttpHeaders | OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}

/** Sees the bytes of a body as they arrive, whoever reads them and whenever. */
function watchBody(req: IncomingMessage): Beginning {
  const seen = new Beginning()
  const push = req.push.bind(req)
  req.push = (chunk, encoding) => {
    seen.add(chunk)
    return push(chunk, encoding)
  }
  return seen
}

/** Sees the bytes of an answer as they are written, and is told when that is all. */
function watchAnswer(res: ServerResponse, ended: () => void): Beginning {
  const seen = new Beginning()
  const [write, end] = [res.write.bind(res), res.end.bind(res)]
  res.write = ((...args: Parameters<typeof write>) => {
    seen.add(args[0])
    return write(...args)
  }) as typeof res.write
  res.end = ((...args: Parameters<typeof end>) => {
    if (typeof args[0] !== 'function') seen.add(args[0])
    const result = end(...args)
    ended()
    return result
  }) as typeof res.end
  return seen
}

/** Whatever was asked for: a path such as // is none of a URL. */
function queryOf(url: string): RequestEntry['query'] {
  const [, ...search] = url.split('?')
  return parametersOf(new URLSearchParams(search.join('?')))
}

/** What is kept of a request until somebody looks at it. */
interface Seen {
  /** In milliseconds since the epoch. */
  at: number
  url: string
  headers: IncomingHttpHeaders
  /** It may still arrive when the answer is out: who refuses a body need not read it. */
  body: Beginning
  client: string | undefined
  reason: Reason
  answer: { status: number; headers: OutgoingHttpHeaders; body: Kept } | undefined
  milliseconds: number
}

/** Made out here, where no closure holds the request itself, and its connection. */
function decoderOf({ at, url, headers, body, client, reason, answer, milliseconds }: Seen) {
  return () => {
    const query = queryOf(url)
    const { bytes, truncated } = body.kept()
    const message = decoded(flat(headers), bytes, truncated)
    const answered = answer && {
      status: answer.status,
      ...decoded(flat(answer.headers), answer.body.bytes, answer.body.truncated),
    }
    const refusal = answered && toldRefusal(answered)
    return {
      at: new Date(at).toISOString(),
      query,
      ...message,
      jwts: [...jwtsIn('query', query), ...message.jwts],
      ...(client !== undefined && { client }),
      ...(refusal && { refusal: { ...refusal, ...reason } }),
      ...(answered && { answer: answered }),
      milliseconds,
    }
  }
}

/** Remembers what comes and what is answered, as it is on the wire. It stands before all that changes a request. */
export function recordRequests({ config, history }: Pick<BankContext, 'config' | 'history'>): RequestHandler {
  const pathOf = routeBelow(config.issuer)
  return (req, res, next) => {
    const start = performance.now()
    const at = now()
    // The bank changes some of them.
    const headers = { ...req.headers }
    const body = watchBody(req)
    const { method, url } = req
    const path = pathOf(url)
    let recorded = false
    const record = (gone: boolean) => {
      if (recorded) return
      recorded = true
      const seen: Seen = {
        at,
        url,
        headers,
        body,
        client: res.locals.client,
        reason: reasonOf(res),
        answer: gone ? undefined : { status: res.statusCode, headers: res.getHeaders(), body: answer.kept() },
        milliseconds: Math.round(performance.now() - start),
      }
      history.add({ method, path }, decoderOf(seen))
    }
    const answer = watchAnswer(res, () => record(false))
    res.once('close', () => record(true))
    next()
  }
}
