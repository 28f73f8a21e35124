import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import { Arrivals } from './arrivals.js'
import { UsageError } from './errors.js'

/** How long a stopping bank waits for answers that are under way, in milliseconds. */
const closeTimeoutMs = 10_000

/** The https server of a bank. */
export class BankServer {
  readonly #server: Server
  readonly #context: () => SecureContextOptions
  readonly #waiting: [IncomingMessage, ServerResponse][] = []
  #app: RequestListener | undefined

  /** @param context certificate, trusted authorities and what TLS is agreed to; asked again by {@link renew} */
  constructor(context: () => SecureContextOptions) {
    this.#context = context
    const arrivals = new Arrivals()
    // A certificate is asked for and checked route by route: registration needs one, the pages must not.
    this.#server = createServer({ ...context(), requestCert: true, rejectUnauthorized: false }, (req, res) => {
      arrivals.arrived(req)
      if (this.#app) this.#app(req, res)
      else this.#waiting.push([req, res])
    }).on('connection', (socket: Socket) => arrivals.accepted(socket))
  }

  /** New connections take what the context is now. */
  renew(): void {
    this.#server.setSecureContext(this.#context())
  }

  /** From now on requests are answered; first those that came before, to a bank that listened early to learn its port. */
  serve(app: RequestListener): void {
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

  /** Takes no more connections, lets what is running be answered, and resolves when that is done. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    // What never came to be cannot answer.
    for (const [, res] of this.#waiting.splice(0)) res.destroy()
    this.#server.closeIdleConnections()
    // A connection that was busy a moment ago is idle once its answer is out; one that never ends is cut.
    const idle = setInterval(() => this.#server.closeIdleConnections(), 50)
    const cut = setTimeout(() => this.#server.closeAllConnections(), closeTimeoutMs)
    await closed
    clearInterval(idle)
    clearTimeout(cut)
  }
}
