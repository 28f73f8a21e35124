import { X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { Request, RequestHandler } from 'express'
import ipaddr from 'ipaddr.js'
import type { BankContext } from './context.js'

/** What is known of the certificate that a client showed. */
export interface ClientCertificate {
  presented: boolean
  /** The certificate itself, when one was presented that can be read. */
  certificate?: X509Certificate
  /** Why the bank does not trust it; undefined when it does, or when none was presented. */
  problem?: string
}

/** id-kp-clientAuth (RFC 5280 section 4.2.1.12). */
const clientUsage = '1.3.6.1.5.5.7.3.2'

/** What looks at the certificate of a request: most requests need none, and to read one costs as much as to read the request. */
const lookAt = new WeakMap<Request, () => ClientCertificate>()

/** The certificate that came with a request which {@link clientCertificate} has seen. */
export function certificateOf(req: Request): ClientCertificate {
  return lookAt.get(req)?.() ?? { presented: false }
}

/** Whether an address is one of these addresses and networks (CIDR). */
export function isAmong(address: string, networks: readonly string[]): boolean {
  if (networks.length === 0) return false
  const given = ipaddr.process(address)
  return networks.some((network) => {
    const [base, bits] = ipaddr.isValid(network)
      ? [ipaddr.process(network), undefined]
      : (ipaddr.parseCIDR(network) as [ipaddr.IPv4 | ipaddr.IPv6, number])
    if (base.kind() !== given.kind()) return false
    return given.match(base as ipaddr.IPv4 & ipaddr.IPv6, bits ?? (base.kind() === 'ipv4' ? 32 : 128))
  })
}

/** What was shown in the handshake of a connection, which comes before its first request. */
const shown = new WeakMap<TLSSocket, ClientCertificate>()

function ofConnection(socket: TLSSocket): ClientCertificate {
  const known = shown.get(socket)
  if (known) return known
  // An application that is mounted elsewhere may be served without TLS.
  const certificate = socket.getPeerX509Certificate?.()
  const problem = socket.authorized ? undefined : String(socket.authorizationError)
  const found = certificate
    ? { presented: true, certificate, ...(problem !== undefined && { problem }) }
    : { presented: false }
  shown.set(socket, found)
  return found
}

/** The header Client-Cert: a DER certificate in base64 between colons (RFC 9440 section 2.1). */
function ofProxy(header: string | undefined, authorities: readonly string[]): ClientCertificate {
  if (header === undefined) return { presented: false }
  try {
    const [, base64 = ''] = /^:([A-Za-z0-9+/=]+):$/.exec(header) ?? []
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'))
    const time = performance.timeOrigin + performance.now()
    const ended = Date.parse(certificate.validTo) < time || Date.parse(certificate.validFrom) > time
    const issued = authorities
      .map((pem) => new X509Certificate(pem))
      .some((authority) => certificate.checkIssued(authority) && certificate.verify(authority.publicKey))
    if (!issued) {
      return { presented: true, certificate, problem: 'it was not issued by an authority that the bank trusts' }
    }
    if (ended) return { presented: true, certificate, problem: 'it has expired or is not valid yet' }
    // What is not said may be anything (RFC 5280 section 4.2.1.12).
    const forClients = certificate.keyUsage?.includes(clientUsage) ?? true
    return { presented: true, certificate, ...(!forClients && { problem: 'it is not a client certificate' }) }
  } catch {
    return { presented: true, problem: 'the header Client-Cert contains no certificate' }
  }
}

/**
 * Says where the certificate of each request is: that of the connection, or the one that a reverse proxy vouches for which the configuration
 * names. What anybody else says in the header Client-Cert is not believed.
 */
export function clientCertificate({
  config,
  authorities,
}: Pick<BankContext, 'authorities' | 'config'>): RequestHandler {
  return (req, _res, next) => {
    const socket = req.socket as TLSSocket
    const byProxy = socket.remoteAddress !== undefined && isAmong(socket.remoteAddress, config.trustedProxies)
    lookAt.set(req, () => (byProxy ? ofProxy(req.get('client-cert'), authorities()) : ofConnection(socket)))
    next()
  }
}
