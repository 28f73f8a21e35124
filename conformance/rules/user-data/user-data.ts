import { claimsOf, emptyPlaces, publishedClaimsOf, type UserData, userDataEndpoints } from '../../bank/claims.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { expectTokenRefused } from '../support/bearer-refusal.js'
import { expectNothingOfThePerson, loginForAll } from './checks.js'

export const openidOnly = rule({
  id: 'user-data/openid-only',
  requirement: 'DATA-5',
  title: 'An access token for openid alone yields sub and txn alone',
  needs: [...toRegister, 'person'],
  async check(tools) {
    const { bank, expect, reading } = tools
    const login = await bank.token({ scope: 'openid', clientMetadata: { scope: 'openid' } })
    for (const endpoint of userDataEndpoints) {
      const answer = await bank.userData[endpoint](login)
      expect(answer.claims.sub, `sub of ${endpoint}`, answer.response).toBeText()
      expect(answer.claims.txn, `txn of ${endpoint}`, answer.response).toBeText()
      const { published } = await expectNothingOfThePerson(tools, `${endpoint} for openid`, answer)
      reading('AMB-50', published ? 'published-too' : 'tables-only')
    }
  },
})

async function checkRefusals(tools: Tools, endpoint: UserData) {
  const { bank, inVariation } = tools
  const userData = bank.userData[endpoint]
  await inVariation('no token', async () => {
    const without = await userData.modified({}, ({ headers: { accept = '' } }) => ({ headers: { accept } }))
    expectTokenRefused(tools, without, 'missing')
  })
  const replacements: Record<string, (good: string) => string> = {
    'a token of nobody': () => 'Bearer nobody-has-issued-this-access-token-0123456789',
    'a token with a character more': (good) => `${good}x`,
    'a token with a character less': (good) => good.slice(0, -1),
    'two words after Bearer': (good) => good.replace('Bearer ', 'Bearer x '),
    'no word after Bearer': () => 'Bearer',
  }
  for (const [what, replace] of Object.entries(replacements)) {
    await inVariation(what, async () => {
      const refusal = await userData.modified({}, ({ headers }) => ({
        headers: { ...headers, authorization: replace(headers.authorization ?? '') },
      }))
      expectTokenRefused(tools, refusal, 'unknown')
    })
  }
}

export const userinfoNeedsToken = rule({
  id: 'user-data/userinfo-needs-token',
  requirement: 'DATA-7',
  title: 'userinfo without a token, or with a malformed or unknown one, is refused',
  needs: toLogIn,
  check: (tools) => checkRefusals(tools, 'userinfo'),
})

export const profileNeedsToken = rule({
  id: 'user-data/profile-needs-token',
  requirement: 'DATA-7',
  title: 'profile without a token, or with a malformed or unknown one, is refused',
  needs: toLogIn,
  check: (tools) => checkRefusals(tools, 'profile'),
})

export const scopeOfOtherEndpoint = rule({
  id: 'user-data/scope-of-other-endpoint',
  requirement: 'DATA-8',
  title:
    'A token whose scopes have no claims at an endpoint gets sub and txn there, or is refused, and not by not_found',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, reading, skip, warn } = tools
    const { dataScopes } = await bank.client()
    const pairs = userDataEndpoints.flatMap((endpoint) => {
      // Of a scope of the bank's own nobody knows which claims are its.
      const scope = dataScopes.find(
        (one) =>
          userDataEndpoints.some((other) => claimsOf(other, [one]).length > 0) &&
          [claimsOf, publishedClaimsOf].every((of) => of(endpoint, [one]).length === 0),
      )
      return scope === undefined ? [] : [{ endpoint, scope }]
    })
    if (pairs.length === 0) skip('the bank declares no scope that has claims at one endpoint alone')
    for (const { endpoint, scope } of pairs) {
      await inVariation(`${endpoint} for ${scope}`, async () => {
        await bank.userData[endpoint](await bank.token())
        const login = await bank.token({ scope: `openid ${scope}` })
        const response = await bank.userData[endpoint].try(login)
        if (response.member('error') === 'not_found') warn(`${endpoint} answers not_found to a token for ${scope}`)
        else if (response.status >= 400) {
          expect(response).toBeError(403, 'insufficient_scope')
          reading('AMB-32', 'forbidden')
        } else {
          expect(response).toHaveStatus(200)
          const answer = await bank.userData[endpoint](login)
          await expectNothingOfThePerson(tools, `${endpoint} for ${scope}`, answer)
        }
      })
    }
  },
})

