import type { RequestHandler } from 'express'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { isServed } from '../is-served.js'
import { libraryRoutes } from '../provider/library-routes.js'

/**
 * The paths that oidc-provider serves for the bank, and the end of all others: what the library would answer elsewhere (metadata of its
 * own by RFC 8414, say) is not the bank's, and discovery would be contradicted by it.
 */
export function libraryPaths({ provider }: Pick<BankContext, 'provider'>): RequestHandler {
  const answer = provider.callback()
  return (req, res) => {
    if (isServed(`${req.method} ${req.path}`, libraryRoutes)) return answer(req, res)
    throw new BankError('invalid_request', `nothing is served at ${req.method} ${req.path}`, {
      status: 404,
    }).refusedBy('path/served')
  }
}
