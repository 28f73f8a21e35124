import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'

export const codeExchange = rule({
  id: 'token/code-exchange',
  requirement: 'TOK-1',
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
