import { addressOf, type Target } from './target.js'

/** Where an endpoint below the issuer is called with a client certificate: below the address that asks for one (AMB-65). */
export function mutualTlsAddress(target: Target, endpoint: string): string {
  const { mutualTls } = target
  const address = addressOf(target)
  const moves = mutualTls !== undefined && endpoint.startsWith(`${address}/`)
  return moves ? `${mutualTls}${endpoint.slice(address.length)}` : endpoint
}
