import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler } from 'express'
import type { JWK } from 'jose'
import { endServer } from '../http/end-server.js'
import { UsageError } from '../output.js'
import type { Target } from '../target/target.js'
import { TargetError } from '../target/target-error.js'
import { browserPages } from './browser.js'
import { keptKeys, publicPart } from './client.js'
import { Disturbances } from './disturbances.js'
import { Journal } from './journal.js'
import { Logins } from './login.js'
import { Peer } from './peer.js'
import { receivers } from './receivers.js'
import { Refusal } from './refusal.js'
import { Signings } from './signing.js'

export interface SimulatorOptions {
  /** The banks; the address and the keys of the service are those that the first one's target file names. */
  targets: readonly Target[]
  /** In place of the target file's. */
  port?: number
  /** Where all that happened is kept; without one it is forgotten with the process. */
  data?: string
  /** Called with each thing that happens, as a line. */
  onEvent?(line: string): void
}

/** The federated service, as banks and people see it. */
export interface Simulator {
  /** {base_url}, without a trailing slash. */
  url: string
  journal: Journal
  disturbances: Disturbances
  close(): Promise<void>
}

/** How many received lines the page shows. */
const linesShown = 100

/** Refusals as JSON; what a body parser refuses is the caller's fault, anything else is ours. */
function errorHandler(tell: (line: string) => void): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const parsing = typeof error.status === 'number' && error.status < 500
    const refusal =
      error instanceof Refusal
        ? error
        : new Refusal(parsing ? 400 : 500, parsing ? error.message : 'the service failed')
    tell(`${req.method} ${req.path} refused with ${refusal.status}: ${error.message}`)
    if (refusal.status === 401) {
      res.set('www-authenticate', `Bearer error="invalid_token", error_description="${refusal.message}"`)
    }
    res.status(refusal.status).set('cache-control', 'no-store').json(refusal.body)
  }
}

/**
 * Starts the service: its key set, its receivers of events and statistics, and pages to log in and to sign on.
 * @throws TargetError when the target files do not equip it, or its address cannot be listened on
 * @throws UsageError when another program listens there
 */
export async function startSimulator({
  targets,
  port,
  data,
  onEvent = () => {},
}: SimulatorOptions): Promise<Simulator> {
  const [first] = targets
  if (!first?.server || !first.keys) {
    throw new TargetError(['the first target file has to name service.keys and service.server'])
  }
  const { keys, server: settings } = first
  const journal = new Journal(data)
  const peers = targets.map((target) => new Peer(target))
  const disturbances = new Disturbances()
  const received: string[] = []
  const tell = (line: string) => {
    received.unshift(`${new Date().toISOString()} ${line}`)
    received.splice(linesShown)
    onEvent(line)
  }
  const clientKeys = await keptKeys(data)
  const app = express()
    .disable('x-powered-by')
    .set('query parser', 'simple')
    .set('case sensitive routing', true)
    .set('strict routing', true)
  const server = createServer(settings.certificate, app)
  const end = endServer(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port ?? settings.port, settings.host, resolve)
  }).catch((error: NodeJS.ErrnoException) => {
    const place = `${settings.host}:${port ?? settings.port}`
    if (error.code === 'EADDRINUSE')
      throw new UsageError(
        `${place} is taken by another program: choose another port with --port (0 takes any free one)`,
      )
    throw new TargetError([`service.server.listen: cannot listen on ${place} (${error.message})`])
  })
  const url = settings.url.replaceAll('{port}', String((server.address() as AddressInfo).port))
  const base = () => url
  const jwks = (list: readonly JWK[]) => JSON.stringify({ keys: list })
  const paths = express
    .Router({ caseSensitive: true, strict: true })
    .get('/.well-known/jwks.json', async (_req, res) => {
      const status = await disturbances.meet('/.well-known/jwks.json')
      res
        .status(status ?? 200)
        .type('application/json')
        .send(jwks(keys.map(publicPart)))
    })
    .get('/clients/jwks.json', (_req, res) => {
      const { signing, encryption, es256 } = clientKeys
      res.type('application/json').send(jwks([signing, encryption, es256].map(({ publicJwk }) => publicJwk)))
    })
    .use(receivers({ keys: clientKeys, peers, journal, disturbances, base, tell }))
    .use(
      browserPages({
        peers,
        journal,
        logins: new Logins(journal, clientKeys, url),
        signings: new Signings(journal, clientKeys, url),
        disturbances,
        base,
        received,
        tell,
      }),
    )
  app.use(new URL(url).pathname, paths).use(errorHandler(tell))
  return {
    url,
    journal,
    disturbances,
    async close() {
      await end()
      await Promise.all(peers.map((peer) => peer.close()))
      journal.close()
    },
  }
}
