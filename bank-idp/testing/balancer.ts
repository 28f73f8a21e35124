import { once } from 'node:events'
import { Agent, createServer, request, type Server } from 'node:https'
import type { TLSSocket } from 'node:tls'
import type { Identity } from '../keys/identity.js'

/** A proxy that ends TLS in front of replicas, and hands each request to the next one, or to the one that a test names. */
export class Balancer {
  readonly #server: Server
  readonly #agent: Agent
  #turn = 0
  #only: number | undefined

  private constructor(ports: readonly number[], { authority, tls }: Pick<Identity, 'authority' | 'tls'>) {
    // Less than the five seconds after which a replica ends a connection that nobody uses: no request is to meet that end.
    this.#agent = new Agent({ keepAlive: true, timeout: 2_000, ca: authority.cert })
    const options = { ...tls, ca: authority.cert, requestCert: true, rejectUnauthorized: false }
    this.#server = createServer(options, (req, res) => {
      this.#turn += 1
      const port = ports[this.#only ?? this.#turn % ports.length]
      const { raw } = (req.socket as TLSSocket).getPeerCertificate()
      const certificate = raw && { 'client-cert': `:${raw.toString('base64')}:` }
      const { 'client-cert': _, ...given } = req.headers
      const headers = { ...given, ...certificate, 'x-forwarded-for': '192.0.2.1' }
      const forwarded = request(
        { host: '127.0.0.1', port, agent: this.#agent, method: req.method, path: req.url, headers },
        (answer) => {
          res.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(res)
        },
      )
      forwarded.once('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
      req.pipe(forwarded)
    })
  }

  static async start(
    port: number,
    ports: readonly number[],
    identity: Pick<Identity, 'authority' | 'tls'>,
  ): Promise<Balancer> {
    const balancer = new Balancer(ports, identity)
    balancer.#server.listen(port, '127.0.0.1')
    await once(balancer.#server, 'listening')
    return balancer
  }

  /** Hands all that comes to one replica; undefined: to each in turn. */
  to(replica?: number): void {
    this.#only = replica
  }

  async close(): Promise<void> {
    this.#agent.destroy()
    this.#server.close()
    this.#server.closeAllConnections()
  }
}
