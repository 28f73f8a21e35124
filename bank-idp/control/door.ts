import { randomBytes, timingSafeEqual } from 'node:crypto'
import express, { type Express, type Request, type RequestHandler, type Router } from 'express'
import { BankError } from '../errors.js'
import { nearest } from '../nearest.js'
import { isNestedTooDeeply } from '../nesting.js'
import { listenPlainly, type PlainServer } from '../plain-server.js'
import { errorHandler, nosniff } from '../requests.js'
import { exactRouter } from '../router.js'
import { openApi, version } from './open-api.js'
import { type Bench, perform } from './operation.js'
import { operations } from './operations/index.js'
import { longestWait } from './operations/requests.js'
import { benchPages } from './pages/bench-pages.js'
import { root } from './pages/layout.js'

/** Lets in who knows the token, and no web page: a browser names its page in Origin, and where it is in Sec-Fetch-Site. */
function guard(token: string): RequestHandler {
  const expected = Buffer.from(`Bearer ${token}`)
  return (req, _res, next) => {
    if (req.headers.origin !== undefined || /^(cross|same)-site$/.test(String(req.headers['sec-fetch-site'] ?? ''))) {
      throw new BankError('invalid_token', 'the control door is shut to web pages', { status: 401 })
    }
    const given = Buffer.from(req.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new BankError('invalid_token', 'the control token is required as Bearer token', { status: 401 })
    }
    next()
  }
}

/** What a request gives an operation: the members of the path, and those of the query or of the body. */
function inputOf(req: Request): object {
  const body: unknown = req.method === 'GET' ? req.query : (req.body ?? {})
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BankError('invalid_request', 'the body must be a JSON object')
  }
  if (isNestedTooDeeply(body)) throw new BankError('invalid_request', 'the body is nested too deeply')
  return { ...body, ...req.params }
}

/** The operations at their routes. */
function routes(bench: Bench): Router {
  const router = exactRouter()
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    router[operation.method](path, async (req: Request, res) => {
      res.json(await perform(operation, bench, inputOf(req)))
    })
  }
  return router
}

/** @throws {BankError} that names what may have been meant */
const nothingThere: RequestHandler = ({ method, path }) => {
  const known = operations.map((operation) => `${operation.method.toUpperCase()} /${version}${operation.path}`)
  const unversioned = `${method} /${version}${path}`
  const meant = known.includes(unversioned) ? unversioned : nearest(`${method} ${path}`, known)
  const hint = meant === undefined ? `GET /${version}/openapi.json lists what there is` : `did you mean ${meant}?`
  throw new BankError('not_found', `the control door does not serve ${method} ${path}: ${hint}`)
}

/** @param address of the control API */
function controlApp(bench: Bench, token: string, address: () => string): Express {
  const pages = bench.context.config.benchPage ? benchPages(bench, token) : express.Router()
  return express()
    .disable('x-powered-by')
    .set('case sensitive routing', true)
    .set('strict routing', true)
    .set('query parser', 'simple')
    .use(nosniff)
    .use(root, pages)
    .use(guard(token), express.json({ limit: '100kb', strict: false, type: () => true }))
    .get(`/${version}/openapi.json`, (_req, res) => void res.json(openApi(operations, address())))
    .use(`/${version}`, routes(bench))
    .use(nothingThere)
    .use(errorHandler(bench.context)) as Express
}

export interface ControlDoor extends PlainServer {
  /** The address of the control API, with its version. */
  url: string
  token: string
  /** The address of the bench with the token in it, where there is one. */
  page?: string
}

/**
 * Opens the control door: plain http behind a Bearer token, on the loopback interface unless another is asked for.
 *
 * @param at port 0 takes any free one
 * @param token in place of one of 256 random bits
 */
export async function openControlDoor(
  bench: Bench,
  at: { host: string; port: number },
  token?: string,
): Promise<ControlDoor> {
  const secret = token || randomBytes(32).toString('base64url')
  let url = ''
  // Who waits for a request at the door is idle for longer than a client of the bank may be.
  const { connections, idleTime } = bench.context.config.limits
  const server = await listenPlainly(
    controlApp(bench, secret, () => url),
    at,
    { connections, idleTime: idleTime + longestWait },
    (port, reason) => `control port ${port}: ${reason}; choose another with --control-port, or 0 for any free one`,
  )
  url = `${server.url}/${version}`
  return {
    ...server,
    url,
    token: secret,
    ...(bench.context.config.benchPage && {
      page: new URL(`${root}?${new URLSearchParams({ token: secret })}`, url).href,
    }),
  }
}
