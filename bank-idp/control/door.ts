import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express, type RequestHandler } from 'express'
import type { BankContext } from '../context.js'
import { BankError, UsageError } from '../errors.js'
import { errorHandler, nosniff } from '../requests.js'
import { clockControl } from './clock.js'
import { deviceControl } from './devices.js'
import { faultControl } from './faults.js'
import { keyControl } from './keys.js'
import { outageControl } from './outages.js'
import { outboxControl } from './outbox.js'
import { outcomeControl } from './outcomes.js'
import { peopleControl } from './people.js'
import { statisticsControl } from './statistics.js'

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

/** What the subjects of the control door use of the bank. */
type ControlContext = Pick<
  BankContext,
  | 'blocks'
  | 'claimUpdates'
  | 'clients'
  | 'config'
  | 'devices'
  | 'faults'
  | 'forcedOutcomes'
  | 'keys'
  | 'log'
  | 'outages'
  | 'outbound'
  | 'outbox'
  | 'people'
  | 'policy'
  | 'provider'
  | 'scheduler'
  | 'seams'
  | 'subjects'
>

/** What can be done to a running bank: one router for each subject. */
function controlApp(context: ControlContext, token: string): Express {
  return express()
    .disable('x-powered-by')
    .set('case sensitive routing', true)
    .set('strict routing', true)
    .use(nosniff, guard(token), express.json({ limit: '100kb' }))
    .use(
      clockControl(context),
      faultControl(context),
      keyControl(context),
      outageControl(context),
      peopleControl(context),
      deviceControl(context),
    )
    .use(outboxControl(context), statisticsControl(context), outcomeControl(context))
    .use((req) => {
      throw new BankError('not_found', `the control door does not serve ${req.method} ${req.path}`)
    })
    .use(errorHandler(context)) as Express
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
 * @param token that of an earlier start, to keep
 */
export async function openControlDoor(context: ControlContext, port: number, token?: string): Promise<ControlDoor> {
  const secret = token || randomBytes(32).toString('base64url')
  const server = createServer(controlApp(context, secret))
  await new Promise<void>((resolve, reject) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'EADDRINUSE' ? 'the port is already in use' : message
      reject(
        new UsageError(`control port ${port}: ${reason}; choose another with --control-port, or 0 for any free one`),
      )
    }
    server.once('error', fail).listen(port, '127.0.0.1', resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${taken}`,
    token: secret,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}
