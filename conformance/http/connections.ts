import { createSecureContext, type TLSSocket } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import type { TlsFacts } from '../evidence/evidence.js'

/**
 * Milliseconds for which a connection is kept that carries nothing, whatever the bank allows. Long enough to be used again within one
 * conversation, and shorter than servers and proxies wait before they close one: a request must not meet the bank's closing.
 */
const idleTimeoutMs = 600

/** Codes of errors of a connection that the other side ended. */
const cutOff = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** Whether a request failed because the bank ended its connection. */
export function isCutOff(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && cutOff.includes(String(error.code))
}

/** Connections to the bank that show one client certificate, or none. */
export interface Connections {
  /** Keeps connections to an origin alive, until one is seen to be ended there: from then on each request has one of its own. */
  kept(url: string): Agent
  /** Each request has a connection of its own. */
  single: Agent
  /** What was last seen of TLS, by origin. */
  facts: Map<string, TlsFacts>
  close(): Promise<void>
}

/** What a connection is verified by, and what it shows. */
export interface TlsSettings {
  /** PEM of the authorities trusted; the system's when left out. */
  ca?: string | undefined
  cert?: string
  key?: string
}

/**
 * Opens connections, those of https with a certificate that was verified.
 * @param milliseconds for a connection to come about
 */
export function verifiedConnector(tls: TlsSettings, milliseconds: number): buildConnector.connector {
  const secureContext = createSecureContext(tls)
  // A resumed session would not show the bank's certificate again.
  return buildConnector({ secureContext, rejectUnauthorized: true, timeout: milliseconds, maxCachedSessions: 0 })
}

/** @param milliseconds for a connection to come about */
export function connections(tls: TlsSettings, milliseconds: number): Connections {
  const facts = new Map<string, TlsFacts>()
  const connector = verifiedConnector(tls, milliseconds)
  const connect: buildConnector.connector = (options, callback) => {
    connector(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      if ('getCipher' in socket) facts.set(originOf(options), factsOf(socket, tls.cert !== undefined))
      callback(null, socket)
    })
  }
  const keeping = new Agent({ connect, keepAliveTimeout: idleTimeoutMs, keepAliveMaxTimeout: idleTimeoutMs })
  const single = new Agent({ connect, pipelining: 0 })
  const ended = new Set<string>()
  const endedThere = ({ origin }: URL, _targets: unknown, error: Error) => {
    if (isCutOff(error)) ended.add(origin)
  }
  // One that is ended before it came about is none that was kept: on a connection of its own a request shows that.
  keeping.on('disconnect', endedThere).on('connectionError', endedThere)
  return {
    kept: (url) => (ended.has(new URL(url).origin) ? single : keeping),
    single,
    facts,
    async close() {
      await Promise.all([keeping.destroy(), single.destroy()])
    },
  }
}

function originOf({ protocol, host, hostname, port }: buildConnector.Options): string {
  return new URL(`${protocol}//${host ?? `${hostname}:${port}`}`).origin
}

function factsOf(socket: TLSSocket, clientCertificate: boolean): TlsFacts {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher().standardName,
    certificate: socket.getPeerCertificate().fingerprint256,
    clientCertificate,
  }
}
