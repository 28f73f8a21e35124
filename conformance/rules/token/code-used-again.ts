import { inLeastDress } from '../../bank/dress.js'
import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { expectRefusal } from '../support/client-refusals.js'
import { expectDead } from '../support/token-state.js'

/** A code that comes a second time. */

export const codeOnce = rule({
  id: 'token/code-once',
  requirement: 'TOK-12',
  places: ['grant=code', 'grant=code scope=offline_access', 'client-auth=client_secret_post grant=code'],
  title: 'A code is exchanged once; a second exchange is refused, also of one for offline access',
  needs: toLogIn,
  async check({ bank, expect }) {
    const { metadata } = await bank.client()
    // Two exchanges at once are of a code without offline access.
    const isOffline = String(metadata.scope).split(' ').includes('offline_access')
    const who = inLeastDress() ? {} : { person: bank.preferably('pep') }
    const { authorization } = isOffline ? await bank.offlineToken.fresh(who) : await bank.token.fresh(who)
    expectRefusal(expect, await bank.token.try({ authorization }), 400, 'invalid_grant')
  },
})

export const codeReuse = rule({
  id: 'token/code-reuse',
  requirement: 'TOK-33',
  places: ['token=access-of-code', 'token=access-of-code parameter=redirect_uri value=wrong'],
  title: 'A second exchange of a code ends the tokens of the first',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, warn } = tools
    const client = await bank.client()
    const exchanged = async () => {
      const exchange = await bank.token.variations()
      const first = await exchange()
      const token = expect(first.member('access_token'), 'access_token of the token response', first).toBeText()
      await bank.introspection.fresh({ client, token })
      return { exchange, token }
    }
    const plain = await exchanged()
    await plain.exchange()
    await expectDead(tools, { client, token: plain.token }, 'an access token whose code was used again')
    // A code of its own: a bank may forget one that came with a mistake, and has nothing left to notice then.
    const { exchange, token } = await exchanged()
    // Whether a code is used again that comes with another mistake beside, no table says.
    await exchange(({ form }) => ({ form: { ...form, redirect_uri: `${form.redirect_uri}/another` } }))
    const introspected = await bank.introspection.try({ client, token })
    if (introspected.member('active') === true)
      warn('the tokens of a code live on when it is used again with another redirect_uri (RFC 6749 section 4.1.2)')
  },
})
