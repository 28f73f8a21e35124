import type { Target } from './target.js'

/** Where an endpoint below the issuer is called with a client certificate: below the address that asks for one (AMB-65). */
export function mutualTlsAddress({ issuer, mutualTls }: Target, endpoint: string): string {
  const moves = mutualTls !== undefined && endpoint.startsWith(`${issuer}/`)
  return moves ? `${mutualTls}${endpoint.slice(issuer.length)}` : endpoint
}
