import { randomUUID } from 'node:crypto'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { BankContext } from './context.js'
import { BankError } from './errors.js'
import { loggedRefusal, noteRefusal } from './refusals.js'
import { storeTrouble } from './store-trouble.js'

/** Published: X-B3-TraceId, up to 32 alphanumeric characters, is echoed, or made by the server. */
export const traceId: RequestHandler = (req, res, next) => {
  const given = req.get('x-b3-traceid') ?? ''
  res.locals.trace = /^[0-9a-z]{1,32}$/i.test(given) ? given : randomUUID().replaceAll('-', '')
  res.setHeader('x-b3-traceid', res.locals.trace)
  next()
}

/** What a browser is not to guess the kind of (WHATWG Fetch, "X-Content-Type-Options header"): every answer, errors and JSON as well. */
export const nosniff: RequestHandler = (_req, res, next) => {
  res.setHeader('x-content-type-options', 'nosniff')
  next()
}

/** The path as it is logged: without what identifies a sign-in that is under way. */
function loggedPath(path: string): string {
  return path.replace(/\/(interaction|auth|device)\/.+/, '/$1/*')
}

/** Refuses an address that is longer than any that is asked for (RFC 9110 section 15.5.15). */
export function addressLimit({ config }: Pick<BankContext, 'config'>): RequestHandler {
  const { addressLength } = config.limits
  return (req, _res, next) => {
    if (req.url.length <= addressLength) return next()
    throw new BankError('invalid_request', `the address is longer than ${addressLength} characters`, {
      status: 414,
    }).refusedBy('address/length')
  }
}

/** What is logged as the status of a request whose caller went away before there was one. */
const clientClosedRequest = 499

/** One log entry for each request, when it is over. The path alone: queries carry codes and states. */
export function requestLog({ log }: Pick<BankContext, 'log'>): RequestHandler {
  return (req, res, next) => {
    const start = performance.now()
    const { method } = req
    const path = loggedPath(req.path)
    res.on('close', () => {
      const { client, trace } = res.locals
      const milliseconds = Math.round(performance.now() - start)
      const status = res.headersSent ? res.statusCode : clientClosedRequest
      log({ event: 'request', method, path, status, milliseconds, client, ...loggedRefusal(res), trace })
    })
    next()
  }
}

/** The Host header is never believed: oidc-provider makes addresses and audiences from it, so it is what the configuration says. */
export function ownHost({ config }: Pick<BankContext, 'config'>): RequestHandler {
  const { host } = new URL(config.issuer)
  return (req, _res, next) => {
    req.headers.host = host
    next()
  }
}

/** The end of every other path. */
export const nothingServed: RequestHandler = ({ method, path }) => {
  throw new BankError('invalid_request', `nothing is served at ${method} ${path}`, { status: 404 }).refusedBy(
    'path/served',
  )
}

/** When to come again, in seconds, where nobody knows when what is unavailable will be back (RFC 9110 section 15.6.4). */
const comeAgainSeconds = 60

/** Errors of Express and its body parsers carry a status; those below 500 are the caller's. */
function asBankError(error: unknown): BankError {
  if (error instanceof BankError) return error
  const { status, message } = error as { status?: number; message?: string }
  const trouble = storeTrouble(error)
  if (trouble !== undefined) return new BankError('temporarily_unavailable', trouble, { cause: error })
  if (status !== undefined && status >= 400 && status < 500) {
    return new BankError('invalid_request', String(message), { status, cause: error }).refusedBy('request/readable')
  }
  return new BankError('server_error', 'the bank failed to answer; the log says why', { cause: error })
}

/** Renders every error as JSON with error and error_description. Specification: "Errors". */
export function errorHandler({ log }: Pick<BankContext, 'log'>): ErrorRequestHandler {
  return (error, _req, res, _next) => {
    const answer = asBankError(error)
    // What nobody expected has its cause; what somebody refused says it all.
    if (answer.code === 'server_error' || (answer !== error && answer.status >= 500)) {
      const { message, stack } = (answer.cause ?? answer) as Error
      log({ event: 'error', message, stack, trace: res.locals.trace })
    }
    noteRefusal(res, answer)
    if (answer.status === 503) res.set('retry-after', String(comeAgainSeconds))
    res.status(answer.status).set(answer.headers).set('cache-control', 'no-store')
    if (answer.withoutBody) res.end()
    else res.json(answer.body)
  }
}
