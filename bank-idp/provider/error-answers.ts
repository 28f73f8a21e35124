import type { Request } from 'express'
import type { BankContext } from '../context.js'
import { languageFor } from '../pages/language.js'
import { overPage } from '../pages/over.js'
import { pageHeaders } from '../pages/page-headers.js'
import { type Configuration, errors } from './library.js'

/**
 * How errors are told that oidc-provider itself finds: as JSON (specification: "Errors"). But where a page leads back to an authorization
 * that is over, a person is in front of it, and gets a page.
 */
export function errorAnswers({
  answeredPages,
  config,
}: Pick<BankContext, 'answeredPages' | 'config'>): NonNullable<Configuration['renderError']> {
  return async (ctx, out, error) => {
    if (!(error instanceof errors.SessionNotFound)) {
      ctx.type = 'application/json'
      ctx.body = out
      return
    }
    // The library is mounted in Express: what it was called with is Express's.
    const req = ctx.req as Request
    pageHeaders(String(config.issuer))(req, ctx.res as Parameters<ReturnType<typeof pageHeaders>>[1], () => {})
    ctx.set('cache-control', 'no-store')
    ctx.type = 'html'
    const answered = await answeredPages.of(String(req.path.split('/').at(-1)))
    ctx.body = overPage({ language: languageFor(undefined, req), answered })
  }
}
