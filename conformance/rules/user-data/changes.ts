import { type UserData, userDataEndpoints } from '../../bank/claims.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toHearUpdates } from '../support/heard-tokens.js'

/** User data after what the bank knows of a person was changed, under an access token from before. */

const requirements: Readonly<Record<UserData, string>> = { userinfo: 'DATA-15', profile: 'DATA-16' }

/** The claims of an answer. */
async function claimsIn({ bank, expect }: Tools, endpoint: UserData, response: HttpResponse) {
  const { login } = (await bank.claimUpdate()).notApproved
  expect(response).toHaveStatus(200)
  const { content } = await bank.open(endpoint, response, login.client)
  const { payload } = bank.read(content, endpoint, response)
  return expect(payload, `the payload of ${endpoint}`, response).toBeObject()
}

export const afterChange: readonly Rule[] = userDataEndpoints.map((endpoint) =>
  rule({
    id: `${endpoint}/after-change`,
    requirement: requirements[endpoint],
    places: ['use=after-change'],
    title: `${endpoint} holds what the bank knows now: what was changed or taken away since the login`,
    needs: toHearUpdates,
    async check(tools) {
      const { bank, expect, inVariation, skip } = tools
      const { before, changed, data } = await bank.claimUpdate()
      const { changed: first, restored } = data[endpoint]
      const claims = await claimsIn(tools, endpoint, first)
      // AMB-7 leaves open whether profile has an e-mail address; a nickname it has not.
      const compared = endpoint === 'userinfo' ? ['email', 'nickname'] : ['email'].filter((claim) => claim in claims)
      if (compared.length === 0) return skip('profile has no claim of those that were changed (AMB-7)')
      await inVariation('after the change', async () => {
        for (const claim of compared) expect(claims[claim], `${claim} of ${endpoint}`, first).toBe(changed[claim])
      })
      await inVariation('after everything was put back', async () => {
        const now = await claimsIn(tools, endpoint, restored)
        for (const claim of compared) expect(now[claim], `${claim} of ${endpoint}`, restored).toBe(before[claim])
      })
    },
  }),
)
