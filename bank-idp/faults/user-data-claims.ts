import type { JWTPayload } from 'jose'
import type { BankFacts, NestedJwt } from '../seams.js'
import { type Deviation, fault, omit } from './fault.js'

export type Endpoint = 'userinfo' | 'profile'

/** The seam of one endpoint's claims, before they are signed. */
export function claims(
  endpoint: Endpoint,
  change: (claims: JWTPayload) => JWTPayload,
): NonNullable<Deviation['nestedJwt']> {
  return { [endpoint]: (nestedJwt: NestedJwt) => ({ ...nestedJwt, claims: change(nestedJwt.claims) }) }
}

/** The change of a claim where it comes; where it does not, nothing happens. */
export function value(name: string, change: (value: unknown) => unknown) {
  return (all: JWTPayload): JWTPayload => (name in all ? { ...all, [name]: change(all[name]) } : all)
}

const inMilliseconds = (seconds: unknown) => Number(seconds) * 1000
const withoutPlus = (number: unknown) => String(number).replace('+', '')

/** Another time of the verification. */
function timeOfVerification(time: unknown) {
  return value('verified_claims', (verified) => {
    const { verification, ...others } = verified as { verification: object }
    return { ...others, verification: { ...verification, time } }
  })
}

/** Whether a scope was granted. */
export const granted = ({ txn }: JWTPayload, scope: string) => String(txn).split(':').includes(scope)

/** The claims by which one person is told from another. */
const identifying = ['name', 'given_name', 'family_name', 'birthdate', 'birthnumber'] as const

/** For `nestedJwt`: the name and the birth of another of the bank's people. */
function ofSomebodyElse(endpoint: Endpoint): NonNullable<Deviation['nestedJwt']> {
  return {
    [endpoint]: (nestedJwt: NestedJwt, { people }: BankFacts): NestedJwt => {
      const own = nestedJwt.claims
      const given = identifying.filter((name) => name in own)
      for (const { claims } of people.identities()) {
        const other = given.map((name) => [name, claims[name]] as const)
        if (other.every(([name, value]) => value !== undefined && value !== own[name]))
          return { ...nestedJwt, claims: { ...own, ...Object.fromEntries(other) } }
      }
      return nestedJwt
    },
  }
}

