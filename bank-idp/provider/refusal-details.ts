import type { Response } from 'express'
import type { Provider } from './library.js'

/** Remembers with a request why oidc-provider refused it, where it tells the caller less: for who looks at the bench. */
export function rememberDetails(provider: Provider): void {
  provider.on('grant.error', (ctx, { error_detail: detail }) => {
    // The library is mounted in Express: what it was called with is Express's.
    if (detail !== undefined) Object.assign((ctx.res as unknown as Response).locals, { detail })
  })
}
