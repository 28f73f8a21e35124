import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import express, { type Express, type Request, type RequestHandler, type Router } from 'express'
import { answerBroken, brokenTarget, refuse } from '../broken-requests.js'
import { Connections } from '../connections.js'
import { BankError, UsageError } from '../errors.js'
import { nearest } from '../nearest.js'
import { isNestedTooDeeply } from '../nesting.js'
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

/** How an interface is written in an address; one that stands for all of them is spoken of as this machine. */
function nameOf(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

export interface ControlDoor {
  /** The address of the control API, with its version. */
  url: string
  token: string
  /** The address of the bench with the token in it, where there is one. */
  page?: string
  close(): Promise<void>
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
  const { host, port } = at
  const secret = token || randomBytes(32).toString('base64url')
  const address = () => `http://${nameOf(host)}:${(server.address() as AddressInfo).port}/${version}`
  const app = controlApp(bench, secret, address)
  const server = createServer({ requireHostHeader: false }, (req, res) => {
    connections.begin(req, res)
    const problem = brokenTarget(req)
    if (problem) refuse(res, problem)
    else app(req, res)
  })
  // Who waits for a request at the door is idle for longer than a client of the bank may be.
  const { connections: most, idleTime } = bench.context.config.limits
  const connections = new Connections(server, { connections: most, idleTime: idleTime + longestWait })
  answerBroken(server, (socket) => connections.hasAnswered(socket as Socket))
  await new Promise<void>((resolve, reject) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'the port is already in use' : message
      reject(
        new UsageError(`control port ${port}: ${reason}; choose another with --control-port, or 0 for any free one`),
      )
    }
    server.once('error', fail).listen(port, host, resolve)
  })
  return {
    url: address(),
    token: secret,
    ...(bench.context.config.benchPage && {
      page: new URL(`${root}?${new URLSearchParams({ token: secret })}`, address()).href,
    }),
    close: () => connections.end(),
  }
}
