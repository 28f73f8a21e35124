import { claimsOf, project, type UserData, userDataEndpoints, withoutEmpty } from '../../bank/claims.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toHearUpdates } from '../support/heard-tokens.js'
import { claimsBeyond, grantedOf } from './checks.js'

/** User data after what the bank knows of a person was changed, under an access token from before. */

const requirements: Readonly<Record<UserData, { requirement: string; places: string[] }>> = {
  userinfo: {
    requirement: 'DATA-15',
    places: [
      'use=after-change',
      'use=after-change claim=nickname',
      'use=after-change claim=phone_number value=missing',
      'use=after-change claim=middle_name value=unknown',
    ],
  },
  profile: {
    requirement: 'DATA-16',
    places: [
      'use=after-change',
      'use=after-change claim=addresses',
      'use=after-change claim=phone_number value=missing',
      'use=after-change claim=middle_name value=unknown',
    ],
  },
}

/** Holds that of the claims that were changed an answer has those that are known now, and no other. */
async function expectNow({ bank, expect }: Tools, endpoint: UserData, response: HttpResponse, known: object) {
  const { changed, notApproved } = await bank.claimUpdate()
  const { login, scopes } = notApproved
  expect(response).toHaveStatus(200)
  const { content } = await bank.open(endpoint, response, login.client)
  const { payload } = bank.read(content, endpoint, response)
  // A claim without a value is the subject of DATA-10; AMB-6 has two names for one claim.
  const given = Object(withoutEmpty(payload))
  const claims = { email_verified: given.verified_email, ...given }
  const names = claimsOf(endpoint, grantedOf(login, scopes))
  for (const claim of Object.keys(changed)) {
    const ofClaim = names.filter((name) => name.split('.')[0] === claim)
    // AMB-7 leaves open whether profile has an e-mail address.
    const open = endpoint === 'profile' && claim === 'email' && !('email' in claims)
    if (ofClaim.length === 0 || open) continue
    const [is, should] = [claims, known].map((all) => project(all, ofClaim)[claim])
    expect<unknown>(is, `${claim} of ${endpoint}`, response).toEqual(should)
  }
}

export const afterChange: readonly Rule[] = userDataEndpoints.map((endpoint) =>
  rule({
    id: `${endpoint}/after-change`,
    ...requirements[endpoint],
    title: `${endpoint} holds what the bank knows now: what was changed or taken away since the login`,
    needs: toHearUpdates,
    async check(tools) {
      const { before, changed, data } = await tools.bank.claimUpdate()
      const after = Object.entries({ ...before, ...changed }).filter(([, value]) => value !== null)
      const { changed: first, restored } = data[endpoint]
      await tools.inVariation('after the change', () => expectNow(tools, endpoint, first, Object.fromEntries(after)))
      await tools.inVariation('after everything was put back', () => expectNow(tools, endpoint, restored, before))
    },
  }),
)

export const besideOthers = rule({
  id: 'user-data/notification-scope-besides',
  requirement: 'DATA-11',
  places: userDataEndpoints.map((endpoint) => `endpoint=${endpoint} scope=profile.email`),
  title: 'Beside other scopes, notification.claims_updated yields no claim of its own',
  needs: toHearUpdates,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { login, scopes } = (await bank.claimUpdate()).email
    const data = scopes.filter((scope) => scope.startsWith('profile.'))
    for (const endpoint of userDataEndpoints.filter((one) => claimsOf(one, data).length > 0)) {
      await inVariation(endpoint, async () => {
        const { claims, response } = await bank.userData[endpoint](login)
        const { unknown } = claimsBeyond(endpoint, data, claims)
        expect(unknown, `what ${endpoint} holds beyond the claims of ${data.join(', ')}`, response).toEqual([])
      })
    }
  },
})
