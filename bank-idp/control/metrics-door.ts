import express from 'express'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import { listenPlainly, type PlainServer } from '../plain-server.js'
import { errorHandler, nosniff } from '../requests.js'
import { exactRouter } from '../router.js'
import type { Database } from '../store/database.js'
import type { Metrics } from './metrics.js'

const path = '/metrics'

/**
 * Opens a door at which nothing but the metrics is told, to whoever reaches it: over plain http and without a token, as those who collect
 * metrics expect it.
 *
 * @param store what is looked into when somebody asks
 * @param at port 0 takes any free one
 * @returns its address with the path
 * @throws {UsageError} where nothing can listen there
 */
export async function openMetricsDoor(
  metrics: Metrics,
  { config, log }: Pick<BankContext, 'config' | 'log'>,
  store: () => Database,
  at: { host: string; port: number },
): Promise<PlainServer> {
  const app = express()
    .disable('x-powered-by')
    .set('case sensitive routing', true)
    .set('strict routing', true)
    .use(nosniff)
    .use(
      exactRouter().get(path, async (_req, res) => {
        res.set({ 'content-type': metrics.contentType, 'cache-control': 'no-store' }).send(await metrics.text(store()))
      }),
    )
    .use(({ method, path: asked }) => {
      throw new BankError('not_found', `there is nothing at ${method} ${asked}: the metrics are at GET ${path}`)
    })
    .use(errorHandler({ log }))
  const server = await listenPlainly(
    app,
    at,
    config.limits,
    (port, reason) => `metrics at port ${port}: ${reason}; choose another with --metrics, or 0 for any free one`,
  )
  return { ...server, url: `${server.url}${path}` }
}
