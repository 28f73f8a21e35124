import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls, type PeerCertificate } from 'node:tls'
import type { ClientCertificate } from '../target/client-certificate.js'

/** Where the bank listens, as an address of it tells. */
export interface Place {
  host: string
  port: number
}

export function placeOf(address: string): Place {
  const { hostname, port } = new URL(address)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) }
}

/** The addresses of a host. @throws NodeJS.ErrnoException when its name cannot be resolved */
export async function resolveName(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Opens a TCP connection and closes it. @throws NodeJS.ErrnoException, of code ETIMEDOUT when nothing comes back in time */
export function reach({ host, port }: Place, timeoutSeconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTcp({ host, port, timeout: timeoutSeconds * 1000 })
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    socket.on('error', reject)
  })
}

/** What a TLS handshake showed. */
export interface TlsSeen {
  protocol: string
  cipher: string
  certificate: PeerCertificate
  /** Code of the error by which the certificate is not trusted. */
  distrust?: string
}

/** With what hands are shaken. */
interface Shaking extends Partial<ClientCertificate> {
  ca: string | undefined
  timeoutSeconds: number
}

/** Shakes hands, whatever certificate is shown. @throws NodeJS.ErrnoException when there is no TLS */
export function shakeHands({ host, port }: Place, { timeoutSeconds, ...shown }: Shaking): Promise<TlsSeen> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({
      host,
      port,
      ...shown,
      rejectUnauthorized: false,
      timeout: timeoutSeconds * 1000,
      ...(isIP(host) === 0 && { servername: host }),
    })
    socket.once('secureConnect', () => {
      // Typed as an Error, it is the code of one.
      const distrust = socket.authorizationError && String(socket.authorizationError)
      resolve({
        protocol: socket.getProtocol() ?? 'TLS',
        cipher: socket.getCipher().standardName,
        certificate: socket.getPeerCertificate(),
        ...(distrust && { distrust }),
      })
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    socket.on('error', reject)
  })
}
