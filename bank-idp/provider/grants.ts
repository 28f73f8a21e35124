import type { BankContext } from '../context.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import { impliedScopes } from '../signing-request.js'
import { internalOf } from './internal-request.js'
import type { KoaContextWithOIDC } from './library.js'

/**
 * Consent is kept in a store of its own, and every authorization gets a grant of its own: revoking one token then touches nothing else,
 * and a new authentication changes no earlier token (specification: "Token kinds", rules 1 and 2).
 */
export function loadExistingGrant({
  consents,
  signingRequests,
  policy,
  seams,
}: Pick<BankContext, 'consents' | 'policy' | 'seams' | 'signingRequests'>) {
  return async ({ oidc }: KoaContextWithOIDC) => {
    const { client, account, provider } = oidc
    const consented = oidc.result?.consent?.grantId
    if (consented) return provider.Grant.find(consented)
    if (!client || !account) return undefined
    const requested = [...oidc.requestParamScopes]
    const signingRequest = internalOf(oidc.params, 'signingRequest')
    const signing = signingRequest === undefined ? undefined : await signingRequests.find(signingRequest)
    const approved = [
      ...seams.consented(await consents.scopes(account.accountId, client.clientId), client.clientId),
      ...(signing ? impliedScopes(signing) : []),
    ]
    // Who logs in with openid alone may be spared the page only when all that the client registered was approved (rule 3).
    const registered = parseSpaceDelimited(client.scope).filter((scope) => scope !== 'offline_access')
    const needed = !signing && requested.length === 1 ? [...requested, ...registered] : requested
    if (!needed.every((scope) => approved.includes(scope))) return undefined
    const fewer = requested.length < approved.length
    if (!fewer && policy.repeatedConsent === 'shown-again') return undefined
    const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
    grant.addOIDCScope(requested.join(' '))
    await grant.save()
    return grant
  }
}
