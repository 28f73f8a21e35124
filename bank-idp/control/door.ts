import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express, type RequestHandler } from 'express'
import { advanceClock, clockOffsetSeconds, now } from '../clock.js'
import { errorHandler } from '../endpoints/requests.js'
import { BankError, UsageError } from '../errors.js'
import { faults as known } from '../faults/index.js'
import type { Rooms } from '../rooms.js'

/** Lets in who knows the token, and no web page: a browser names its page in Origin. */
function guard(token: string): RequestHandler {
  const expected = Buffer.from(`Bearer ${token}`)
  return (req, _res, next) => {
    const given = Buffer.from(req.headers.authorization ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected) || req.headers.origin !== undefined) {
      throw new BankError('invalid_token', 'the control token is required as Bearer token', { status: 401 })
    }
    next()
  }
}

function badRequest(error: unknown): BankError {
  if (!(error instanceof UsageError || error instanceof RangeError)) throw error
  return new BankError('invalid_request', error.message.replaceAll('\n', ', '), { cause: error })
}

function clock() {
  return { now: new Date(now()).toISOString(), offset_seconds: clockOffsetSeconds() }
}

/** What can be done to a running bank: its clock and its faults. */
function controlApp(rooms: Pick<Rooms, 'faults' | 'log'>, token: string): Express {
  const { faults } = rooms
  const listFaults = () =>
    known.map(({ id, title, breaks }) => {
      const active = faults.list().filter(({ fault }) => fault.id === id)
      return { id, title, breaks, on: active.length > 0, clients: active.flatMap(({ clientId }) => clientId ?? []) }
    })
  return express()
    .disable('x-powered-by')
    .use(guard(token), express.json({ limit: '100kb' }))
    .get('/clock', (_req, res) => {
      res.json(clock())
    })
    .post('/clock', (req, res) => {
      try {
        advanceClock(Number(req.body?.advance_seconds))
      } catch (error) {
        throw badRequest(error)
      }
      res.json(clock())
    })
    .get('/faults', (_req, res) => {
      res.json(listFaults())
    })
    .post('/faults', (req, res) => {
      const { id, on, client } = (req.body ?? {}) as { id?: unknown; on?: unknown; client?: unknown }
      const clientId = typeof client === 'string' ? client : undefined
      try {
        if (on === false) faults.off(String(id), clientId)
        else faults.on(String(id), clientId)
      } catch (error) {
        throw badRequest(error)
      }
      res.json(listFaults())
    })
    .use(() => {
      throw new BankError('not_found', 'the control door has GET and POST of /clock and /faults')
    })
    .use(errorHandler(rooms)) as Express
}

export interface ControlDoor {
  url: string
  token: string
  close(): Promise<void>
}

/**
 * Opens the control door: plain http on the loopback interface alone, behind a Bearer token of 256 random bits.
 *
 * @param port 0 takes any free port
 */
export async function openControlDoor(
  rooms: Pick<Rooms, 'faults' | 'log'>,
  port: number,
  token?: string,
): Promise<ControlDoor> {
  const secret = token ?? randomBytes(32).toString('base64url')
  const server: Server = createServer(controlApp(rooms, secret))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    token: secret,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
