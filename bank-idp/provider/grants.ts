import type { BankContext } from '../context.js'
import { impliedScopes } from '../signing-request.js'
import { registeredScopes } from './effective-scopes.js'
import { internalOf } from './internal-request.js'
import type { KoaContextWithOIDC } from './library.js'

/**
 * Consent is kept in a store of its own, and every authorization gets a grant of its own: revoking one token then touches nothing else,
 * and a new authentication changes no earlier token (specification: "Token kinds", rules 1 and 2).
 */
export function loadExistingGrant({
  clients,
  consents,
  people,
  signingRequests,
  policy,
  seams,
}: Pick<BankContext, 'clients' | 'consents' | 'people' | 'policy' | 'seams' | 'signingRequests'>) {
  return async ({ oidc }: KoaContextWithOIDC) => {
    const { client, account, provider } = oidc
    const consented = oidc.result?.consent?.grantId
    if (consented) return provider.Grant.find(consented)
    if (!client || !account) return undefined
    const requested = [...oidc.requestParamScopes]
    const consent = await consents.of(account.accountId, client.clientId)
    const signingRequest = internalOf(oidc.params, 'signingRequest')
    const signing = signingRequest === undefined ? undefined : await signingRequests.find(signingRequest)
    const whose = { clientId: client.clientId, personId: account.accountId }
    const approved = [...seams.consented(consent.scopes, whose), ...(signing ? impliedScopes(signing) : [])]
    const needed = [...requested]
    // Where a login with openid alone stands for all that the client registered, all of it is requested here. Where it stands for itself,
    // the page is spared who approved it as such, or all that the client registered (rule 3).
    const openidAlone = requested.join(' ') === 'openid' && signing === undefined
    if (openidAlone && policy.openidAlone === 'sub-and-txn' && !consent.openidAlone) {
      const known = await clients.find(client.clientId)
      if (known) needed.push(...registeredScopes(known, policy))
    }
    if (!needed.every((scope) => approved.includes(scope))) return undefined
    const fewer = requested.length < approved.length
    if (!fewer && policy.repeatedConsent === 'shown-again') return undefined
    const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId })
    grant.addOIDCScope(requested.join(' '))
    const grantId = await grant.save()
    await people.nextLogins.begin(String(people.byId(account.accountId)?.login), grantId)
    return grant
  }
}
