import { type NextFunction, type RequestHandler, Router } from 'express'

/** A router whose paths are what they say: `/Token` and `/token/` are not `/token`, here as wherever else paths are compared. */
export function exactRouter(): Router {
  return Router({ caseSensitive: true, strict: true })
}

/**
 * Handlers that follow one another, as one: to find each of them costs Express more than what most of them do.
 *
 * @param handlers none of which answers with a promise
 */
export function inOrder(...handlers: RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let at = 0
    const goOn: NextFunction = (error?: unknown) => {
      const handler = handlers[at]
      at += 1
      if (error || !handler) return next(error)
      try {
        handler(req, res, goOn)
      } catch (thrown) {
        next(thrown)
      }
    }
    goOn()
  }
}

/** What a path begins with, up to its second slash. */
function beginningOf(path: string): string {
  return path.split('/', 2).join('/')
}

/**
 * What several routers serve, as one. Which routes a request may be for is looked up by what its path begins with: to ask each router costs more
 * than many answers do.
 *
 * @param routers of routes alone, whose paths begin with something fixed
 * @param others what is asked last, whatever the path
 */
export function joined(routers: readonly Router[], others: RequestHandler): RequestHandler & Pick<Router, 'stack'> {
  const rest = exactRouter().use(others)
  const known = new Map<string, Router>()
  const layers = routers.flatMap(({ stack }) => stack)
  for (const layer of layers) {
    for (const path of [layer.route?.path ?? []].flat()) {
      const beginning = beginningOf(path)
      const router = known.get(beginning) ?? exactRouter()
      if (!router.stack.includes(layer)) router.stack.push(layer)
      known.set(beginning, router)
    }
  }
  for (const { stack } of known.values()) stack.push(...rest.stack)
  const handle: RequestHandler = (req, res, next) => (known.get(beginningOf(req.path)) ?? rest)(req, res, next)
  return Object.assign(handle, { stack: layers })
}
