import { type Parameters, parameterOf } from '../../bank/authorization.js'
import { scopesOfBoth, userDataEndpoints } from '../../bank/claims.js'
import { inStep } from '../../bank/steps.js'
import { grantedScopes } from '../../bank/token.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { exchangeFor } from '../support/granted-scopes.js'
import { codeAndImplicitClient } from '../support/implicit-client.js'
import { declaresFrontChannel, tokenOfFrontChannel } from '../support/known-tokens.js'
import { withOfflineAccess } from '../support/offline-access.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { claimsBeyond } from '../user-data/checks.js'

/** A client of a rule's own, so that no other rule's consent is in its way. */
const own = (name: string) => ({ client_name: `Conformance ${name}` })

/** The scopes that /token-info tells of a live token. @throws StepFailure of the rule about that where it tells none */
function toldScopes(expect: Expect, told: HttpResponse): Promise<string[]> {
  return inStep('introspection', async () =>
    parseSpaceDelimited(expect(told.member('scope'), 'scope of a live token', told).toBeText()),
  )
}

const tooFew = 'the bank declares fewer than two data scopes'

export const absentScopes = rule({
  id: 'consent/absent-scopes',
  requirement: 'CONS-4',
  places: [
    ...['use=session-login', 'use=second-login', 'use=session-login parameter=prompt'],
    'use=session-login scope=offline_access',
  ],
  title: 'Scopes absent from an authentication are not in the token, though they were consented before',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const { metadata, dataScopes } = await bank.client()
    const [first, second] = dataScopes
    if (!first || !second) return skip(tooFew)
    const offline = withOfflineAccess(await bank.discovery(), metadata)
    const clientMetadata = { ...own('absent scopes'), ...offline }
    const session = bank.session({ clientMetadata })
    const before = `openid ${first} ${second}`
    const earlier = 'scope' in offline ? { scope: `${before} offline_access` } : { scope: before }
    await session.signIn({ ...earlier, parameters: 'scope' in offline ? await bank.offlineParameters() : {} })
    for (const [how, parameters] of Object.entries<Parameters>({
      silently: { prompt: 'none' },
      'by a new login': { prompt: 'login' },
      'in a session': {},
    })) {
      await inVariation(how, async () => {
        const authorization = await session.ask({ scope: `openid ${first}`, parameters })
        // A bank may show consent each time.
        if (parameters.prompt === 'none' && parameterOf(authorization, 'code') === null) return
        const { response } = await bank.token.fresh({ authorization })
        const scopes = await grantedScopes(response)
        expect(scopes, `the scopes of the token of a request without ${second}`, response).toLack(second)
        const refreshToken = response.member('refresh_token')
        expect(refreshToken, 'refresh_token of a request without offline_access', response).toBe(undefined)
      })
    }
  },
})

export const offlineAccessAlone = rule({
  id: 'consent/offline-access-alone',
  requirement: 'CONS-4',
  places: ['scope=offline_access'],
  title: 'A request for openid and offline_access is not one for only openid: its token has no data scope',
  needs: toLogIn,
  async check({ bank, expect, skip }) {
    const { metadata, dataScopes } = await bank.client()
    const offline = withOfflineAccess(await bank.discovery(), metadata)
    if (!('scope' in offline)) return skip('the bank does not declare offline_access, or no grant for it')
    const clientMetadata = { ...own('offline_access alone'), ...offline }
    const asked = { scope: 'openid offline_access', parameters: await bank.offlineParameters() }
    const { response } = await bank.token({ clientMetadata, ...asked })
    const granted = (await grantedScopes(response)).filter((scope) => dataScopes.includes(scope))
    expect(granted, 'the data scopes of a token for openid and offline_access', response).toEqual([])
  },
})

export const absentScopesElsewhere = rule({
  id: 'consent/absent-scopes-data',
  requirement: 'CONS-4',
  places: ['endpoint=token-info', 'endpoint=userinfo', 'endpoint=profile', 'grant=code parameter=scope'],
  title:
    'Scopes absent from an authentication are not told at /token-info, and their claims do not come; no exchange of the code brings them',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note, skip }) {
    const clientMetadata = own('data of absent scopes')
    const [first, second] = scopesOfBoth((await bank.client(clientMetadata)).dataScopes)
    if (!first || !second) return skip(tooFew)
    const session = bank.session({ clientMetadata })
    await session.signIn({ scope: `openid ${first} ${second}` })
    const login = await bank.token.fresh({ authorization: await session.ask({ scope: `openid ${first}` }) })
    for (const endpoint of userDataEndpoints) {
      await inVariation(endpoint, async () => {
        const { claims, response } = await bank.userData[endpoint](login)
        const { unknown } = claimsBeyond(endpoint, [first], claims)
        expect(unknown, `the claims that do not belong to ${first}`, response).toEqual([])
      })
    }
    await inVariation('token-info', async () => {
      const told = await bank.introspection.fresh({ client: login.client, token: login.accessToken })
      expect(await toldScopes(expect, told), `the scopes at /token-info of a request without ${second}`, told).toLack(
        second,
      )
    })
    await inVariation('a code that is exchanged for one scope more', async () => {
      const exchanged = await exchangeFor(bank, await session.ask({ scope: `openid ${first}` }), [
        'openid',
        first,
        second,
      ])
      expect(exchanged).toHaveStatus(200, 400)
      if (exchanged.status === 400) return note('the bank refuses scope where a code is exchanged')
      const what = 'access_token of the token response'
      const token = expect(exchanged.member('access_token'), what, exchanged).toBeText()
      const told = await bank.introspection.try({ client: login.client, token })
      expect(await toldScopes(expect, told), `the scopes at /token-info of a request without ${second}`, told).toLack(
        second,
      )
    })
  },
})

export const absentOfImplicit = rule({
  id: 'consent/absent-scopes-of-implicit',
  requirement: 'CONS-4',
  places: ['grant=implicit'],
  title: 'Scopes absent from a request for response_type token are not in its token',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, skip }) {
    const issued = await tokenOfFrontChannel(bank)
    if (!issued) return skip('the bank does not declare response_type token')
    const [, ...absent] = issued.client.dataScopes
    const response = await bank.introspection.try(issued)
    const gained = (await toldScopes(expect, response)).filter((scope) => absent.includes(scope))
    expect(gained, 'the scopes at /token-info that the request did not name', response).toEqual([])
  },
})

export const absentOfImplicitLater = rule({
  id: 'consent/absent-scopes-of-implicit-in-session',
  requirement: 'CONS-4',
  places: ['grant=implicit use=session-login'],
  title: 'Scopes absent from a request for response_type token are not in its token, though they were consented before',
  needs: [...toLogIn, ...toRegister, 'browsers'],
  async check({ bank, expect, skip }) {
    if (!(await declaresFrontChannel(bank))) return skip('the bank does not declare response_type token')
    const clientMetadata = { ...codeAndImplicitClient, client_name: 'Conformance implicit, absent scopes' }
    const [first, second] = (await bank.client(clientMetadata)).dataScopes
    if (!first || !second) return skip(tooFew)
    const session = bank.session({ clientMetadata })
    await session.signIn({ scope: `openid ${first} ${second}` })
    const asked = await session.ask({ scope: `openid ${first}`, parameters: { response_type: 'token' } })
    const token = asked.callback.fragment.get('access_token')
    if (token === null) return skip('the bank gave no access token by response_type token')
    const told = await bank.introspection.try({ client: asked.client, token })
    expect(await toldScopes(expect, told), `the scopes of a token for openid ${first}`, told).toLack(second)
  },
})