/** What user data hold. */
export const userDataClaimFaults = [
  // One claim too many.
  fault({
    id: 'userinfo/unasked-claim',
    breaks: ['DATA-3'],
    places: [
      'scope=profile.name',
      'scope=profile.email',
      'scope=profile.phonenumber',
      'scope=profile.zoneinfo',
      'scope=profile.locale',
      'scope=profile.updatedat',
    ],
    title: 'userinfo holds the birthdate whatever was granted',
    collateral: {
      'token/refresh-openid-data': 'a claim that always comes also comes for a token narrowed to openid',
      'user-data/openid-only': 'a claim that always comes also comes for openid alone',
      'user-data/scope-of-other-endpoint': 'a claim that always comes also comes where no scope leads to one',
      'user-data/notification-scope': 'a claim that always comes also comes for notification.claims_updated',
    },
    nestedJwt: claims('userinfo', (all) => ({ birthdate: '1985-04-17', ...all })),
  }),
  fault({
    id: 'userinfo/claim-of-profile',
    breaks: ['DATA-3'],
    places: ['scope=profile.birthdate'],
    title: 'userinfo holds the age for profile.birthdate',
    nestedJwt: claims('userinfo', (all) => (granted(all, 'profile.birthdate') ? { ...all, age: 41 } : all)),
  }),
  fault({
    id: 'userinfo/verified-email',
    breaks: ['DATA-3'],
    title: 'userinfo calls email_verified verified_email',
    nestedJwt: claims('userinfo', ({ email_verified, ...others }) =>
      email_verified === undefined ? others : { ...others, verified_email: email_verified },
    ),
  }),
  fault({
    id: 'profile/unasked-claim',
    breaks: ['DATA-4'],
    places: [
      'scope=profile.titles',
      'scope=profile.gender',
      'scope=profile.birthdate',
      'scope=profile.birthnumber',
      'scope=profile.birthplaceNationality',
      'scope=profile.maritalstatus',
      'scope=profile.addresses',
      'scope=profile.idcards',
      'scope=profile.paymentAccounts',
      'scope=profile.email',
      'scope=profile.phonenumber',
      'scope=profile.updatedat',
      'scope=profile.verification',
    ],
    title: 'profile tells whether the person is politically exposed, whatever was granted',
    collateral: {
      'user-data/openid-only': 'a claim that always comes also comes for openid alone',
      'user-data/scope-of-other-endpoint': 'a claim that always comes also comes where no scope leads to one',
      'user-data/notification-scope': 'a claim that always comes also comes for notification.claims_updated',
    },
    nestedJwt: claims('profile', (all) => ({ pep: false, ...all })),
  }),
  fault({
    id: 'profile/claim-of-userinfo',
    breaks: ['DATA-4'],
    places: ['scope=profile.name'],
    title: 'profile holds the whole name for profile.name, as userinfo does',
    nestedJwt: claims('profile', (all) => (granted(all, 'profile.name') ? { ...all, name: 'Jana Dvořáková' } : all)),
  }),
  fault({
    id: 'profile/address-coordinates',
    breaks: ['DATA-4', 'DISC-21'],
    places: ['endpoint=profile'],
    title: 'profile holds coordinates with each address',
    collateral: {
      'profile/shapes': 'the published form of an address has no further members',
    },
    nestedJwt: claims(
      'profile',
      value('addresses', (all) => (all as object[]).map((one) => ({ ...one, coordinates: '50.1, 14.4' }))),
    ),
  }),
  fault({
    id: 'userinfo/openid-gives-name',
    breaks: ['DATA-5'],
    places: ['endpoint=userinfo token=access-of-code', 'endpoint=userinfo token=access-of-refresh'],
    title: 'userinfo holds the name for openid alone',
    collateral: {
      'token/refresh-openid-data': 'a token narrowed to openid is one for openid alone',
    },
    nestedJwt: claims('userinfo', (all) =>
      /:openid$/.test(String(all.txn)) ? { ...all, name: 'Mgr. Jana Marie Dvořáková, Ph.D.' } : all,
    ),
  }),
  fault({
    id: 'profile/openid-without-txn',
    breaks: ['DATA-5'],
    places: ['endpoint=profile member=txn'],
    title: 'profile holds no txn for openid alone',
    nestedJwt: claims('profile', (all) => (/:openid$/.test(String(all.txn)) ? omit(all, 'txn') : all)),
  }),
  fault({
    id: 'userinfo/no-sub',
    breaks: ['DATA-5', 'DATA-9'],
    places: ['endpoint=userinfo member=sub', 'endpoint=userinfo part=sub'],
    title: 'userinfo holds no sub',
    collateral: { 'userinfo/shapes': 'sub always comes' },
    nestedJwt: claims('userinfo', (all) => omit(all, 'sub')),
  }),
  fault({
    id: 'profile/no-verification',
    breaks: ['DATA-6'],
    places: ['member=verification'],
    title: 'profile.verification yields nothing',
    nestedJwt: claims('profile', (all) => omit(all, 'verified_claims')),
  }),
  fault({
    id: 'profile/verification-unwrapped',
    breaks: ['DATA-6'],
    places: ['member=verification'],
    title: 'profile holds the verification without verified_claims around it',
    collateral: {
      'profile/nothing-else': 'no table has claims of these names',
      'discovery/declared-scopes': 'claims_supported has no claim of that name',
    },
    nestedJwt: claims('profile', ({ verified_claims, ...others }) =>
      verified_claims === undefined ? others : { ...others, ...(verified_claims as object) },
    ),
  }),
  // Who it is about, and for whom.
  fault({
    id: 'userinfo/other-sub',
    breaks: ['DATA-9', 'SUB-7'],
    places: ['token=userinfo', 'endpoint=userinfo part=sub'],
    title: "The sub of userinfo is not the id_token's",
    nestedJwt: claims(
      'userinfo',
      value('sub', (sub) => `${sub}0`),
    ),
  }),
  fault({
    id: 'profile/other-sub',
    breaks: ['DATA-9', 'SUB-7'],
    places: ['token=profile', 'endpoint=profile part=sub'],
    title: "The sub of profile is not the id_token's",
    nestedJwt: claims(
      'profile',
      value('sub', (sub) => `${sub}0`),
    ),
  }),
  fault({
    id: 'userinfo/other-audience',
    breaks: ['DATA-9'],
    places: ['endpoint=userinfo part=aud'],
    title: 'The signed userinfo is made out to somebody else',
    nestedJwt: claims('userinfo', (all) => ({ ...all, aud: 'another-client' })),
  }),
  fault({
    id: 'userinfo/other-issuer',
    breaks: ['DATA-9', 'DISC-14'],
    places: ['endpoint=userinfo part=iss', 'token=userinfo'],
    title: 'The signed userinfo names another issuer',
    nestedJwt: claims('userinfo', (all) => ({ ...all, iss: 'https://bank.example' })),
  }),
  fault({
    id: 'userinfo/no-issuer',
    breaks: ['DATA-9'],
    places: ['endpoint=userinfo part=iss'],
    title: 'The signed userinfo names no issuer',
    nestedJwt: claims('userinfo', (all) => omit(all, 'iss')),
  }),
  // What has no value.
  fault({
    id: 'userinfo/null-for-absent',
    breaks: ['DATA-10'],
    places: ['endpoint=userinfo value=null'],
    title: 'userinfo holds null for a middle name that there is none of',
    nestedJwt: claims('userinfo', (all) => (granted(all, 'profile.name') ? { middle_name: null, ...all } : all)),
  }),
  fault({
    id: 'profile/null-for-absent',
    breaks: ['DATA-10'],
    places: ['endpoint=profile value=null'],
    title: 'profile holds null for the date of death of the living',
    nestedJwt: claims('profile', (all) => (granted(all, 'profile.birthdate') ? { date_of_death: null, ...all } : all)),
  }),
  fault({
    id: 'profile/empty-for-absent',
    breaks: ['DATA-10'],
    places: ['endpoint=profile value=empty', 'person=sparse'],
    title: 'profile holds an empty string for titles that there are none of',
    nestedJwt: claims('profile', (all) => (granted(all, 'profile.titles') ? { title_prefix: '', ...all } : all)),
  }),
  fault({
    id: 'userinfo/notification-claim',
    breaks: ['DATA-11'],
    places: ['endpoint=userinfo'],
    title: 'notification.claims_updated yields a claim of its name at userinfo',
    collateral: {
      'discovery/declared-scopes': 'claims_supported has no claim of that name',
    },
    nestedJwt: claims('userinfo', (all) =>
      granted(all, 'notification.claims_updated') ? { ...all, claims_updated: true } : all,
    ),
  }),
  fault({
    id: 'profile/notification-claim',
    breaks: ['DATA-11'],
    places: ['endpoint=profile'],
    title: 'notification.claims_updated yields updated_at at profile',
    nestedJwt: claims('profile', (all) =>
      granted(all, 'notification.claims_updated') ? { ...all, updated_at: 1735722000 } : all,
    ),
  }),
  // One claim too few, or another's.
  fault({
    id: 'userinfo/claim-missing',
    breaks: ['DATA-15'],
    places: ['scope=profile.name'],
    title: 'userinfo leaves out the middle name',
    nestedJwt: claims('userinfo', (all) => omit(all, 'middle_name')),
  }),
  fault({
    id: 'userinfo/somebody-else',
    breaks: ['DATA-15'],
    places: ['scope=profile.birthdate'],
    title: "userinfo holds another person's name and birthdate",
    nestedJwt: ofSomebodyElse('userinfo'),
  }),
  fault({
    id: 'userinfo/updated-at-text',
    breaks: ['DATA-15', 'DATA-17'],
    places: ['scope=profile.updatedat'],
    title: 'updated_at of userinfo is an ISO 8601 timestamp',
    nestedJwt: claims(
      'userinfo',
      value('updated_at', (seconds) => new Date(Number(seconds) * 1000).toISOString()),
    ),
  }),
  fault({
    id: 'userinfo/updated-at-milliseconds',
    breaks: ['DATA-15', 'DATA-17'],
    places: ['scope=profile.updatedat'],
    title: 'updated_at of userinfo is in milliseconds',
    nestedJwt: claims('userinfo', value('updated_at', inMilliseconds)),
  }),
  fault({
    id: 'userinfo/phone-number-without-plus',
    breaks: ['DATA-15', 'DATA-17'],
    places: ['scope=profile.phonenumber'],
    title: 'The telephone number of userinfo begins without +',
    nestedJwt: claims('userinfo', value('phone_number', withoutPlus)),
  }),
  fault({
    id: 'profile/claim-missing',
    breaks: ['DATA-16'],
    places: ['scope=profile.birthnumber'],
    title: 'profile leaves out the birth number',
    nestedJwt: claims('profile', (all) => omit(all, 'birthnumber')),
  }),
  fault({
    id: 'profile/age-missing',
    breaks: ['DATA-16'],
    places: ['scope=profile.birthdate'],
    title: 'profile holds the birthdate without the age',
    nestedJwt: claims('profile', (all) => omit(all, 'age')),
  }),
  fault({
    id: 'profile/first-card-only',
    breaks: ['DATA-16'],
    places: ['claim=idcards value=second'],
    title: 'profile holds one identity card of several',
    nestedJwt: claims(
      'profile',
      value('idcards', (cards) => (cards as unknown[]).slice(0, 1)),
    ),
  }),
  fault({
    id: 'profile/somebody-else',
    breaks: ['DATA-16'],
    places: ['scope=profile.name'],
    title: "profile holds another person's name, birthdate and birth number",
    nestedJwt: ofSomebodyElse('profile'),
  }),
  // Types and shapes.
  fault({
    id: 'profile/age-text',
    breaks: ['DATA-16', 'DATA-17'],
    places: ['claim=age', 'scope=profile.birthdate'],
    title: 'The age at profile is a string',
    nestedJwt: claims('profile', value('age', String)),
  }),
  fault({
    id: 'profile/pep-text',
    breaks: ['DATA-16', 'DATA-17'],
    places: ['claim=pep', 'scope=profile.legalstatus'],
    title: 'pep at profile is a string',
    nestedJwt: claims('profile', value('pep', String)),
  }),
  fault({
    id: 'profile/nationality-text',
    breaks: ['DATA-16', 'DATA-17'],
    places: ['claim=nationalities', 'scope=profile.birthplaceNationality'],
    title: 'The only nationality at profile is a string in place of a list',
    nestedJwt: claims(
      'profile',
      value('nationalities', (all) => ((all as unknown[]).length === 1 ? (all as unknown[])[0] : all)),
    ),
  }),
  fault({
    id: 'profile/birthdate-local',
    breaks: ['DATA-16', 'DATA-17'],
    places: ['claim=birthdate', 'scope=profile.birthdate'],
    title: 'The birthdate at profile is written day first',
    nestedJwt: claims(
      'profile',
      value('birthdate', (date) => String(date).split('-').reverse().join('.')),
    ),
  }),
  // What published samples show.
  fault({
    id: 'profile/updated-at-milliseconds',
    breaks: ['DATA-16', 'DATA-17'],
    places: ['claim=updated_at', 'scope=profile.updatedat'],
    title: 'updated_at of profile is in milliseconds',
    nestedJwt: claims('profile', value('updated_at', inMilliseconds)),
  }),
  fault({
    id: 'profile/phone-number-without-plus',
    breaks: ['DATA-16', 'DATA-17'],
    places: ['claim=phone_number', 'scope=profile.phonenumber'],
    title: 'The telephone number of profile begins without +',
    nestedJwt: claims('profile', value('phone_number', withoutPlus)),
  }),
  fault({
    id: 'profile/verification-time-null',
    breaks: ['DATA-6', 'DATA-10'],
    places: ['member=time'],
    title: 'The time of the verification at profile is null',
    nestedJwt: claims('profile', timeOfVerification(null)),
  }),
  fault({
    id: 'profile/verification-time-empty',
    breaks: ['DATA-6', 'DATA-17'],
    places: ['member=time'],
    title: 'The time of the verification at profile is an empty object',
    nestedJwt: claims('profile', timeOfVerification({})),
  }),
  fault({
    id: 'profile/verified-claims-without-verification',
    breaks: ['DATA-6', 'DATA-17'],
    places: ['member=verification', 'claim=verified_claims'],
    title: 'verified_claims of profile hold no verification',
    collateral: { 'profile/nothing-else': 'the claims that were checked come with them, as published (AMB-50)' },
    nestedJwt: claims(
      'profile',
      value('verified_claims', () => ({ claims: {} })),
    ),
  }),
  fault({
    id: 'profile/country-alpha3',
    breaks: ['DATA-16', 'DATA-17'],
    places: ['member=country claim=addresses', 'scope=profile.addresses'],
    title: 'Countries of addresses at profile have three letters',
    nestedJwt: claims(
      'profile',
      value('addresses', (all) => (all as object[]).map((one) => ({ ...one, country: 'CZE' }))),
    ),
  }),
]
