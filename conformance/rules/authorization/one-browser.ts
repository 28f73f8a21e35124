import { parameterOf } from '../../bank/authorization.js'
import { nextRefreshToken } from '../../bank/refresh.js'
import { rule } from '../../harness/rule.js'
import { type Need, toLogIn, toRegister } from '../../target/needs.js'
import { expectOutOfReach, oneLevel } from '../support/acr-levels.js'

/** What happens in one browser: two people after one another, and two logins at once. Each keeps to who is there, and to its own request. */

const inOneBrowser: readonly Need[] = [...toLogIn, ...toRegister, 'browsers']
const toSucceed: readonly Need[] = [...inOneBrowser, 'person:second']

export const consentOfNext = rule({
  id: 'consent/next-person',
  requirement: 'CONS-2',
  places: ['use=second-person parameter=prompt'],
  title: 'Who signs in by prompt=login in the browser of another person is shown consent, though that one gave it',
  needs: [...toSucceed, 'page-detection'],
  async check({ bank, expect }) {
    const { authorization } = await bank.succession()
    const { pages, response } = authorization.callback
    expect(pages, 'the pages shown', response).toContain('consent')
  },
})

export const subjectOfNext = rule({
  id: 'subjects/next-person',
  requirement: 'SUB-9',
  places: ['use=second-person parameter=prompt'],
  title: 'Who signs in by prompt=login in the browser of another person has another sub than that one',
  needs: toSucceed,
  async check({ bank, expect }) {
    const { first, second } = await bank.succession()
    const [before, after] = [await bank.idTokenClaims(first), await bank.idTokenClaims(second)]
    expect(after.sub, 'sub of the id_token of the second person', second.response).toDiffer(
      before.sub,
      'that of the first person',
    )
  },
})

export const tokenOfPrevious = rule({
  id: 'token/previous-person',
  requirement: 'TOK-10',
  places: ['use=second-person token=access-of-code'],
  title: 'The access token of a person lives on when another signs in by prompt=login in the same browser',
  needs: toSucceed,
  async check({ bank, expect, warn }) {
    const { first } = await bank.succession()
    const response = await bank.introspection.try({ client: first.client, token: first.accessToken })
    const active = response.member('active')
    expect(active, 'active of the access token of the first person', response).toBeOneOf([true, false])
    // To let somebody else in may be taken for a logout of who was there, which invalidates tokens ("Token kinds" rule 3).
    if (active === false)
      warn('the access token of a person ends when another signs in by prompt=login in the same browser')
  },
})

export const levelOfNext = rule({
  id: 'authorization/acr-of-next-person',
  requirement: 'AUTH-33',
  places: ['use=second-person claim=acr'],
  title: 'Of a user who can reach loa2 alone no id_token says loa3, in the browser of another person who reached it',
  needs: [...inOneBrowser, 'person:loa2-only'],
  async check({ bank, expect, skip }) {
    const missing = await oneLevel(bank)
    if (missing) return skip(missing)
    const { second } = await bank.successionOfLevels()
    const { acr } = await bank.idTokenClaims(second)
    expect<unknown>(acr, 'acr of the id_token', second.response).toBe('loa2')
  },
})

export const outOfReachOfNext = rule({
  id: 'authorization/acr-out-of-reach-of-next-person',
  requirement: 'AUTH-42',
  places: ['use=second-person'],
  title:
    'A user who cannot reach loa3 ends in 302 eid_doesnt_exist too in the browser of another person who reached it',
  needs: [...inOneBrowser, 'person:loa2-only', 'redirect'],
  async check({ bank, expect, skip }) {
    const missing = await oneLevel(bank)
    if (missing) return skip(missing)
    const { ask } = await bank.successionOfLevels()
    expectOutOfReach(expect, await ask('loa3'))
  },
})

export const refreshAfterNext = rule({
  id: 'token/refresh-after-next-person',
  requirement: 'TOK-20',
  places: ['use=second-person value=wrong'],
  title: 'What the next person in a browser approved is refused to the refresh token of the one before',
  needs: toSucceed,
  async check({ bank, expect, skip }) {
    const { first, wider } = await bank.succession()
    const refreshToken = first.response.member('refresh_token')
    if (typeof refreshToken !== 'string' || first.authorization.parameters.scope === undefined)
      return skip('the login of the first person gave no refresh token')
    if (String(first.authorization.parameters.scope).split(' ').includes(wider.further))
      return skip('the client registers one data scope alone')
    // By one that a refresh gave, as it stands when the next person has been there.
    const login = { client: first.client, refreshToken }
    const narrowed = await bank.refresh.try({ login, form: { scope: 'openid' } })
    if (narrowed.status >= 300) return skip('the refresh token ended when the next person signed in')
    const next = nextRefreshToken(narrowed, refreshToken)
    const refusal = await bank.refresh.try({ login, refreshToken: next, form: { scope: wider.scope } })
    expect(refusal).toHaveStatus(400)
  },
})

export const stateSideBySide = rule({
  id: 'authorization/state-side-by-side',
  requirement: 'AUTH-1',
  places: ['use=second-call'],
  title: 'Of two logins at once in one browser each comes back with its own state',
  needs: inOneBrowser,
  async check({ bank, expect }) {
    const { first, second } = await bank.sideBySide()
    for (const one of [first, second]) {
      expect(parameterOf(one, 'state'), 'state of the callback', one.callback.response).toBe(one.parameters.state)
    }
  },
})

export const nonceSideBySide = rule({
  id: 'token/id-token-side-by-side',
  requirement: 'TOK-34',
  places: ['use=second-call token=id-of-code claim=nonce'],
  title: 'Of two logins at once in one browser the one that was begun first has its own nonce in the id_token',
  needs: inOneBrowser,
  async check({ bank, expect }) {
    const { first, login } = await bank.sideBySide()
    const { nonce } = await bank.idTokenClaims(login)
    expect<unknown>(nonce, 'nonce of the id_token', login.response).toBe(first.parameters.nonce)
  },
})
