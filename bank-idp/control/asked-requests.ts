import { BankError } from '../errors.js'
import { isServed } from '../is-served.js'
import { didYouMean, nearest } from '../nearest.js'
import type { AskedRequests } from '../request-history.js'
import type { Bench } from './operation.js'
import { servedRoutes } from './served-routes.js'

/** Seconds for which a test may wait for a request: a day. */
const longestWaitSeconds = 86_400

/** What came to a bank, for whoever asks in its process, and may have no TypeScript. */
export function askedRequests(bench: Bench): AskedRequests {
  const { history, config } = bench.context
  return {
    list(route, after) {
      checkRoute(bench, route)
      checkAfter(after)
      return history.list(route, after)
    },
    last(route) {
      checkRoute(bench, route)
      return history.last(route)
    },
    async waitFor(route, options = {}) {
      checkForm(bench, route)
      checkOptions(options)
      checkRoute(bench, route)
      if (!config.bench) throw refuse('this bank is no bench: it remembers no requests')
      return history.waitFor(route, options)
    },
    clear: () => history.clear(),
  }
}

/**
 * Refuses a route at which nothing came, nothing ever comes, and which is a slip of one that there is.
 *
 * @param route undefined for all requests
 * @throws {BankError} invalid_request with the route that was meant
 */
export function checkRoute(bench: Bench, route: string | undefined): void {
  if (route === undefined) return
  checkForm(bench, route)
  const routes = servedRoutes(bench.app)
  if (isServed(route.replace(/^HEAD /, 'GET '), routes) || bench.context.history.last(route)) return
  // Names of routes are short: what takes more edits is another route, which a test may well expect not to be asked for.
  const begun = /\/\w{3}/.test(route) ? routes.find((one) => one.startsWith(route)) : undefined
  const meant = nearest(route, routes, 2) ?? begun
  if (meant !== undefined) throw refuse(`route: nothing is served at ${route}: did you mean ${meant}?`)
}

function checkForm(bench: Bench, route: unknown): void {
  if (typeof route === 'string' && /^[A-Z]+ \/[^?#\s]*$/.test(route)) return
  const meant = typeof route === 'string' ? meantBy(route, servedRoutes(bench.app)) : ''
  throw refuse(`route: give a method and a path below the bank's address, such as POST /token${meant}`)
}

/** The route that was meant where the method or the case is missing, or an address or a query was given. */
function meantBy(written: string, routes: readonly string[]): string {
  const [, method = '', path = ''] = /^(?:([a-z]+) +)?(?:https?:\/\/[^/]+)?\/?([^?#]*)/i.exec(written) ?? []
  const tidy = `${method.toUpperCase()} /${path}`
  const same = routes.find((route) => (method === '' ? route.endsWith(tidy) : route === tidy))
  return same === undefined ? didYouMean(tidy, routes) : `: did you mean ${same}?`
}

function checkAfter(after: unknown): void {
  if (after === undefined || (Number.isInteger(after) && Number(after) >= 0)) return
  throw refuse('after: give the id of the request that it comes after')
}

function checkOptions(options: unknown): void {
  const known = ['timeoutSeconds', 'after']
  if (typeof options !== 'object' || options === null) {
    throw refuse('options: give them as an object, such as { timeoutSeconds: 5 }')
  }
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const meant = nearest(unknown, known) ?? known.find((one) => one.startsWith(unknown))
    const told = meant === undefined ? `; the options are ${known.join(', ')}` : `: did you mean ${meant}?`
    throw refuse(`${unknown} is not an option${told}`)
  }
  const { timeoutSeconds, after } = options as { timeoutSeconds?: unknown; after?: unknown }
  checkAfter(after)
  if (timeoutSeconds === undefined) return
  if (typeof timeoutSeconds === 'number' && timeoutSeconds >= 0 && timeoutSeconds <= longestWaitSeconds) return
  throw refuse(`timeoutSeconds: give a number of seconds from 0 to ${longestWaitSeconds}`)
}

function refuse(what: string): BankError {
  return new BankError('invalid_request', what)
}
