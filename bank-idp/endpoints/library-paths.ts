import type { RequestHandler } from 'express'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { devicePaths } from '../provider/device-grant.js'

/** What oidc-provider answers, by method and path below the bank's address. */
const served: readonly RegExp[] = [
  /^(GET|POST) \/auth$/,
  /^GET \/auth\/[^/]+$/,
  /^POST \/token$/,
  new RegExp(`^POST ${devicePaths.authorization}$`),
  new RegExp(`^(GET|POST) ${devicePaths.verification}$`),
  new RegExp(`^GET ${devicePaths.verification}/[^/]+$`),
]

/**
 * The paths that oidc-provider serves for the bank, and the end of all others: what the library would answer elsewhere (metadata of its
 * own by RFC 8414, say) is not the bank's, and discovery would be contradicted by it.
 */
export function libraryPaths({ provider }: Pick<BankContext, 'provider'>): RequestHandler {
  const answer = provider.callback()
  return (req, res) => {
    if (served.some((route) => route.test(`${req.method} ${req.path}`))) return answer(req, res)
    throw new BankError('invalid_request', `nothing is served at ${req.method} ${req.path}`, {
      status: 404,
    }).refusedBy('path/served')
  }
}
