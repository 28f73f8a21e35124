import express, { type Request, type RequestHandler, Router } from 'express'
import type { ClientKeys } from '../service/client-keys.js'
import type { Disturbable, Disturbances } from './disturbances.js'
import type { Journal } from './journal.js'
import { decrypted } from './login.js'
import { receiveLogout } from './logout.js'
import { receiveNotification } from './notifications.js'
import type { Peer } from './peer.js'
import { Refusal } from './refusal.js'
import { authenticateBank, userStatistics } from './user-statistics.js'

/** Bytes of a request; more is refused unread. */
const largestBodyBytes = 256 * 1024

interface Receiving {
  /** What banks encrypt to. */
  keys: Pick<ClientKeys, 'encryption'>
  peers: readonly Peer[]
  journal: Journal
  disturbances: Disturbances
  /** Address of the service. */
  base: () => string
  /** Tells what happened, a line each. */
  tell(line: string): void
}

/** Answers with the error or delay that was asked for, before anything is read. */
function disturbed(disturbances: Disturbances, path: Disturbable): RequestHandler {
  return async (_req, res, next) => {
    const status = await disturbances.meet(path)
    if (status === undefined) return next()
    res.status(status).json({ error: 'temporarily_unavailable', error_description: 'error set by POST /disturbances' })
  }
}

/** The one token of a form. Specification: "Exposed by the service". */
function formField(req: Request, name: string): string {
  if (typeof req.body !== 'string') throw new Refusal(400, 'the body must be application/x-www-form-urlencoded')
  const values = new URLSearchParams(req.body).getAll(name)
  if (values.length !== 1 || !values[0]) throw new Refusal(400, `${name} must be given once`)
  return values[0]
}

/** POST /back-channel/logout, /notify and /user-stat-data, and the front channel of logout. */
export function receivers({ keys, peers, journal, disturbances, base, tell }: Receiving): Router {
  const form = express.text({ type: 'application/x-www-form-urlencoded', limit: largestBodyBytes }) as RequestHandler
  return Router({ caseSensitive: true, strict: true })
    .post('/back-channel/logout', disturbed(disturbances, '/back-channel/logout'), form, async (req: Request, res) => {
      // OpenID Connect Back-Channel Logout 1.0 section 2.6: it may be encrypted as id_tokens are.
      const jwt = await decrypted(formField(req, 'logout_token'), keys).catch((cause: Error) => {
        throw new Refusal(400, `logout_token cannot be decrypted: ${cause.message}`, { cause })
      })
      tell(await receiveLogout(jwt, peers, journal))
      // OpenID Connect Back-Channel Logout 1.0 section 2.8.
      res.set('cache-control', 'no-store').status(200).end()
    })
    .post('/notify', disturbed(disturbances, '/notify'), form, async (req: Request, res) => {
      for (const line of await receiveNotification(formField(req, 'notification_token'), peers, journal)) tell(line)
      res.set('cache-control', 'no-store').status(200).end()
    })
    .post(
      '/user-stat-data',
      disturbed(disturbances, '/user-stat-data'),
      async (req, res, next) => {
        res.locals.peer = await authenticateBank(req.headers.authorization, `${base()}/user-stat-data`, peers, journal)
        next()
      },
      express.json({ limit: largestBodyBytes, strict: false }),
      (req: Request, res) => {
        const peer = res.locals.peer as Peer
        const statistics = userStatistics(req.body, peer, journal, Date.now())
        tell(`statistics for ${peer.issuer}: ${statistics.numberOfRecords} records`)
        res.set('cache-control', 'no-store').json(statistics)
      },
    )
    .get('/front-channel/logout', (req, res) => {
      const { iss, sid } = req.query
      const peer = peers.find(({ issuer }) => issuer === iss)
      if (!peer) throw new Refusal(400, 'iss: the service does not know this bank')
      const at = new Date().toISOString()
      const session = typeof sid === 'string' ? { sid } : {}
      journal.append({ kind: 'front-channel-logout', at, issuer: peer.issuer, ...session })
      tell(`front-channel logout at ${peer.issuer}: ${session.sid === undefined ? 'no sid' : `sid ${session.sid}`}`)
      // OpenID Connect Front-Channel Logout 1.0 section 2: it is shown in a frame of the bank, and never from a cache.
      res.set({ 'cache-control': 'no-store', 'content-security-policy': "default-src 'none'" })
      res.type('html').send('<!doctype html><title>Logged out</title>')
    })
}
