import { X509Certificate } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type RequestListener, request } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { BankError } from './errors.js'

/** A request to the bank by the process that it lives in. */
export interface OwnRequest {
  method?: 'GET' | 'POST'
  /** Absolute, or below the bank's address. */
  address: string
  headers?: Record<string, string>
  /** Sent as a form, where it is one. */
  body?: string | URLSearchParams
  /** PEM of a client certificate that the bank trusts, as over mutual TLS. */
  certificate?: string
  /** The address that it comes from; default: none that is known. */
  from?: string | undefined
}

export interface OwnAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** What is asked: an application, and the address of its bank. */
export interface OwnBank {
  app: RequestListener
  context: { config: { issuer: string } }
}

/** What the bank sees of a connection over TLS, at this end of a pair of streams. */
function likeTls(end: Duplex, { certificate, from }: OwnRequest): Duplex {
  return Object.assign(end, {
    encrypted: true,
    remoteAddress: from,
    authorized: certificate !== undefined,
    getPeerX509Certificate: () => (certificate === undefined ? undefined : new X509Certificate(certificate)),
  })
}

/**
 * Asks the bank over HTTP without a socket, so that it need not listen: what a client or a browser would ask, through the same
 * application. Redirects are not followed.
 */
export async function ask({ app, context }: OwnBank, own: OwnRequest): Promise<OwnAnswer> {
  const [near, far] = duplexPair()
  // What ends one end of a connection ends the other.
  far.once('close', () => near.destroy())
  const server = createServer(app)
  server.emit('connection', likeTls(far, own))
  const { issuer } = context.config
  const { pathname, search } = new URL(own.address.startsWith('/') ? issuer + own.address : own.address)
  const form = own.body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded' }
  try {
    return await new Promise((resolve, reject) => {
      const headers = { host: new URL(issuer).host, ...form, ...own.headers }
      const sent = request({ method: own.method, path: pathname + search, headers, createConnection: () => near })
      sent.once('error', reject).once('response', (answer) => {
        const read = ({ statusCode = 0, headers }: typeof answer) =>
          text(answer).then((body) => resolve({ status: statusCode, headers, text: body }))
        read(answer).catch(reject)
      })
      sent.end(own.body?.toString())
    })
  } catch (error) {
    const why = `the bank ended the connection at ${pathname}: ${(error as Error).message}`
    throw new BankError('temporarily_unavailable', why, { cause: error })
  } finally {
    near.destroy()
  }
}
