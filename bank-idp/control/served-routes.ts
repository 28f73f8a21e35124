import type { RequestListener } from 'node:http'
import { libraryRoutes } from '../provider/library-routes.js'

/** A part of an application's own list, as Express keeps it. */
interface Layer {
  route?: { path: string | string[]; methods: Record<string, boolean> }
  handle: { stack?: Layer[] }
}

function routesOf(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route, handle }) => {
    if (!route) return routesOf(handle.stack ?? [])
    const methods = Object.keys(route.methods).flatMap((method) => (method === '_all' ? ['get', 'post'] : method))
    return [route.path].flat().flatMap((path) => methods.map((method) => `${method.toUpperCase()} ${path}`))
  })
}

/** All that a bank serves, such as `POST /token`; a path may have parameters: `GET /register/:clientId`. @param app that of the bank */
export function servedRoutes(app: RequestListener): string[] {
  const { router } = app as unknown as { router: { stack: Layer[] } }
  return [...new Set([...routesOf(router.stack), ...libraryRoutes])]
}
