import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { Arrivals } from './arrivals.js'
import { answerBroken, brokenTarget, type Refusal, refuse } from './broken-requests.js'
import { Connections } from './connections.js'
import { UsageError } from './errors.js'
import type { Limits } from './limits.js'
import { OwnKinds } from './own-kinds.js'

/** How often connections are looked at that take too long, in milliseconds, at the most. */
const checkingMs = 5_000

const unavailable = (why: string): Refusal => ({ status: 503, error: 'temporarily_unavailable', why })

/** The https server of a bank. */
export class BankServer {
  readonly #server: Server
  readonly #connections: Connections
  readonly #context: () => SecureContextOptions
  readonly #waiting: [IncomingMessage, ServerResponse][] = []
  readonly #kinds = new OwnKinds()
  #app: RequestListener | undefined

  /** @param context certificate, trusted authorities and what TLS is agreed to; asked again by {@link renew} */
  constructor(context: () => SecureContextOptions, limits: Limits) {
    this.#context = context
    const arrivals = new Arrivals()
    const requestMs = limits.requestTime * 1000
    const options = {
      ...context(),
      ...this.#kinds.classes,
      // A certificate is asked for and checked route by route: registration needs one, the pages must not.
      requestCert: true,
      rejectUnauthorized: false,
      handshakeTimeout: requestMs,
      headersTimeout: requestMs,
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(requestMs / 2, checkingMs),
      maxHeaderSize: limits.headerBytes,
      // Told as every other mistake is.
      requireHostHeader: false,
    }
    this.#server = createServer(options, (req, res) => {
      arrivals.arrived(req)
      const problem = brokenTarget(req)
      if (!this.#connections.begin(req, res)) refuse(res, unavailable('there are too many connections'))
      else if (problem) refuse(res, problem)
      else if (this.#app) this.#app(req, res)
      else this.#waiting.push([req, res])
    }).on('connection', (socket: Socket) => arrivals.accepted(socket))
    this.#connections = new Connections(this.#server, limits)
    answerBroken(this.#server, (socket) => this.#connections.hasAnswered(socket as Socket))
  }

  /** New connections take what the context is now. */
  renew(): void {
    this.#server.setSecureContext(this.#context())
  }

  /** From now on requests are answered; first those that came before, to a bank that listened early to learn its port. */
  serve(app: RequestListener): void {
    this.#kinds.fit(app)
    this.#app = app
    for (const [req, res] of this.#waiting.splice(0)) app(req, res)
  }

  get listening(): boolean {
    return this.#server.listening
  }

  /** The port listened on; undefined before. */
  get port(): number | undefined {
    return (this.#server.address() as AddressInfo | null)?.port
  }

  /** @throws {UsageError} when the port is taken or the address is not this machine's */
  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => {
        const reason =
          error.code === 'EADDRINUSE'
            ? `port ${port} is already in use: choose another with --port, or 0 for any free one`
            : `cannot listen on ${host}:${port}: ${error.message}`
        reject(new UsageError(reason, { cause: error }))
      }
      this.#server.once('error', fail).listen(port, host, () => {
        this.#server.off('error', fail)
        resolve()
      })
    })
  }

  /** Takes no more connections, has what was asked answered, and resolves when that is done. */
  async close(): Promise<void> {
    const ended = this.#connections.end()
    for (const [, res] of this.#waiting.splice(0)) refuse(res, unavailable('the bank did not start'))
    await ended
  }
}