export const sameSubject = rule({
  id: 'user-data/subject',
  requirement: 'DATA-9',
  title: "userinfo names the id_token's sub, the issuer as iss and the client as aud; profile has the same sub",
  needs: toLogIn,
  async check({ bank, expect, warn }) {
    const login = await bank.token()
    const { client } = login
    const idToken = await bank.idTokenClaims(login)
    for (const endpoint of userDataEndpoints) {
      const { claims, response } = await bank.userData[endpoint](login)
      expect(claims.sub, `sub of ${endpoint}`, response).toBe(idToken.sub)
    }
    const { claims, response } = await bank.userData.userinfo(login)
    if (claims.iss === undefined) warn('userinfo has no iss')
    else expect(claims.iss, 'iss of userinfo', response).toBe(bank.issuer)
    if (claims.aud === undefined) warn('userinfo has no aud')
    else expect([claims.aud].flat(), 'aud of userinfo', response).toContain(client.clientId)
  },
})

async function checkFilled(tools: Tools, person: string) {
  const login = await loginForAll(tools, person)
  for (const endpoint of userDataEndpoints) {
    const { claims, response } = await tools.bank.userData[endpoint](login)
    tools.expect(emptyPlaces(claims), `the claims of ${endpoint} that are null or empty`, response).toEqual([])
  }
}

export const filled = rule({
  id: 'user-data/filled',
  requirement: 'DATA-10',
  title: 'No claim is null or an empty string',
  needs: toLogIn,
  check: (tools) => checkFilled(tools, 'full'),
})

export const sparse = rule({
  id: 'user-data/sparse',
  requirement: 'DATA-10',
  title: 'Claims without a value are left out for a person of whom the bank knows little',
  needs: [...toLogIn, 'person:sparse'],
  check: (tools) => checkFilled(tools, 'sparse'),
})

export const notificationScope = rule({
  id: 'user-data/notification-scope',
  requirement: 'DATA-11',
  title: 'notification.claims_updated yields no claim of its own',
  needs: [...toRegister, 'person'],
  async check(tools) {
    const { bank, skip } = tools
    const scope = 'openid notification.claims_updated'
    const { response } = await bank.registration({ scope })
    if (response.status >= 400) skip('the bank registers no client for notification.claims_updated')
    const login = await bank.token({ scope, clientMetadata: { scope } })
    for (const endpoint of userDataEndpoints) {
      await expectNothingOfThePerson(tools, `${endpoint} for ${scope}`, await bank.userData[endpoint](login))
    }
  },
})

export const revokedRefused = rule({
  id: 'user-data/revoked-refused',
  requirement: 'DATA-18',
  title: 'A revoked access token is refused at userinfo and profile',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation, skip } = tools
    const login = await bank.token.fresh()
    for (const endpoint of userDataEndpoints) await bank.userData[endpoint](login)
    const revocation = await bank.revocation.try({ client: login.client, token: login.accessToken })
    if (revocation.status >= 300) skip(`/revoke answers ${revocation.status} (see REV-1)`)
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () =>
        expectTokenRefused(tools, await bank.userData[endpoint].try(login), 'expired'),
      )
    }
  },
})

/** Holds that what is no access token is refused at both endpoints. */
async function expectNoAccessToken(tools: Tools, token: string) {
  const { bank, inVariation } = tools
  for (const endpoint of userDataEndpoints) {
    await inVariation(endpoint, async () => {
      const refusal = await bank.userData[endpoint].modified({}, ({ headers }) => ({
        headers: { ...headers, authorization: `Bearer ${token}` },
      }))
      expectTokenRefused(tools, refusal, 'unknown')
    })
  }
}

export const refreshTokenRefused = rule({
  id: 'user-data/refresh-token-refused',
  requirement: 'DATA-19',
  title: 'A refresh token in place of an access token is refused',
  needs: toLogIn,
  check: async (tools) => expectNoAccessToken(tools, (await tools.bank.offlineToken()).refreshToken),
})

export const idTokenRefused = rule({
  id: 'user-data/id-token-refused',
  requirement: 'DATA-19',
  title: 'An id_token in place of an access token is refused',
  needs: toLogIn,
  async check(tools) {
    const { bank, skip } = tools
    const { response } = await bank.token()
    const idToken = response.member('id_token')
    if (idToken === undefined) skip('the token response has no id_token (see TOK-1)')
    await expectNoAccessToken(tools, String(idToken))
  },
})
