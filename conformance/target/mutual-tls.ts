import { addressOf, type Target } from './target.js'

/** Where an endpoint below the issuer is called with a client certificate: below the address that asks for one (AMB-65). */
export function mutualTlsAddress(target: Target, endpoint: string): string {
  const { mutualTls } = target
  const address = addressOf(target)
  const moves = mutualTls !== undefined && endpoint.startsWith(`${address}/`)
  return moves ? `${mutualTls}${endpoint.slice(address.length)}` : endpoint
}

/** The audience of assertions for such an endpoint ("Client assertion JWT claims": the address of the called endpoint, of which there are two). */
export function mutualTlsAudience(target: Target, endpoint: string): string {
  return target.mutualTlsAudience === 'mutual_tls' ? mutualTlsAddress(target, endpoint) : endpoint
}
