import { nowSeconds } from '../clock.js'
import type { BankConfig } from '../config.js'
import type { ActiveFaults } from '../faults/active.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { deviceCodeLifetimeSeconds } from './device-grant.js'
import type { Configuration } from './library.js'

const hour = 3600
const year = 365 * 24 * hour

/** Lifetimes in seconds of what a client holds. */
export interface Lifetimes {
  AccessToken: number
  RefreshToken: number
  IdToken: number
  AuthorizationCode: number
  /**
   * How much longer than max_age a request object lives that came without an access token: its person is somewhere else, and has to be
   * reached and to sign in first. Specification: "Signing / request-object flow", out-of-band authorization.
   */
  OutOfBand: number
}

/**
 * What holds when the configuration names nothing, which is also the least it may name for tokens. Specification: "Token kinds and
 * required minimum validity"; a code lives ten minutes at most (published).
 */
export const defaultLifetimes: Lifetimes = {
  AccessToken: hour,
  RefreshToken: year,
  IdToken: hour,
  AuthorizationCode: 600,
  OutOfBand: hour,
}

/** What is wrong with configured lifetimes, in words; undefined when nothing is. */
export function lifetimesProblem(given: Partial<Lifetimes>): string | undefined {
  const { AccessToken, RefreshToken, IdToken, AuthorizationCode } = { ...defaultLifetimes, ...given }
  const names = Object.keys(defaultLifetimes)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) return `'${unknown}' has no lifetime; lifetimes exist for ${names.join(', ')}`
  const values = Object.values(given)
  if (values.some((value) => !Number.isInteger(value) || value < 1)) return 'must be whole numbers of seconds'
  if (AccessToken < hour) return `AccessToken must be ${hour} seconds or more`
  if (RefreshToken < year) return `RefreshToken must be ${year} seconds (365 days) or more`
  if (IdToken < AccessToken) return `IdToken must be as long as AccessToken (${AccessToken} seconds) or more`
  return AuthorizationCode > 600 ? 'AuthorizationCode must be 600 seconds or less' : undefined
}

interface Bank {
  config: Readonly<BankConfig>
  faults: ActiveFaults
}

/** The lifetimes in force for a client. */
export function lifetimesOf({ config, faults }: Bank, clientId: string): Lifetimes {
  return faults.lifetimes({ ...defaultLifetimes, ...config.lifetimes }, clientId)
}

interface Bank {
  config: Readonly<BankConfig>
  faults: ActiveFaults
}

/** A token of oidc-provider while it is being made. */
interface Issued {
  iat?: number
  exp?: number
}

/** Fixes both ends of a lifetime in one second, since the library reads the time once for each. @param exp in place of iat + seconds */
function fix(token: Issued, seconds: number, exp?: number): number {
  const iat = nowSeconds()
  token.iat = iat
  token.exp = exp ?? iat + seconds
  return token.exp - iat
}

/** The lifetimes of everything that oidc-provider keeps, as it asks for them. */
export function timesToLive(bank: Bank): Configuration['ttl'] {
  const of = (clientId: string) => lifetimesOf(bank, clientId)
  return {
    AccessToken: (_ctx, token, { clientId }) => fix(token, of(clientId).AccessToken),
    AuthorizationCode: (_ctx, code, { clientId }) => fix(code, of(clientId).AuthorizationCode),
    IdToken: (_ctx, _token, { clientId }) => of(clientId).IdToken,
    // One that replaces another has its expiry (specification: "States and transitions").
    RefreshToken: (ctx, token, { clientId }) =>
      fix(token, of(clientId).RefreshToken, ctx.oidc.entities.RotatedRefreshToken?.exp),
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
