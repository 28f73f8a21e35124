import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import { LRUCache } from 'lru-cache'
import { connectionTrouble } from '../http/connection-trouble.js'
import { type TlsSettings, verifiedConnector } from '../http/connections.js'
import { endServer } from '../http/end-server.js'
import { selfSigned } from '../http/self-signed.js'

/**
 * What a browser of the harness reaches the bank through, so that what it types goes over TLS that the harness has verified. A proxy
 * (RFC 9110 section 9.3.6) that ends the browser's TLS itself, with a key of its own that this browser alone trusts, and passes on what
 * comes over a connection that the harness opens as it opens its own.
 */
export interface VerifyingProxy {
  /** Address on this machine. */
  server: string
  /** Without them it serves nobody: others on this machine are not to have the harness's client certificate shown for them. */
  credentials: { username: string; password: string }
  /** The key that the browser has to trust: base64 of the SHA-256 of its SubjectPublicKeyInfo. */
  key: string
  /** Takes origins for the bank's: a client certificate is shown there, and nowhere else that a page may name. */
  showCertificate(origins: readonly string[]): void
  /** Why there is no connection to the host of an address, after the words "the bank"; undefined where nothing was amiss the last time. */
  trouble(url: string): string | undefined
  close(): Promise<void>
}

/** Who has not shown the credentials. */
const unknownCaller = [
  'HTTP/1.1 407 Proxy Authentication Required',
  'Proxy-Authenticate: Basic realm="conformance"',
  'Connection: close',
  '\r\n',
].join('\r\n')

/** Origins of which the trouble is remembered: a page may name any number. */
const mostOrigins = 100

/** @param milliseconds for a connection to come about */
export async function startVerifyingProxy(tls: TlsSettings, milliseconds: number): Promise<VerifyingProxy> {
  const own = await selfSigned('conformance')
  const secureContext = createSecureContext(own)
  const certified = verifiedConnector(tls, milliseconds)
  const plain = verifiedConnector({ ca: tls.ca }, milliseconds)
  const ofBank = new Set<string>()
  const troubles = new LRUCache<string, string>({ max: mostOrigins })
  let closed = false
  const open = new Set<Duplex>()
  const credentials = { username: 'conformance', password: randomBytes(32).toString('hex') }
  const shown = `Basic ${Buffer.from(Object.values(credentials).join(':')).toString('base64')}`
  const isKnown = ({ headers }: IncomingMessage) => headers['proxy-authorization'] === shown
  const kept = (socket: Duplex) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket)).on('error', () => socket.destroy())
    return socket
  }

  function tunnel({ origin, host, hostname, port }: URL, browser: Duplex): void {
    const address = { hostname: hostname.replace(/^\[|\]$/g, ''), host, port: port || '443', protocol: 'https:' }
    const connect = ofBank.has(origin) ? certified : plain
    connect(address, (error, bank) => {
      if (error) {
        troubles.set(origin, connectionTrouble(error) ?? 'could not be reached')
        browser.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
        return
      }
      troubles.delete(origin)
      if (closed || browser.destroyed) {
        bank.destroy()
        return
      }
      kept(bank)
      browser.write('HTTP/1.1 200 Connection established\r\n\r\n')
      const typed = kept(new TLSSocket(browser, { isServer: true, secureContext, ALPNProtocols: ['http/1.1'] }))
      // Whichever side ends, or fails, ends the other.
      const ended = () => {}
      pipeline(typed, bank, ended)
      pipeline(bank, typed, ended)
    })
  }

  // What is asked of it without TLS is asked of nobody.
  const server = createServer((req) => {
    if (!isKnown(req)) {
      req.socket.end(unknownCaller)
      return
    }
    if (URL.canParse(req.url ?? '')) troubles.set(new URL(req.url ?? '').origin, 'is to be asked without TLS')
    req.socket.destroy()
  })
  server.on('connect', (req: IncomingMessage, browser: Duplex) => {
    kept(browser)
    const address = `https://${req.url}`
    if (!URL.canParse(address)) browser.destroy()
    else if (isKnown(req)) tunnel(new URL(address), browser)
    else browser.end(unknownCaller)
  })
  const end = endServer(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    key: createHash('sha256')
      .update(new X509Certificate(own.cert).publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
    showCertificate(origins) {
      for (const origin of origins) ofBank.add(origin)
    },
    trouble: (url) => troubles.get(new URL(url).origin),
    async close() {
      closed = true
      for (const socket of open) socket.destroy()
      await end()
    },
  }
}
