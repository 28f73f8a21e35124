import { claimNames, claimsOf, covers, dataScopes, publishedClaimsOf, userDataEndpoints } from '../../bank/claims.js'
import { grantedScopes, type Login } from '../../bank/token.js'
import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'

export const idTokenOfApproved = rule({
  id: 'consent/id-token-data',
  requirement: 'CONS-6',
  places: ['token=id-of-code', 'token=id-of-code scope=other'],
  title: 'An id_token tells of the person nothing that belongs to a scope which was not approved',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const expectNothingElse = async (login: Login) => {
      const approved = await grantedScopes(login.response)
      const others = dataScopes.filter((scope) => !approved.includes(scope))
      const allowed = userDataEndpoints.flatMap((endpoint) => [
        ...claimsOf(endpoint, approved),
        ...publishedClaimsOf(endpoint, approved),
      ])
      const guarded = userDataEndpoints.flatMap((endpoint) => claimsOf(endpoint, others))
      const told = claimNames(await bank.idTokenClaims(login)).filter(
        (name) => covers(guarded, name) && !covers(allowed, name),
      )
      expect(told, 'the claims in the id_token of scopes that were not approved', login.response).toEqual([])
    }
    await expectNothingElse(await bank.token())
    // What the first login approved may be what every id_token tells.
    const [, ...others] = (await bank.client()).dataScopes
    if (others.length === 0) return
    await inVariation('of a login for the other scopes', async () =>
      expectNothingElse(await bank.token({ scope: ['openid', ...others].join(' ') })),
    )
  },
})
