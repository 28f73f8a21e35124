import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { Server as NetServer, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { bodyTooLarge } from './broken-requests.js'
import { siteOf } from './caller-address.js'
import { type Limits, longestBody } from './limits.js'

/** How long a stopping server waits for answers that are under way, in milliseconds. */
const closeTimeoutMs = 10_000

/** How often a stopping server looks which connections are over, in milliseconds. */
const lookMs = 50

/** How often a server looks which requests have become too large, in milliseconds. */
const watchMs = 200

/** Bytes of such a request as they come: in small chunks, and small pieces of TLS, a body that is not too long takes several times its length. */
const mostArriving = 8 * longestBody

/**
 * How many looks a stopping server waits for the next request of a connection: one that had requests may have sent another that is on its way,
 * and of one that had none somebody has just made it to send one. They are counted, since time goes by as well while the server comes to
 * nothing: what arrived meanwhile is read between two looks.
 */
const graceLooks = { used: 5, unused: 20 }

interface Connection {
  /** The connection itself, and TLS on it once that was agreed to. */
  socket: Socket
  tls?: TLSSocket
  /** Who is at its other end. */
  peer: string
  /** The answers under way. */
  answers: Set<ServerResponse>
  /** The request that came last, its answer, and how many bytes had come over the connection by then. */
  last?: { req: IncomingMessage; res: ServerResponse; before: number }
  used: boolean
  /** Looks of a stopping server in a row that found nothing under way. */
  idleLooks: number
}

/** The open connections of a server: bounded in number and time, and brought to an end without a request that stays unanswered. */
export class Connections {
  readonly #server: HttpServer | HttpsServer
  readonly #most: number
  /** By their ends, the one that was idle longest first. */
  readonly #open = new Map<string, Connection>()
  #ended: Promise<void> | undefined
  /** Whether it listens no more. */
  #closing = false
  /** Connections that were ever accepted. */
  #count = 0

  constructor(server: HttpServer | HttpsServer, { connections, idleTime }: Pick<Limits, 'connections' | 'idleTime'>) {
    this.#server = server
    this.#most = connections
    server.on('connection', (socket: Socket) => this.#accepted(socket))
    server.on('secureConnection', (tls: TLSSocket) => {
      const connection = this.#open.get(endsOf(tls))
      if (connection) connection.tls = tls
    })
    // Of what is more there is no use in agreeing to TLS with it, to be told that there is too much.
    server.maxConnections = 2 * connections
    server.setTimeout(idleTime * 1000)
    let watch: NodeJS.Timeout | undefined
    server
      .on('listening', () => {
        watch = setInterval(() => this.#cutTooLarge(), watchMs).unref()
      })
      .on('close', () => clearInterval(watch))
  }

  /** Takes note of a request. @returns whether it can be served: not where more are under way than connections may be open */
  begin(req: IncomingMessage, res: ServerResponse): boolean {
    const name = endsOf(req.socket)
    const connection = this.#open.get(name)
    if (!connection) return true
    connection.used = true
    connection.last = { req, res, before: connection.socket.bytesRead }
    connection.answers.add(res)
    if (this.#closing) res.shouldKeepAlive = false
    res.once('close', () => {
      connection.answers.delete(res)
      connection.idleLooks = 0
      if (this.#forget(name, connection)) this.#open.set(name, connection)
    })
    return this.#open.size <= this.#most
  }

  /** Whether an answer is on its way over a connection, or went out already to a request that has not ended. */
  hasAnswered(socket: Socket): boolean {
    const { answers = [], last } = this.#open.get(endsOf(socket)) ?? {}
    if (last && !last.req.complete && last.res.headersSent) return true
    return [...answers].some(({ headersSent }) => headersSent)
  }

  /**
   * Cuts what goes on beyond what is read of a request: whoever reads its body stops there, but the rest would be read all the same, to be thrown
   * away, for as long as a request may take.
   */
  #cutTooLarge(): void {
    for (const { last, socket, tls } of this.#open.values()) {
      if (!last || last.req.complete || socket.bytesRead - last.before <= mostArriving) continue
      this.#server.emit('clientError', bodyTooLarge(), tls ?? socket)
    }
  }

  /**
   * Listens no more, has what was asked answered, with `Connection: close`, and resolves when all connections are over; one that never ends
   * is cut.
   */
  end(): Promise<void> {
    this.#ended ??= this.#end()
    return this.#ended
  }

  async #end(): Promise<void> {
    if (!this.#server.listening) return
    await this.#acceptAll()
    this.#closing = true
    // The http server's own close cuts connections with a request on its way.
    const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()))
    for (const { answers } of this.#open.values()) {
      for (const answer of answers) if (!answer.headersSent) answer.shouldKeepAlive = false
    }
    const look = setInterval(() => this.#endIdle(), lookMs)
    const cut = setTimeout(() => {
      for (const { socket } of this.#open.values()) socket.destroy()
    }, closeTimeoutMs)
    await closed
    clearInterval(look)
    clearTimeout(cut)
    // Ends its clocks.
    this.#server.close()
  }

  /**
   * Resolves when all connections are accepted that the system made for this server: those that wait when it listens no more are reset. A turn
   * may accept one of them alone, and as many as may be open are waited for at the most. Until then no answer closes its connection: whoever
   * asks on would come with a new one.
   */
  async #acceptAll(): Promise<void> {
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    // What is left of this turn accepts nothing.
    await turn()
    for (let known = -1, turns = 0; known !== this.#count && turns < this.#most; turns += 1) {
      known = this.#count
      await turn()
    }
  }

  #endIdle(): void {
    for (const connection of this.#open.values()) {
      const { answers, used, tls, socket } = connection
      if (answers.size > 0) continue
      connection.idleLooks += 1
      if (connection.idleLooks <= (used ? graceLooks.used : graceLooks.unused)) continue
      if (tls) tls.end()
      else socket.destroy()
    }
  }

  #accepted(socket: Socket): void {
    this.#count += 1
    const name = endsOf(socket)
    const connection: Connection = {
      socket,
      peer: siteOf(socket.remoteAddress ?? ''),
      answers: new Set(),
      used: false,
      idleLooks: 0,
    }
    if (this.#open.size >= this.#most) this.#makeRoom()
    this.#open.set(name, connection)
    socket.once('close', () => this.#forget(name, connection))
  }

  /** @returns whether it was known: another one may have come about between the same ends since it was over */
  #forget(name: string, connection: Connection): boolean {
    return this.#open.get(name) === connection && this.#open.delete(name)
  }

  /**
   * Ends one connection of the peer that has most on which nothing is answered: the one that is idle longest, else the one whose request takes
   * longest to arrive. Whoever opens many, and leaves them or goes on slowly, makes room by their own.
   */
  #makeRoom(): void {
    const counts = new Map<string, number>()
    for (const { peer, answers } of this.#open.values()) {
      if (isAnswering(answers)) continue
      counts.set(peer, (counts.get(peer) ?? 0) + 1)
    }
    const most = Math.max(...counts.values())
    let ended: [name: string, Connection] | undefined
    for (const entry of this.#open) {
      const [, { peer, answers }] = entry
      if (counts.get(peer) !== most || isAnswering(answers)) continue
      ended ??= entry
      if (answers.size > 0) continue
      ended = entry
      break
    }
    if (!ended) return
    const [name, { socket }] = ended
    this.#open.delete(name)
    socket.destroy()
  }
}

/** Whether a request has arrived as a whole that waits for its answer. */
function isAnswering(answers: ReadonlySet<ServerResponse>): boolean {
  for (const { req } of answers) if (req.complete) return true
  return false
}

/** What tells an open connection from every other one: a peer may use one port for several addresses of this server. */
export function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): string {
  return [localAddress, localPort, remoteAddress, remotePort].join(' ')
}
