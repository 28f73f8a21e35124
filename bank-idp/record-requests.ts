import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import { now } from './clock.js'
import type { BankContext } from './context.js'
import { decoded, jwtsIn, parametersOf } from './messages.js'
import { reasonOf } from './refusals.js'
import { routeBelow } from './route-below.js'
import { toldRefusal } from './told-refusal.js'

/** How much of a body is remembered, in bytes. */
const keptBytes = 64 * 1024

/** The first bytes of what passes. */
class Beginning {
  readonly #chunks: Buffer[] = []
  #left = keptBytes
  truncated = false

  add(chunk: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    const bytes = Buffer.from(chunk as Uint8Array)
    this.truncated ||= bytes.length > this.#left
    this.#chunks.push(bytes.subarray(0, this.#left))
    this.#left -= Math.min(bytes.length, this.#left)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
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

/** Remembers what comes and what is answered, as it is on the wire. It stands before all that changes a request. */
export function recordRequests({ config, history }: Pick<BankContext, 'config' | 'history'>): RequestHandler {
  return (req, res, next) => {
    const start = performance.now()
    const at = new Date(now()).toISOString()
    // Whatever was asked for: a path such as // is none of a URL.
    const [, ...search] = req.url.split('?')
    const [headers, query, body] = [
      flat(req.headers),
      parametersOf(new URLSearchParams(search.join('?'))),
      watchBody(req),
    ]
    const { method } = req
    const path = routeBelow(config.issuer, req.url)
    let recorded = false
    const record = (gone: boolean) => {
      if (recorded) return
      recorded = true
      const message = decoded(headers, body.bytes, body.truncated)
      const { client } = res.locals
      const answered = gone
        ? undefined
        : { status: res.statusCode, ...decoded(flat(res.getHeaders()), answer.bytes, answer.truncated) }
      const refusal = answered && toldRefusal(answered)
      history.add({
        at,
        method,
        path,
        query,
        ...message,
        jwts: [...jwtsIn('query', query), ...message.jwts],
        ...(client !== undefined && { client }),
        ...(refusal && { refusal: { ...refusal, ...reasonOf(res) } }),
        ...(answered && { answer: answered }),
        milliseconds: Math.round(performance.now() - start),
      })
    }
    const answer = watchAnswer(res, () => record(false))
    res.once('close', () => record(true))
    next()
  }
}
