import { randomUUID } from 'node:crypto'
import type { Tools } from '../../harness/rule.js'
import { atEach, type ProofOptions } from './proof-endpoints.js'

/** That an assertion is refused whose jti came before, at the same endpoint or at another (AMB-68). */
export async function expectOnce(tools: Tools, options: ProofOptions = {}): Promise<void> {
  const { expect, inVariation, reading } = tools
  const used: string[] = []
  let repeated = false
  await atEach(tools, options, async ({ at, expectRefused }, send) => {
    const assertWith = (jti: string) => send(() => ({ authentication: { claims: { jti } } }))
    const expectSeen = async (jti: string) => {
      const answer = await assertWith(jti)
      // Taken again, the assertion leads to what is wrong with a code or a refresh token that was used.
      if (answer.status < 300 || answer.member('error') === 'invalid_grant') repeated = true
      else expectRefused(tools, answer)
    }
    const own = randomUUID()
    await inVariation(`a jti that came before, at ${at}`, async () => {
      const first = await assertWith(own)
      expect(first.status, 'the status of the first use', first).toBeAtMost(299)
      await expectSeen(own)
    })
    // By now the code or the refresh token is used up, so that nothing is lost where the jti is taken.
    const [earlier] = used
    if (earlier) await inVariation(`a jti that came before elsewhere, at ${at}`, () => expectSeen(earlier))
    used.push(own)
  })
  reading('AMB-68', repeated ? 'accepted' : 'refused')
}
