import { didYouMean } from './nearest.js'

/** Seconds in an hourSeconds and in a yearSeconds of 365 days. */
const hourSeconds = 3600
const yearSeconds = 365 * 24 * hourSeconds

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
const defaultLifetimes: Lifetimes = {
  AccessToken: hourSeconds,
  RefreshToken: yearSeconds,
  IdToken: hourSeconds,
  AuthorizationCode: 600,
  OutOfBand: hourSeconds,
}

/** What is wrong with configured lifetimes, in words; undefined when nothing is. */
export function lifetimesProblem(given: Partial<Lifetimes>): string | undefined {
  const { AccessToken, RefreshToken, IdToken, AuthorizationCode } = { ...defaultLifetimes, ...given }
  const names = Object.keys(defaultLifetimes)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined)
    return `'${unknown}' has no lifetime${didYouMean(unknown, names) || `; lifetimes exist for ${names.join(', ')}`}`
  const values = Object.values(given)
  if (values.some((value) => !Number.isInteger(value) || value < 1)) return 'must be whole numbers of seconds'
  if (AccessToken < hourSeconds) return `AccessToken must be ${hourSeconds} seconds or more`
  if (RefreshToken < yearSeconds) return `RefreshToken must be ${yearSeconds} seconds (365 days) or more`
  if (IdToken < AccessToken) return `IdToken must be as long as AccessToken (${AccessToken} seconds) or more`
  return AuthorizationCode > 600 ? 'AuthorizationCode must be 600 seconds or less' : undefined
}

/** Seconds that a device code can be redeemed, and for which an expired one is still told from an unknown one. */
export const deviceCodeLifetimeSeconds = 600

/** Seconds for which an expired access token is still told from an unknown one. */
export const expiredTokenRememberedSeconds = 30 * 24 * hourSeconds

/** Of a bank: its configured lifetimes, and the place where those in force are changed. */
interface Bank {
  config: { readonly lifetimes: Partial<Lifetimes> }
  seams: { lifetimes(inForce: Lifetimes, clientId: string): Lifetimes }
}

/** The lifetimes in force for a client, where the configuration names some. */
export function lifetimesOf({ config, seams }: Bank, clientId: string): Lifetimes {
  return seams.lifetimes({ ...defaultLifetimes, ...config.lifetimes }, clientId)
}
