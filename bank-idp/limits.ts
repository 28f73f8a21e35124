import { didYouMean } from './nearest.js'

/** How much the bank takes at once: more than any real client or person needs, less than what wears it out. */
export interface Limits {
  /**
   * Wrong passwords for one person from one address, within passwordPause; ten times as many from one address for all people, and for one
   * person from all addresses. 0: any number.
   */
  passwordTries: number
  /** Seconds after the first wrong password in which no more are taken. */
  passwordPause: number
  /**
   * Connections that are open at once. One more ends one of the address that most come from on which no answer is under way; where there is
   * none, its request is answered with 503.
   */
  connections: number
  /** Seconds after which a connection is cut on which nothing comes and goes. */
  idleTime: number
  /** Seconds in which TLS has to be agreed to, and a request has to be there as a whole: else 408. */
  requestTime: number
  /**
   * Characters of the path and query of a request (else 414), of the form that asks for a login in their place (else 413), and of what a request
   * object asks one for, written as a query (else invalid_request_object).
   */
  addressLength: number
  /** Bytes of the first line and the headers of a request: else 431. */
  headerBytes: number
  /** Characters of the state of a login: else 414, or 413, or of a request object invalid_request_object. */
  stateLength: number
  /**
   * Logins that wait for their person at once, of all clients and of each. One more takes the place of those of the address that most come
   * from: see store/waiting-logins.ts.
   */
  logins: number
  loginsOfClient: number
  /** Times that one request_uri is read within ten seconds; beyond that what was read last counts. */
  requestUriReads: number
}

/** Bytes of a body that are read, whoever reads it: a multiple of what any endpoint takes, each of which has a bound of its own. */
export const longestBody = 1024 * 1024

/** What holds when the configuration names nothing. */
export const defaultLimits: Limits = {
  passwordTries: 10,
  passwordPause: 900,
  connections: 2_000,
  idleTime: 60,
  requestTime: 30,
  addressLength: 8_192,
  headerBytes: 16_384,
  stateLength: 2_048,
  logins: 100_000,
  loginsOfClient: 20_000,
  requestUriReads: 50,
}

/** The limits that can be lifted, by 0. */
const liftable: readonly string[] = ['passwordTries']

/** What is wrong with configured limits, in words; undefined when nothing is. */
export function limitsProblem(given: Partial<Limits>): string | undefined {
  const names = Object.keys(defaultLimits)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined)
    return `'${unknown}' is not a limit${didYouMean(unknown, names) || `; the limits are ${names.join(', ')}`}`
  const least = (name: string) => (liftable.includes(name) ? 0 : 1)
  const wrong = Object.entries(given).find(([name, value]) => !Number.isInteger(value) || value < least(name))
  return wrong && `${wrong[0]} must be a whole number, ${least(wrong[0])} or more`
}
