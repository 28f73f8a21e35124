import { nextRefreshToken } from '../../bank/refresh.js'
import { rule } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { expectRefusal } from '../support/client-refusals.js'

export const codeAtOnce = rule({
  id: 'token/code-at-once',
  requirement: 'TOK-12',
  places: ['grant=code value=both'],
  title: 'Of two exchanges of one code at once no more than one succeeds',
  needs: toLogIn,
  async check({ bank, expect, note }) {
    const exchange = await bank.token.variations()
    const answers = await Promise.all([exchange(), exchange()])
    const refused = answers.filter(({ status }) => status >= 300)
    expect(refused.length, 'how many of two exchanges at once are refused', answers[1]).toBeAtLeast(1)
    // Which of them a bank lets succeed, if any, is not said.
    if (refused.length === answers.length) return note('both of two exchanges at once are refused')
    for (const refusal of refused) expectRefusal(expect, refusal, 400, 'invalid_grant')
  },
})

export const refreshAtOnce = rule({
  id: 'token/refresh-at-once',
  requirement: 'TOK-44',
  places: ['value=both'],
  title: 'Two refreshes at once by one refresh token leave no more than one new refresh token',
  needs: toLogIn,
  async check({ bank, expect }) {
    const login = await bank.offlineToken.fresh()
    const refresh = await bank.refresh.variations({ login })
    const answers = await Promise.all([refresh(), refresh()])
    const tokens = new Set(answers.map((answer) => nextRefreshToken(answer, login.refreshToken)))
    tokens.delete(login.refreshToken)
    const live: string[] = []
    for (const token of tokens) {
      const introspected = await bank.introspection.try({ client: login.client, token })
      if (introspected.member('active') === true) live.push(token)
    }
    expect(live.length, 'how many new refresh tokens of two refreshes at once are active', answers[1]).toBeAtMost(1)
  },
})
