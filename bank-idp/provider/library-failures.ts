import type { EventEmitter } from 'node:events'
import type { Request } from 'express'
import type { BankContext } from '../context.js'
import type { Provider } from './library.js'

/**
 * Has errors that oidc-provider, or a hook in it, does not expect answered and logged as all others of the bank are: the library would answer
 * in text of its own, and print them. A redirect that tells a client of one is left as it is.
 */
export function ownFailures(provider: Provider, { log }: Pick<BankContext, 'log'>): void {
  const failed = new WeakMap<object, Error>()
  const trace = (ctx: { response: { get(name: string): string } }) => ctx.response.get('x-b3-traceid')
  provider.on('server_error', (ctx, error) => {
    failed.set(ctx.req, error)
  })
  // What is thrown after an answer has begun, and where the caller has gone.
  const emitter: EventEmitter = provider
  emitter.on('error', ({ message, stack }: Error, ctx?: Parameters<typeof trace>[0]) => {
    log({ event: 'error', message, ...(stack !== undefined && { stack }), ...(ctx && { trace: trace(ctx) }) })
  })
  provider.use(async (ctx, next) => {
    const error = await next().then(
      () => failed.get(ctx.req),
      (thrown: unknown) => thrown,
    )
    if (error === undefined) return
    if (failed.has(ctx.req) && ctx.status < 500) {
      const { message, stack } = error as Error
      return log({ event: 'error', message, ...(stack !== undefined && { stack }), trace: trace(ctx) })
    }
    ctx.respond = false
    // The library is mounted in Express: what it was called with is Express's.
    ;(ctx.req as Request).next?.(error)
  })
}
