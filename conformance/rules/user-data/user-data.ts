import { claimsOf, emptyPlaces, publishedClaimsOf, userDataEndpoints } from '../../bank/claims.js'
import { inLeastDress } from '../../bank/dress.js'
import { rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { isRefusedForItsScope } from '../support/bearer-refusal.js'
import { answerTo } from '../support/refusals.js'
import { expectNothingOfThePerson, expectTransaction, loginForAll } from './checks.js'

export const openidOnly = rule({
  id: 'user-data/openid-only',
  requirement: 'DATA-5',
  places: userDataEndpoints.flatMap((endpoint) =>
    ['token=access-of-code', 'member=sub', 'member=txn'].map((place) => `endpoint=${endpoint} ${place}`),
  ),
  title: 'An access token for openid alone yields sub and txn alone',
  needs: [...toRegister, 'person'],
  async check(tools) {
    const { bank, expect, reading } = tools
    const login = await bank.token({ scope: 'openid', clientMetadata: { scope: 'openid' } })
    for (const endpoint of userDataEndpoints) {
      const answer = await bank.userData[endpoint](login)
      expect(answer.claims.sub, `sub of ${endpoint}`, answer.response).toBeText()
      await expectTransaction(tools, endpoint, answer)
      const { published } = await expectNothingOfThePerson(tools, `${endpoint} for openid`, answer)
      reading('AMB-50', published ? 'published-too' : 'tables-only')
    }
  },
})

export const scopeOfOtherEndpoint = rule({
  id: 'user-data/scope-of-other-endpoint',
  requirement: 'DATA-8',
  places: userDataEndpoints.flatMap((endpoint) =>
    ['', ' member=sub', ' member=txn'].map((place) => `endpoint=${endpoint}${place}`),
  ),
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
        else if (isRefusedForItsScope(tools, `a token for ${scope} at ${endpoint}`, response)) {
          if (response.status === 403) reading('AMB-32', 'forbidden')
        } else {
          expect(response).toHaveStatus(200)
          const answer = await bank.userData[endpoint](login)
          expect(answer.claims.sub, `sub of ${endpoint}`, answer.response).toBeText()
          await expectTransaction(tools, endpoint, answer)
          await expectNothingOfThePerson(tools, `${endpoint} for ${scope}`, answer)
        }
      })
    }
  },
})

export const sameSubject = rule({
  id: 'user-data/subject',
  requirement: 'DATA-9',
  places: [
    'endpoint=userinfo part=sub',
    'endpoint=profile part=sub',
    'endpoint=userinfo part=iss',
    'endpoint=userinfo part=aud',
    'endpoint=profile part=aud',
    'use=second-client',
    ...userDataEndpoints.map((endpoint) => `endpoint=${endpoint} use=second-client part=sub`),
  ],
  title: "userinfo names the id_token's sub, the issuer as iss and the client as aud; profile has the same sub",
  needs: toLogIn,
  async check({ bank, expect, service, warn }) {
    const login = await bank.token()
    const { client } = login
    const idToken = await bank.idTokenClaims(login)
    for (const endpoint of userDataEndpoints) {
      const { claims, response } = await bank.userData[endpoint](login)
      expect(claims.sub, `sub of ${endpoint}`, response).toBe(idToken.sub)
    }
    const { aud } = (await bank.userData.profile(login)).claims
    // It is not asked of profile: where it comes, a client refuses what is not made out to it.
    if (aud !== undefined && ![aud].flat().includes(client.clientId))
      warn(`aud of profile is ${JSON.stringify(aud)}, which is not the client (RFC 7519 section 4.1.3)`)
    const { claims, response } = await bank.userData.userinfo(login)
    if (claims.iss === undefined) warn('userinfo has no iss')
    else expect(claims.iss, 'iss of userinfo', response).toBe(bank.issuer)
    if (claims.aud === undefined) return warn('userinfo has no aud')
    expect([claims.aud].flat(), 'aud of userinfo', response).toContain(client.clientId)
    if (!service.signer || !service.server || inLeastDress()) return
    const other = await bank.token({ scope: 'openid', clientMetadata: { scope: 'openid' } })
    const { claims: forOther, response: seenIn } = await bank.userData.userinfo(other)
    expect([forOther.aud].flat(), 'aud of userinfo for another client', seenIn).toContain(other.client.clientId)
    const { sub } = await bank.idTokenClaims(other)
    for (const endpoint of userDataEndpoints) {
      const answer = await bank.userData[endpoint](other)
      expect(answer.claims.sub, `sub of ${endpoint} for another client`, answer.response).toBe(sub)
    }
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
  places: [
    'endpoint=userinfo value=null',
    'endpoint=profile value=null',
    'endpoint=profile value=empty',
    'member=inner',
  ],
  title: 'No claim is null or an empty string',
  needs: toLogIn,
  check: (tools) => checkFilled(tools, 'full'),
})

export const sparse = rule({
  id: 'user-data/sparse',
  requirement: 'DATA-10',
  places: ['person=sparse', 'endpoint=userinfo value=null', 'endpoint=profile value=empty'],
  title: 'Claims without a value are left out for a person of whom the bank knows little',
  needs: [...toLogIn, 'person:sparse'],
  check: (tools) => checkFilled(tools, 'sparse'),
})

export const notificationScope = rule({
  id: 'user-data/notification-scope',
  requirement: 'DATA-11',
  places: ['endpoint=userinfo', 'endpoint=profile'],
  title: 'notification.claims_updated yields no claim of its own',
  needs: [...toRegister, 'person'],
  async check(tools) {
    const { bank, skip } = tools
    const scope = 'openid notification.claims_updated'
    const response = await answerTo(bank, { scope })
    if (response.status >= 400) skip('the bank registers no client for notification.claims_updated')
    // Asked for in a parameter that is not read (AMB-55), either.
    const isUnread = (await bank.discovery()).member('claims_parameter_supported') === false
    const parameters = isUnread ? { claims: '{"userinfo":{"claims_updated":null}}' } : {}
    const login = await bank.token({ scope, clientMetadata: { scope }, parameters })
    for (const endpoint of userDataEndpoints) {
      const refusal = await bank.userData[endpoint].try(login)
      // Which is as right as an answer without claims (DATA-8).
      if (isRefusedForItsScope(tools, `a token for ${scope} at ${endpoint}`, refusal)) continue
      await expectNothingOfThePerson(tools, `${endpoint} for ${scope}`, await bank.userData[endpoint](login))
    }
  },
})
