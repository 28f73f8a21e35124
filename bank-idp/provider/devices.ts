import { randomUUID } from 'node:crypto'
import type { BankContext } from '../context.js'
import { deviceOf } from './device-cookie.js'
import type { KoaContextWithOIDC, Provider } from './library.js'
import { endForSecurity } from './sessions.js'

type Middleware = Parameters<Provider['use']>[0]

/** Remembers which device a login was made with. One from a device that was blocked meanwhile ends at once. */
export function rememberDevice(
  context: Pick<BankContext, 'clients' | 'config' | 'devices' | 'outbox' | 'policy' | 'seams' | 'subjects'>,
  provider: Provider,
): Middleware {
  return async (ctx, next) => {
    await next()
    const { session, result } = (ctx as KoaContextWithOIDC).oidc ?? {}
    if (!session?.accountId || !result?.login) return
    // A browser that keeps the name to itself gets another one for each login: what it signs in with is listed, and can be ended.
    const device = deviceOf(ctx.req) ?? randomUUID()
    await context.devices.signedIn(device, session.uid, session.accountId)
    if (await context.devices.isBlocked(device)) await endForSecurity({ ...context, provider }, session.uid)
  }
}
