import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { endsOf } from './connections.js'
import { Latest } from './latest.js'

/** When requests arrived, in milliseconds of performance.now(). */
const arrivals = new WeakMap<IncomingMessage, number>()

/** When a request arrived, in milliseconds of performance.now(): the first one of a connection as early as that was accepted. */
export function arrivalOf(req: IncomingMessage): number {
  return arrivals.get(req) ?? performance.now()
}

/** Takes note of when connections are accepted, which is before their TLS handshake, and of when requests arrive. */
export class Arrivals {
  /** Connections without a request yet, by their ends. */
  readonly #accepted = new Latest<number>(10_000, 60_000)

  /** Those that had one. */
  readonly #used = new WeakSet<Socket>()

  accepted(socket: Socket): void {
    this.#accepted.set(endsOf(socket), performance.now())
  }

  arrived(req: IncomingMessage): void {
    const isFirst = !this.#used.has(req.socket)
    this.#used.add(req.socket)
    if (!isFirst) return void arrivals.set(req, performance.now())
    const connection = endsOf(req.socket)
    arrivals.set(req, this.#accepted.get(connection) ?? performance.now())
    this.#accepted.delete(connection)
  }
}
