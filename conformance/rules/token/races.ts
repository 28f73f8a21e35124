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
    const ofUnknownCode = () => exchange(({ form }) => ({ form: { ...form, code: 'a-code-of-nobody' } }))
    // Both find a connection open then: neither makes one while the other is answered.
    await Promise.all([ofUnknownCode(), ofUnknownCode()])
    const answers = await Promise.all([exchange(), exchange()])
    const refused = answers.filter(({ status }) => status >= 300)
    expect(refused.length, 'how many of two exchanges at once are refused', answers[1]).toBeAtLeast(1)
    // Which of them a bank lets succeed, if any, is not said.
    if (refused.length === answers.length) return note('both of two exchanges at once are refused')
    for (const refusal of refused) expectRefusal(expect, refusal, 400, 'invalid_grant')
  },
})
