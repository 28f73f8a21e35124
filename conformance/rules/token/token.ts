import { parameterOf } from '../../bank/authorization.js'
import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'

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
    const { response } = await bank.token()
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/json')
    expect(response.json, 'the token response', response).toFitSchema('token-response')
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

export const scopeRepeated = rule({
  id: 'token/scope-listed-once',
  requirement: 'TOK-2',
  places: ['grant=code value=repeated'],
  title: 'The token response lists a scope once that was asked for twice',
  needs: toLogIn,
  async check({ bank, expect, skip, warn }) {
    const session = bank.session({ clientMetadata: { client_name: 'A client that asks twice' } })
    const [first] = (await bank.client()).dataScopes
    if (!first) return skip('the bank declares no data scope')
    await session.signIn({ scope: `openid ${first}` })
    const authorization = await session.ask({ scope: `openid ${first} ${first}` })
    // RFC 6749 section 3.3 does not say what a scope that is named twice means.
    if (parameterOf(authorization, 'error') !== null) return warn('a scope that is named twice is refused')
    const { response } = await bank.token.fresh({ authorization })
    const scope = expect(response.member('scope'), 'scope of the token response', response).toBeText()
    expect(scope.split(' '), 'the scopes of the token response', response).toBeSetOf(['openid', first])
  },
})
