import type { Request, RequestHandler, Response } from 'express'
import type { BankContext } from '../context.js'
import { isServed } from '../is-served.js'
import type { CodeLocals } from '../provider/device-grant.js'
import { libraryRoutes } from '../provider/library-routes.js'
import { serializeRequests } from './serialize-requests.js'

/** Where a login goes on. */
const furtherSteps = libraryRoutes.filter((route) => route.endsWith('/:login'))

/**
 * The paths that oidc-provider serves for the bank, and no others: what the library would answer elsewhere (metadata of its
 * own by RFC 8414, say) is not the bank's, and discovery would be contradicted by it.
 */
export function libraryPaths({ provider, turns }: Pick<BankContext, 'provider' | 'turns'>): RequestHandler {
  const answer: (req: Request, res: Response) => Promise<void> = provider.callback()
  // Of browsers that confirm one code in the same moment one goes on: the library looks whether one has, and takes note of it afterwards.
  const answerInTurn = serializeRequests((_req, res) => `code ${(res.locals as CodeLocals).entered}`, answer, turns)
  return (req, res, next) => {
    if (isServed(`${req.method} ${req.path}`, libraryRoutes)) {
      // A login goes on with what it began with. Of an error there, the library would ask a query whom to tell.
      if (isServed(`${req.method} ${req.path}`, furtherSteps)) req.url = req.path
      const entersCode = (res.locals as CodeLocals).entered !== undefined
      return entersCode ? answerInTurn(req, res, next) : answer(req, res)
    }
    return next()
  }
}
