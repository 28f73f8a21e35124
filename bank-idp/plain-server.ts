import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { answerBroken, brokenTarget, refuse } from './broken-requests.js'
import { Connections } from './connections.js'
import { UsageError } from './errors.js'
import type { Limits } from './limits.js'

/** A server of plain http beside the bank's own, for those who run it. */
export interface PlainServer {
  /** Its address, without a slash at its end. */
  url: string
  close(): Promise<void>
}

/** How an interface is written in an address; one that stands for all of them is spoken of as this machine. */
function nameOf(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

/**
 * Has an application answer over plain http.
 *
 * @param at port 0 takes any free one
 * @param limits of connections in number, and of their idle time in seconds
 * @param refusal what is said where nothing can listen there, of the port and the reason
 * @throws {UsageError} so
 */
export async function listenPlainly(
  app: RequestListener,
  { host, port }: { host: string; port: number },
  limits: Pick<Limits, 'connections' | 'idleTime'>,
  refusal: (port: number, reason: string) => string,
): Promise<PlainServer> {
  const server = createServer({ requireHostHeader: false }, (req, res) => {
    connections.begin(req, res)
    const problem = brokenTarget(req)
    if (problem) refuse(res, problem)
    else app(req, res)
  })
  const connections = new Connections(server, limits)
  answerBroken(server, (socket) => connections.hasAnswered(socket as Socket))
  await new Promise<void>((resolve, reject) => {
    const fail = ({ code, message }: NodeJS.ErrnoException) => {
      reject(new UsageError(refusal(port, code === 'EADDRINUSE' ? 'the port is already in use' : message)))
    }
    server.once('error', fail).listen(port, host, resolve)
  })
  return {
    url: `http://${nameOf(host)}:${(server.address() as AddressInfo).port}`,
    close: () => connections.end(),
  }
}
