import type { BankContext } from '../context.js'
import { deviceCodeLifetimeSeconds, lifetimesOf } from '../lifetimes.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Configuration } from './library.js'
import { fixLifetime } from './patches.js'

const hourSeconds = 3600

/** The lifetimes of everything that oidc-provider keeps, as it asks for them. */
export function timesToLive(bank: Pick<BankContext, 'config' | 'seams'>): Configuration['ttl'] {
  const of = (clientId: string) => lifetimesOf(bank, clientId)
  return {
    AccessToken: (_ctx, token, { clientId }) => fixLifetime(token, of(clientId).AccessToken),
    AuthorizationCode: (_ctx, code, { clientId }) => fixLifetime(code, of(clientId).AuthorizationCode),
    IdToken: (_ctx, _token, { clientId }) => of(clientId).IdToken,
    // One that replaces another has its expiry (specification: "States and transitions").
    RefreshToken: (ctx, token, { clientId }) =>
      fixLifetime(token, of(clientId).RefreshToken, ctx.oidc.entities.RotatedRefreshToken?.exp),
    DeviceCode: deviceCodeLifetimeSeconds,
    Interaction: hourSeconds,
    // One in which nobody signed in is no more than a page that waits.
    Session: (_ctx, { accountId }) => (accountId === undefined ? hourSeconds : 8 * hourSeconds),
    // A grant outlives every token that can come to rest on it, and no longer.
    Grant: (_ctx, grant) => {
      const { AccessToken, RefreshToken, AuthorizationCode } = of(String(grant.clientId))
      const offline = parseSpaceDelimited(grant.getOIDCScope()).includes('offline_access')
      return hourSeconds + AuthorizationCode + AccessToken + (offline ? RefreshToken : 0)
    },
  }
}
