import { noteDetail } from '../refusals.js'
import type { Provider } from './library.js'

/** Remembers with a request why oidc-provider refused it, where it tells the caller less. */
export function rememberDetails(provider: Provider): void {
  provider.on('grant.error', (ctx, { error_detail: detail }) => {
    if (detail !== undefined) noteDetail(ctx.res, detail)
  })
}
