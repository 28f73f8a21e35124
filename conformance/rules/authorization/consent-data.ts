import { claimNames, claimsOf, covers, dataScopes, publishedClaimsOf, userDataEndpoints } from '../../bank/claims.js'
import { inStep } from '../../bank/steps.js'
import { grantedScopes, type Login } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister, toSign } from '../../target/needs.js'

/** That members of an answer, or claims of an id_token, tell nothing of the person that belongs to a scope which was not approved. */
function expectNothingElse(
  { expect }: Pick<Tools, 'expect'>,
  {
    told,
    approved,
    what,
    response,
  }: { told: unknown; approved: readonly string[]; what: string; response: HttpResponse },
): void {
  const others = dataScopes.filter((scope) => !approved.includes(scope))
  const allowed = userDataEndpoints.flatMap((endpoint) => [
    ...claimsOf(endpoint, approved),
    ...publishedClaimsOf(endpoint, approved),
  ])
  const guarded = userDataEndpoints.flatMap((endpoint) => claimsOf(endpoint, others))
  const unapproved = claimNames(Object(told)).filter((name) => covers(guarded, name) && !covers(allowed, name))
  expect(unapproved, `the claims in ${what} of scopes that were not approved`, response).toEqual([])
}

export const idTokenOfApproved = rule({
  id: 'consent/id-token-data',
  requirement: 'CONS-6',
  places: ['token=id-of-code', 'token=id-of-code scope=other'],
  title: 'An id_token tells of the person nothing that belongs to a scope which was not approved',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const expectOfLogin = async (login: Login) => {
      const approved = await grantedScopes(login.response)
      const told = await bank.idTokenClaims(login)
      expectNothingElse({ expect }, { told, approved, what: 'the id_token', response: login.response })
    }
    await expectOfLogin(await bank.token())
    // What the first login approved may be what every id_token tells.
    const [, ...others] = (await bank.client()).dataScopes
    if (others.length === 0) return
    await inVariation('of a login for the other scopes', async () =>
      expectOfLogin(await bank.token({ scope: ['openid', ...others].join(' ') })),
    )
  },
})

export const answersOfApproved = rule({
  id: 'consent/answers-data',
  requirement: 'CONS-6',
  places: ['endpoint=token', 'endpoint=token-info', 'token=id-of-refresh'],
  title:
    'The answers of /token and /token-info, and the id_token of a refresh, tell of the person nothing that belongs to a scope which was not approved',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note }) {
    const { client, earliest, watched, refreshedAfter } = await bank.laterLogins()
    const { scopes: approved, login } = earliest
    const answers: Record<string, HttpResponse> = {
      'the answer to a code': login.response,
      ...(refreshedAfter && { 'the answer to a refresh token': refreshedAfter }),
      ...Object.fromEntries(watched.map(({ what, before }) => [`the answer of /token-info about ${what}`, before])),
    }
    for (const [what, response] of Object.entries(answers)) {
      await inVariation(what, async () =>
        expectNothingElse({ expect }, { told: response.json, approved, what, response }),
      )
    }
    // None comes of a refresh at some banks (AMB-67).
    if (typeof refreshedAfter?.member('id_token') !== 'string') return note('no refresh gave an id_token')
    await inVariation('the id_token of a refresh', async () => {
      const { claims: told } = await bank.idToken(refreshedAfter, client)
      expectNothingElse({ expect }, { told, approved, what: 'the id_token', response: refreshedAfter })
    })
  },
})

export const signedOfApproved = rule({
  id: 'consent/signing-id-token-data',
  requirement: 'CONS-6',
  places: ['token=id-of-signing'],
  title:
    'The id_token of an authorized text tells of the person nothing that belongs to a scope which was not approved',
  needs: toSign,
  async check({ bank, expect }) {
    const result = await bank.signing.result()
    const { response } = result
    const { claims: told } = await bank.signing.idToken(result)
    const approved = await grantedScopes(response, 'signedScopes')
    expectNothingElse({ expect }, { told, approved, what: 'the id_token', response })
  },
})

export const frontChannelOfApproved = rule({
  id: 'consent/front-channel-id-token-data',
  requirement: 'CONS-6',
  places: ['token=id-of-front-channel'],
  title: 'The id_token of the front channel tells of the person nothing that belongs to a scope which was not approved',
  needs: [...toSign, 'redirect'],
  async check({ bank, expect }) {
    const { client, fragment, response, scopes: approved } = await bank.hybrid()
    const { claims: told } = await inStep('hybridIdToken', () =>
      bank.examineIdToken(response, client, String(fragment.get('id_token'))),
    )
    expectNothingElse({ expect }, { told, approved, what: 'the id_token', response })
  },
})

export const dataOfLaterRegistration = rule({
  id: 'consent/data-of-later-registration',
  requirement: 'CONS-6',
  places: userDataEndpoints.map((endpoint) => `endpoint=${endpoint} use=after-put`),
  title: 'A scope that a PUT registered gives nothing by a token of before, to which nobody approved it',
  // The login is one of rules that look at pages: nobody signs in for this one alone.
  needs: [...toLogIn, ...toRegister, 'page-detection'],
  async check({ bank, expect, inVariation }) {
    const { login, approved, further } = await bank.furtherScope('further scope')
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const { claims, response } = await bank.userData[endpoint](login)
        const allowed = claimsOf(endpoint, [approved])
        const given = claimNames(claims).filter(
          (name) => covers(claimsOf(endpoint, [further]), name) && !covers(allowed, name),
        )
        expect(given, `the claims that belong to ${further}, registered later`, response).toEqual([])
      })
    }
  },
})
