import { randomUUID } from 'node:crypto'
import type { Metadata } from '../../bank/client-metadata.js'
import type { Tools } from '../../harness/rule.js'
import { atEach, type ProofOptions } from './proof-endpoints.js'

/** Times of an assertion that was made a little earlier, and lives longer: by its jti alone it is one that came before. @param now in Unix seconds */
export const otherTimes = (now: number) => ({ iat: now - 20, exp: now + 200 })

/**
 * That an assertion is refused whose jti came before, at the same endpoint or at another (AMB-68). It is another assertion: its times differ,
 * in which two that are made within a second are alike.
 */
export async function expectOnce(tools: Tools, options: ProofOptions = {}): Promise<void> {
  const { expect, inVariation, reading, service } = tools
  const used: string[] = []
  let repeated = false
  await atEach(tools, options, async ({ at, expectRefused }, send) => {
    const assertWith = (claims: { jti: string; iat?: number; exp?: number }) =>
      send(() => ({ authentication: { claims } }))
    const expectSeen = async (jti: string) => {
      const answer = await assertWith({ jti, ...otherTimes(service.clock()) })
      // Taken again, the assertion leads to what is wrong with a code or a refresh token that was used.
      if (answer.status < 300 || answer.member('error') === 'invalid_grant') repeated = true
      else expectRefused(tools, answer)
    }
    const own = randomUUID()
    await inVariation(`a jti that came before, at ${at}`, async () => {
      const first = await assertWith({ jti: own })
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

/**
 * That many characters of a jti count, and which case they have: a jti that is not the one before is taken, and the first is refused when it
 * comes again. Whoever takes none of so many characters is asked no more; the specification shows no bound.
 */
export async function expectOnceOfLong(tools: Tools): Promise<void> {
  const { expect, inVariation, note, reading } = tools
  await atEach(tools, { at: ['/token-info'] }, async ({ at, expectRefused }, send) => {
    const assertWith = (jti: string) => send(() => ({ authentication: { claims: { jti } } }))
    const common = randomUUID().repeat(5)
    const long = `${common}a`
    if ((await assertWith(long)).status > 299) return note(`a jti of ${long.length} characters is not taken at ${at}`)
    const others = { 'that differs in its last character': `${common}b`, 'in another case': `${common}A` }
    for (const [which, jti] of Object.entries(others)) {
      await inVariation(`a long jti ${which}, at ${at}`, async () => {
        const answer = await assertWith(jti)
        expect(answer.status, `the status of the first use of a jti ${which}`, answer).toBeAtMost(299)
      })
    }
    await inVariation(`a long jti that came before, at ${at}`, async () => {
      const answer = await assertWith(long)
      if (answer.status < 300) reading('AMB-68', 'accepted')
      else expectRefused(tools, answer)
    })
  })
}

/** That an assertion for /revoke without sub and iss is refused when it comes again (AMB-68), where one is taken at all (AMB-23). */
export async function expectOnceOfNameless(tools: Tools, clientMetadata: Metadata): Promise<void> {
  const { inVariation, reading } = tools
  await atEach(tools, { clientMetadata, at: ['/revoke'] }, async ({ expectRefused }, send) => {
    const jti = randomUUID()
    const nameless = () => send(() => ({ authentication: { claims: { jti, sub: undefined, iss: undefined } } }))
    if ((await nameless()).status > 299) return
    await inVariation('a jti that came before, without sub and iss', async () => {
      const answer = await nameless()
      if (answer.status < 300) reading('AMB-68', 'accepted')
      else expectRefused(tools, answer)
    })
  })
}
