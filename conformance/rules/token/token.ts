import { parameterOf } from '../../bank/authorization.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { bySecret, declaresMethod, needMethod } from '../support/client-methods.js'
import { twoBoxes } from '../support/consent-boxes.js'
import { exchangeFor } from '../support/granted-scopes.js'

export const codeExchange = rule({
  id: 'token/code-exchange',
  requirement: 'TOK-1',
  places: [
    ...['access_token', 'token_type', 'expires_in', 'scope', 'id_token'].map((member) => `grant=code member=${member}`),
    'grant=code member=expires_in value=other-type',
  ],
  title: 'A code is exchanged for tokens: 200 with a JSON token response',
  needs: toLogIn,
  async check({ bank, expect }) {
    expectTokens(expect, (await bank.token()).response)
  },
})

/** TOK-1: all that a code gives. */
function expectTokens(expect: Expect, response: HttpResponse): void {
  expect(response).toHaveStatus(200)
  expect(response).toHaveMediaType('application/json')
  expect(response.told, 'the token response', response).toFitSchema('token-response')
}

export const codeExchangeOffline = rule({
  id: 'token/code-exchange-offline',
  requirement: 'TOK-1',
  places: ['grant=code scope=offline_access'],
  title: 'A code with offline_access is exchanged for all that other codes give',
  needs: toLogIn,
  async check({ bank, expect }) {
    expectTokens(expect, (await bank.offlineToken()).response)
  },
})

export const codeExchangeBySecret = rule({
  id: 'token/code-exchange-by-secret',
  requirement: 'TOK-1',
  places: Object.keys(bySecret).map((method) => `client-auth=${method} grant=code`),
  title: 'A client that authenticates by its client_secret is given the same for a code',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    await needMethod(tools, ...Object.keys(bySecret))
    for (const [method, clientMetadata] of Object.entries(bySecret)) {
      if (!(await declaresMethod(tools, method))) {
        note(`the bank does not declare ${method}`)
        continue
      }
      await inVariation(`by ${method}`, async () =>
        expectTokens(expect, (await bank.token({ clientMetadata })).response),
      )
    }
  },
})

export const scopeListed = rule({
  id: 'token/scope-listed',
  requirement: 'TOK-2',
  places: ['grant=code'],
  title: 'The token response lists exactly the granted scopes, space-separated',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const [first, ...others] = (await bank.client()).dataScopes
    if (!first || others.length === 0)
      return skip('the bank declares fewer than two data scopes: two requests are compared')
    for (const requested of [
      ['openid', first],
      ['openid', ...others],
    ]) {
      await inVariation(`scope ${requested.join(' ')}`, async () => {
        const { response } = await bank.token({ scope: requested.join(' ') })
        const scope = expect(response.member('scope'), 'scope of the token response', response).toBeText()
        expect(scope.split(' '), 'the scopes of the token response', response).toBeSetOf(requested)
      })
    }
  },
})

export const scopeApproved = rule({
  id: 'token/scope-listed-in-part',
  requirement: 'TOK-2',
  places: ['grant=code value=subset'],
  title: 'The token response lists the scopes that the person approved, and none that was refused',
  needs: [...toLogIn, 'deny-scopes'],
  async check(tools) {
    const { bank, expect } = tools
    const [approved, refused] = twoBoxes(tools, (await bank.client()).dataScopes)
    const asked = {
      clientMetadata: { client_name: 'A client that is refused a scope' },
      scope: ['openid', ...approved, ...refused].join(' '),
      denyScopes: refused,
    }
    const { response } = await bank.token.fresh({ authorization: await bank.authorization.try(asked) })
    const scope = expect(response.member('scope'), 'scope of the token response', response).toBeText()
    expect(scope.split(' '), 'the scopes of the token response', response).toBeSetOf(['openid', ...approved])
  },
})

export const scopeRepeated = rule({
  id: 'token/scope-listed-once',
  requirement: 'TOK-2',
  places: ['grant=code value=repeated', 'grant=code parameter=scope'],
  title:
    'The token response lists a scope once that was asked for twice, and none that the exchange of the code alone names',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note, skip, warn }) {
    const session = bank.session({ clientMetadata: { client_name: 'A client that asks twice' } })
    const [first, further] = (await bank.client()).dataScopes
    if (!first) return skip('the bank declares no data scope')
    await session.signIn({ scope: `openid ${first}` })
    if (further) {
      await inVariation('a code that is exchanged for one scope more', async () => {
        const exchanged = await exchangeFor(bank, await session.ask({ scope: `openid ${first}` }), [
          'openid',
          first,
          further,
        ])
        expect(exchanged).toHaveStatus(200, 400)
        if (exchanged.status === 400) return note('the bank refuses scope where a code is exchanged')
        const scope = expect(exchanged.member('scope'), 'scope of the token response', exchanged).toBeText()
        expect(scope.split(' '), 'the scopes of the token response', exchanged).toBeSetOf(['openid', first])
      })
    } else note('the bank declares one data scope alone: no exchange of a code names one more')
    const authorization = await session.ask({ scope: `openid ${first} ${first}` })
    // RFC 6749 section 3.3 does not say what a scope that is named twice means.
    if (parameterOf(authorization, 'error') !== null) return warn('a scope that is named twice is refused')
    const { response } = await bank.token.fresh({ authorization })
    const scope = expect(response.member('scope'), 'scope of the token response', response).toBeText()
    expect(scope.split(' '), 'the scopes of the token response', response).toBeSetOf(['openid', first])
  },
})
