import type { BankConfig } from '../config.js'
import type { ActiveFaults } from '../faults/active.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { deviceCodeLifetimeSeconds } from './device-grant.js'
import type { Configuration } from './library.js'
import { defaultLifetimes, type Lifetimes } from './lifetimes.js'
import { fixLifetime } from './patches.js'

const hour = 3600

interface Bank {
  config: Readonly<BankConfig>
  faults: ActiveFaults
}

/** The lifetimes in force for a client. */
export function lifetimesOf({ config, faults }: Bank, clientId: string): Lifetimes {
  return faults.lifetimes({ ...defaultLifetimes, ...config.lifetimes }, clientId)
}

/** The lifetimes of everything that oidc-provider keeps, as it asks for them. */
export function timesToLive(bank: Bank): Configuration['ttl'] {
  const of = (clientId: string) => lifetimesOf(bank, clientId)
  return {
    AccessToken: (_ctx, token, { clientId }) => fixLifetime(token, of(clientId).AccessToken),
    AuthorizationCode: (_ctx, code, { clientId }) => fixLifetime(code, of(clientId).AuthorizationCode),
    IdToken: (_ctx, _token, { clientId }) => of(clientId).IdToken,
    // One that replaces another has its expiry (specification: "States and transitions").
    RefreshToken: (ctx, token, { clientId }) =>
      fixLifetime(token, of(clientId).RefreshToken, ctx.oidc.entities.RotatedRefreshToken?.exp),
    DeviceCode: deviceCodeLifetimeSeconds,
    Interaction: hour,
    Session: 8 * hour,
    // A grant outlives every token that can come to rest on it, and no longer.
    Grant: (_ctx, grant) => {
      const { AccessToken, RefreshToken, AuthorizationCode } = of(String(grant.clientId))
      const offline = parseSpaceDelimited(grant.getOIDCScope()).includes('offline_access')
      return hour + AuthorizationCode + AccessToken + (offline ? RefreshToken : 0)
    },
  }
}
