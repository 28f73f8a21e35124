import { claimsOf, emptyPlaces, project, type UserData, userDataEndpoints, withoutEmpty } from '../../bank/claims.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toHearUpdates } from '../support/heard-tokens.js'
import { claimsBeyond, grantedOf } from './checks.js'
import { reckonedFrom } from './known-claims.js'

/** User data after what the bank knows of a person was changed, under an access token from before. */

const requirements: Readonly<Record<UserData, { requirement: string; places: string[] }>> = {
  userinfo: {
    requirement: 'DATA-15',
    places: [
      'use=after-change',
      'use=after-change claim=nickname',
      'use=after-change claim=phone_number value=missing',
      'use=after-change claim=middle_name value=unknown',
      'use=after-change claim=updated_at',
      'use=after-change token=access-of-refresh',
    ],
  },
  profile: {
    requirement: 'DATA-16',
    places: [
      'use=after-change',
      'use=after-change claim=addresses',
      'use=after-change claim=phone_number value=missing',
      'use=after-change claim=middle_name value=unknown',
      'use=after-change claim=updated_at',
      'use=after-change claim=birthnumber',
      'use=after-change claim=age',
      'use=after-change token=access-of-refresh',
    ],
  },
}

/** Claims that may follow from others: what becomes of them when those change is the bank's to say. */
const following = ['age', 'majority', 'updated_at', 'email_verified', 'phone_number_verified']

/** The claims of an answer to the client whose scopes reach all that is changed. */
async function claimsIn({ bank, expect }: Tools, endpoint: UserData, response: HttpResponse): Promise<object> {
  const { login } = (await bank.claimUpdate()).notApproved
  expect(response).toHaveStatus(200)
  const { content } = await bank.open(endpoint, response, login.client)
  return bank.read(content, endpoint, response).payload
}

/** Holds that an answer has what is known now of the person, what was changed and all the rest, and nothing that is no longer known. */
async function expectNow(tools: Tools, endpoint: UserData, response: HttpResponse, known: Record<string, unknown>) {
  const { bank, expect } = tools
  const { before, changed, during, notApproved } = await bank.claimUpdate()
  const { login, scopes } = notApproved
  // A claim without a value is the subject of DATA-10; AMB-6 has two names for one claim.
  const given = Object(withoutEmpty(await claimsIn(tools, endpoint, response)))
  const claims = { email_verified: given.verified_email, ...given }
  const names = claimsOf(endpoint, grantedOf(login, scopes))
  const unchanged = Object.keys(before).filter((claim) => !(claim in changed || following.includes(claim)))
  for (const claim of [...Object.keys(changed), ...unchanged]) {
    const ofClaim = names.filter((name) => name.split('.')[0] === claim)
    // AMB-7 leaves open whether profile has an e-mail address.
    const open = endpoint === 'profile' && claim === 'email' && !('email' in claims)
    if (ofClaim.length === 0 || open) continue
    const [is, should] = [claims, known].map((all) => project(all, ofClaim)[claim])
    expect<unknown>(is, `${claim} of ${endpoint}`, response).toEqual(should)
  }
  for (const [claim, values] of Object.entries(reckonedFrom(known, during.to))) {
    if (names.includes(claim) && (claim in before || claim in claims))
      expect<unknown>(claims[claim], `${claim} of ${endpoint}`, response).toBeOneOf(values)
  }
  if (names.includes('updated_at') && before.updated_at !== undefined)
    expect(Object.keys(claims), `the claims of ${endpoint}`, response).toContain('updated_at')
}

export const afterChange: readonly Rule[] = userDataEndpoints.map((endpoint) =>
  rule({
    id: `${endpoint}/after-change`,
    ...requirements[endpoint],
    title: `${endpoint} holds what the bank knows now: what was changed or taken away since the login`,
    needs: toHearUpdates,
    async check(tools) {
      const { before, changed, data, refreshed } = await tools.bank.claimUpdate()
      const after = Object.entries({ ...before, ...changed }).filter(([, value]) => value !== null)
      const { changed: first, restored } = data[endpoint]
      await tools.inVariation('after the change', () => expectNow(tools, endpoint, first, Object.fromEntries(after)))
      const later = refreshed[endpoint]
      if (later)
        await tools.inVariation('with the access token of a refresh after the change', () =>
          expectNow(tools, endpoint, later, Object.fromEntries(after)),
        )
      await tools.inVariation('after everything was put back', () => expectNow(tools, endpoint, restored, before))
    },
  }),
)

export const filledAfterChange = rule({
  id: 'user-data/filled-after-change',
  requirement: 'DATA-10',
  places: [
    ...userDataEndpoints.map((endpoint) => `endpoint=${endpoint} use=after-change`),
    'use=after-change member=inner',
  ],
  title: 'No claim is null or an empty string once what is known was changed or taken away',
  needs: toHearUpdates,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { data } = await bank.claimUpdate()
    const times = { changed: 'after the change', restored: 'after everything was put back' } as const
    for (const endpoint of userDataEndpoints) {
      for (const time of ['changed', 'restored'] as const) {
        await inVariation(`${endpoint} ${times[time]}`, async () => {
          const response = data[endpoint][time]
          const claims = await claimsIn(tools, endpoint, response)
          expect(emptyPlaces(claims), `the claims of ${endpoint} that are null or empty`, response).toEqual([])
        })
      }
    }
  },
})

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
