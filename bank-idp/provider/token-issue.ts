import type { BankContext } from '../context.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Policy } from '../policy.js'
import type { Configuration, KoaContextWithOIDC, Provider } from './library.js'
import { endGrant } from './patches.js'
import { redeemedBy } from './redeemed.js'

type Middleware = Parameters<Provider['use']>[0]
type ParameterHook = Extract<NonNullable<Configuration['extraParams']>, Record<string, unknown>>[string]

/**
 * offline_access is granted when it is asked for and the client has the refresh_token grant (specification: "Token response"); the
 * library drops it unless the request also says prompt=consent. Where no code is asked for it means nothing (OpenID Connect Core section 11).
 */
export const keepOfflineAccess: ParameterHook = (ctx, _value, client) => {
  const { params } = ctx.oidc
  if (!params) return
  const { response_type: responseType = 'code' } = params
  if (!parseSpaceDelimited(String(responseType)).includes('code')) return
  const requested = [ctx.query.scope].flat().flatMap((scope) => parseSpaceDelimited(scope))
  const registered =
    parseSpaceDelimited(client.scope).includes('offline_access') && client.grantTypeAllowed('refresh_token')
  const kept = parseSpaceDelimited(params.scope as string | undefined)
  if (requested.includes('offline_access') && registered && !kept.includes('offline_access')) {
    params.scope = [...kept, 'offline_access'].join(' ')
  }
}

/**
 * What POST /token gives is stored in one step before the answer leaves; of requests that race for one code or token one wins. Who loses the
 * race for a code has used it a second time, and ends what the winner was given (RFC 6749 section 4.1.2).
 */
export function storeInOneTransaction({ providerRecords }: Pick<BankContext, 'providerRecords'>): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/token') return next()
    const won = await providerRecords.together(next, () => ctx.status === 200)
    if (won) return
    const grantId = ctx.oidc?.entities.AuthorizationCode?.grantId
    if (grantId !== undefined) await endGrant(ctx.oidc.provider, grantId)
    ctx.status = 400
    const what = redeemedBy(ctx.oidc?.params?.grant_type)
    ctx.body = { error: 'invalid_grant', error_description: `${what} was already used` }
  }
}

/** The members of a refresh response that the specification leaves open: scope (AMB-17), id_token (AMB-67). */
export function refreshResponse({ policy }: Pick<BankContext, 'policy'>): Middleware {
  const left = [
    ...(policy.refreshScope === 'absent' ? ['scope'] : []),
    ...(policy.refreshIdToken === 'absent' ? ['id_token'] : []),
    ...(policy.usedRefreshToken === 'kept' ? ['refresh_token'] : []),
  ]
  return async (ctx, next) => {
    await next()
    const { params } = (ctx as KoaContextWithOIDC).oidc ?? {}
    if (ctx.status !== 200 || params?.grant_type !== 'refresh_token') return
    const members = Object.entries(ctx.body as object)
    ctx.body = Object.fromEntries(members.filter(([name]) => !left.includes(name)))
  }
}

/** Random bits of an access token (nanoid over Node's crypto): 256 are beyond both limits of the specification; AMB-37. */
export function accessTokenBits(policy: Pick<Policy, 'accessTokenEntropy'>): number {
  return policy.accessTokenEntropy === 'bits-128' ? 132 : 256
}
