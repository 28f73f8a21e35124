import { isObject, mayLeadToNothing, withoutEmpty } from '../../bank/claims.js'
import { rule } from '../../harness/rule.js'
import { toCompareData, toLogIn, toRegister } from '../../target/needs.js'
import { answerTo } from '../support/refusals.js'
import { checkEverythingKnown, checkNothingElse, loginForAll } from './checks.js'
import { scopePlaces } from './places.js'
import { allElsePlain, checkEncryption, checkSigned, expectSigned } from './protection.js'
import { refreshed } from './token-origins.js'

export const signed = rule({
  id: 'profile/signed',
  requirement: 'DATA-2',
  places: [
    'member=content-type',
    'part=signature value=missing',
    'part=signature value=wrong',
    'member=payload value=other-type',
    'alg=PS512',
    'alg=ES512',
  ],
  title: 'profile is a JWT of content type application/jwt, signed with the registered algorithm by a published key',
  needs: toLogIn,
  async check(tools) {
    await checkSigned(tools, 'profile')
    const ownList = (await tools.bank.discovery()).declared('profile_signing_alg_values_supported')
    tools.reading('AMB-49', ownList ? 'own-lists' : 'userinfo-lists')
  },
})

export const acceptJson = rule({
  id: 'profile/accept-json',
  requirement: 'DATA-2',
  places: ['parameter=accept value=other-type', 'parameter=accept value=superset'],
  title: 'profile is a signed JWT of content type application/jwt also for a request that accepts JSON, or anything',
  needs: toLogIn,
  async check(tools) {
    await tools.bank.userData.profile(await tools.bank.token())
    await checkSigned(tools, 'profile', { accept: 'application/json' })
    await tools.inVariation('a request that accepts anything', () => checkSigned(tools, 'profile', { accept: '*/*' }))
  },
})

export const plainAcceptJson = rule({
  id: 'profile/plain-accept-json',
  requirement: 'DATA-2',
  places: ['part=encryption parameter=accept value=other-type'],
  title: 'profile is a signed JWT for a request that accepts JSON also where the client registered no encryption of it',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, skip } = tools
    const clientMetadata = allElsePlain('userinfo')
    // A bank may want userinfo and profile to be encrypted alike (AMB-48).
    if ((await answerTo(bank, clientMetadata)).status >= 400) return skip('the bank wants profile to be encrypted')
    const login = await bank.token({ clientMetadata })
    const response = await bank.userData.profile.try(login, ({ headers }) => ({
      headers: { ...headers, accept: 'application/json' },
    }))
    await expectSigned(tools, 'profile', login.client, response)
  },
})

export const refreshedAcceptJson = rule({
  id: 'profile/refreshed-accept-json',
  requirement: 'DATA-2',
  places: ['token=access-of-refresh parameter=accept value=other-type'],
  title: 'profile is a signed JWT for a request that accepts application/json under a refreshed access token, too',
  needs: toLogIn,
  async check(tools) {
    for (const token of await refreshed(tools)) {
      await tools.inVariation(`an access token ${token.what}`, async () => {
        const response = await tools.bank.userData.profile.try(token, ({ headers }) => ({
          headers: { ...headers, accept: 'application/json' },
        }))
        if (response.status >= 400 && mayLeadToNothing('profile', token.scopes)) return
        await expectSigned(tools, 'profile', token.client, response)
      })
    }
  },
})

export const encrypted = rule({
  id: 'profile/encrypted',
  requirement: 'DATA-14',
  places: [
    'part=typ',
    'part=encryption value=missing',
    'part=encryption value=wrong',
    'alg=RSA-OAEP-256',
    'member=enc',
    'use=after-rotation',
    'part=encryption alg=ES512',
  ],
  title: 'profile is encrypted, with the registered alg and enc, to the key that the client publishes now',
  needs: toLogIn,
  check: (tools) => checkEncryption(tools, 'profile'),
})

export const nothingElse = rule({
  id: 'profile/nothing-else',
  requirement: 'DATA-4',
  places: scopePlaces('profile'),
  title: 'profile holds the claims of the approved scopes and nothing else of the person',
  needs: toLogIn,
  async check(tools) {
    await checkNothingElse(tools, 'profile')
    const { bank, reading } = tools
    const { dataScopes } = await bank.client()
    if (!dataScopes.includes('profile.email')) return
    const { claims } = await bank.userData.profile(await bank.token({ scope: ['openid', ...dataScopes].join(' ') }))
    reading('AMB-7', 'email' in claims ? 'email' : 'no-claim')
  },
})

export const everythingKnown = rule({
  id: 'profile/everything-known',
  requirement: 'DATA-16',
  places: [
    ...scopePlaces('profile').filter((place) => place !== 'scope=profile.verification'),
    'claim=idcards value=second',
    'claim=idcards value=repeated',
    'claim=paymentAccounts value=second',
  ],
  title: 'profile holds every claim of the approved scopes that the person is known to have',
  needs: toCompareData,
  check: (tools) => checkEverythingKnown(tools, 'profile'),
})

export const shapes = rule({
  id: 'profile/shapes',
  requirement: 'DATA-17',
  places: [
    ...[
      'gender',
      'birthdate',
      'age',
      'birthnumber',
      'nationalities',
      'maritalstatus',
      'paymentAccounts',
      'phone_number',
      'updated_at',
      'majority',
      'pep',
      'verified_claims',
    ].map((claim) => `claim=${claim}`),
    ...['country', 'zipcode'].map((member) => `member=${member} claim=addresses`),
    ...['type', 'number', 'valid_to'].map((member) => `member=${member} claim=idcards`),
  ],
  title: 'The claims of profile have their types and shapes',
  needs: toLogIn,
  async check(tools) {
    const { claims, response } = await tools.bank.userData.profile(await loginForAll(tools))
    // A claim without a value is the subject of DATA-10.
    tools.expect(withoutEmpty(claims), 'the claims of profile', response).toFitSchema('profile')
  },
})

/** A date-time of RFC 3339 section 5.6. */
const isoTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

export const verification = rule({
  id: 'profile/verification',
  requirement: 'DATA-6',
  places: ['member=verification', 'member=time'],
  title:
    'profile.verification yields verified_claims.verification at profile, with the time of it as a timestamp if at all',
  needs: toLogIn,
  async check({ bank, expect, skip }) {
    if (!(await bank.client()).dataScopes.includes('profile.verification'))
      skip('the bank declares no scope profile.verification')
    const login = await bank.token({ scope: 'openid profile.verification' })
    const { claims, response } = await bank.userData.profile(login)
    const { verified_claims } = claims
    const found = isObject(verified_claims) ? verified_claims.verification : undefined
    const verification = expect(found, 'verified_claims.verification of profile', response).toBeObject()
    // A verification may leave out when it was; a time that is told is one.
    if (!('time' in verification)) return
    const told = 'time of verified_claims.verification of profile'
    expect(verification.time, told, response).toMatch(isoTimestamp, 'an ISO 8601 timestamp with a colon in its offset')
  },
})
