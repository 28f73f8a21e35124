import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { isAmong } from './client-certificate.js'

/** Bits of an IPv6 address that one subscriber cannot choose (RFC 6177 section 2: a site gets a /64 at the least). */
const siteBits = 64

/**
 * Who a request comes from, as far as an address tells it: that of the connection, or the one that the configured reverse proxies add to
 * X-Forwarded-For. Of an IPv6 address the network counts, since who has one address of it has all.
 *
 * @param proxies addresses and networks that are believed; what anybody else says in the header is not
 */
export function callerAddress(req: IncomingMessage, proxies: readonly string[]): string {
  const forwarded = String(req.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((address) => address.trim())
  let address = req.socket.remoteAddress ?? ''
  while (ipaddr.isValid(address) && isAmong(address, proxies)) {
    const previous = forwarded.pop() ?? ''
    if (!ipaddr.isValid(previous)) break
    address = previous
  }
  return siteOf(address)
}

/** An IPv4 address as it is, and the network of an IPv6 address. @param bits of it that count */
export function siteOf(address: string, bits = siteBits): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString()
}
