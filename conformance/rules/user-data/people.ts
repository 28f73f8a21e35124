import { emptyPlaces, type UserData, userDataEndpoints, withoutEmpty } from '../../bank/claims.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toComparePeople } from '../../target/needs.js'
import { forEveryone, grantedOf } from './checks.js'
import { expectKnown } from './known-claims.js'

/** The same of everybody else: what a bank knows differs from one person to the next, and so do its mistakes. */

const everyKnown = (endpoint: UserData) => async (tools: Tools) => {
  const { bank } = tools
  const { dataScopes } = await bank.client()
  await forEveryone(tools, async (login, known) => {
    const scopes = grantedOf(login, dataScopes)
    expectKnown(tools, endpoint, { known, scopes, hasAll: false, ...(await bank.userData[endpoint](login)) })
  })
}

/** Names of places that are about people. */
const at = (kinds: readonly string[]) => ['use=second-person', ...kinds.map((kind) => `person=${kind}`)]

export const everyKnownRules: readonly Rule[] = [
  rule({
    id: 'userinfo/everyone',
    requirement: 'DATA-15',
    places: at([
      'sparse',
      'long-names',
      'diacritics',
      'non-latin',
      'one-name',
      'email-with-capitals',
      'email-unverified',
      'locale-with-dash',
    ]),
    title: 'userinfo holds what each person is known to have, and nobody else’s',
    needs: toComparePeople,
    check: everyKnown('userinfo'),
  }),
  rule({
    id: 'profile/everyone',
    requirement: 'DATA-16',
    places: at([
      'sparse',
      'deceased',
      'comes-of-age-tomorrow',
      'of-age-today',
      'under-age',
      'two-addresses',
      'several-idcards',
      'rare-idcards',
      'several-nationalities',
      'primary-nationality-not-first',
      'several-payment-accounts',
      'pep',
      'limited-legal-capacity',
      'gender-other',
      'without-birthnumber',
      'no-email',
    ]),
    title: 'profile holds what each person is known to have, and nobody else’s',
    needs: toComparePeople,
    check: everyKnown('profile'),
  }),
]

export const everyoneFilled = rule({
  id: 'user-data/everyone-filled',
  requirement: 'DATA-10',
  places: ['person=without-birthnumber', 'person=no-email', 'member=inner'],
  title: 'No claim is null or an empty string, whoever it is about',
  needs: toComparePeople,
  check: (tools) =>
    forEveryone(tools, async (login) => {
      for (const endpoint of userDataEndpoints) {
        const { claims, response } = await tools.bank.userData[endpoint](login)
        tools.expect(emptyPlaces(claims), `the claims of ${endpoint} that are null or empty`, response).toEqual([])
      }
    }),
})

export const everyoneShapes = rule({
  id: 'profile/everyone-shapes',
  requirement: 'DATA-17',
  places: ['person=deceased', 'person=rare-idcards'],
  title: 'The claims of profile have their types and shapes, whoever they are about',
  needs: toComparePeople,
  check: (tools) =>
    forEveryone(tools, async (login) => {
      const { claims, response } = await tools.bank.userData.profile(login)
      tools.expect(withoutEmpty(claims), 'the claims of profile', response).toFitSchema('profile')
    }),
})

export const everyoneSubject = rule({
  id: 'user-data/everyone-subject',
  requirement: 'DATA-9',
  places: ['use=second-person'],
  title: "userinfo and profile name the id_token's sub, whoever logged in",
  needs: toComparePeople,
  check: (tools) =>
    forEveryone(tools, async (login) => {
      const { bank, expect } = tools
      const { sub } = await bank.idTokenClaims(login)
      for (const endpoint of userDataEndpoints) {
        const { claims, response } = await bank.userData[endpoint](login)
        expect(claims.sub, `sub of ${endpoint}`, response).toBe(sub)
      }
    }),
})
