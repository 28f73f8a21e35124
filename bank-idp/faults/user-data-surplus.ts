import { each, whereGranted, whereOpenidAlone } from './claim-changes.js'
import { type ClaimRow, claimFaults, type Endpoint, endpoints } from './user-data-seam.js'

/** One claim too many. */

const always = {
  'user-data/openid-only': 'a claim that always comes also comes for openid alone',
  'user-data/scope-of-other-endpoint': 'a claim that always comes also comes where no scope leads to one',
  'user-data/notification-scope': 'a claim that always comes also comes for notification.claims_updated',
}

const inUserinfo: readonly ClaimRow[] = [
  {
    slug: 'unasked-claim',
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
      ...always,
    },
    change: (all) => ({ birthdate: '1985-04-17', ...all }),
  },
  {
    slug: 'claim-of-profile',
    places: ['scope=profile.birthdate'],
    title: 'userinfo holds the age for profile.birthdate',
    change: whereGranted('profile.birthdate', (all) => ({ ...all, age: 41 })),
  },
  {
    slug: 'verified-email',
    title: 'userinfo calls email_verified verified_email',
    change: ({ email_verified, ...others }) =>
      email_verified === undefined ? others : { ...others, verified_email: email_verified },
  },
  {
    slug: 'openid-gives-name',
    breaks: ['DATA-5'],
    places: ['endpoint=userinfo token=access-of-code', 'endpoint=userinfo token=access-of-refresh'],
    title: 'userinfo holds the name for openid alone',
    collateral: { 'token/refresh-openid-data': 'a token narrowed to openid is one for openid alone' },
    change: whereOpenidAlone((all) => ({ ...all, name: 'Mgr. Jana Marie Dvořáková, Ph.D.' })),
  },
  {
    slug: 'notification-claim',
    breaks: ['DATA-11'],
    places: ['endpoint=userinfo'],
    title: 'notification.claims_updated yields a claim of its name at userinfo',
    collateral: { 'discovery/declared-scopes': 'claims_supported has no claim of that name' },
    change: whereGranted('notification.claims_updated', (all) => ({ ...all, claims_updated: true })),
  },
]

const inProfile: readonly ClaimRow[] = [
  {
    slug: 'unasked-claim',
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
    collateral: always,
    change: (all) => ({ pep: false, ...all }),
  },
  {
    slug: 'claim-of-userinfo',
    places: ['scope=profile.name'],
    title: 'profile holds the whole name for profile.name, as userinfo does',
    change: whereGranted('profile.name', (all) => ({ ...all, name: 'Jana Dvořáková' })),
  },
  {
    slug: 'age-for-legal-status',
    places: ['scope=profile.legalstatus'],
    title: 'profile holds the age for profile.legalstatus',
    change: whereGranted('profile.legalstatus', (all) => ('age' in all ? all : { ...all, age: 41 })),
  },
  {
    slug: 'address-coordinates',
    breaks: ['DATA-4', 'DISC-21'],
    places: ['endpoint=profile'],
    title: 'profile holds coordinates with each address',
    collateral: { 'profile/shapes': 'the published form of an address has no further members' },
    change: each('addresses', (one) => ({ ...one, coordinates: '50.1, 14.4' })),
  },
  {
    slug: 'openid-gives-gender',
    breaks: ['DATA-5'],
    places: ['endpoint=profile token=access-of-code', 'endpoint=profile token=access-of-refresh'],
    title: 'profile holds the gender for openid alone',
    change: whereOpenidAlone((all) => ({ ...all, gender: 'female' })),
  },
  {
    slug: 'notification-claim',
    breaks: ['DATA-11'],
    places: ['endpoint=profile'],
    title: 'notification.claims_updated yields updated_at at profile',
    change: whereGranted('notification.claims_updated', (all) => ({ ...all, updated_at: 1735722000 })),
  },
]

/** A claim for the scope of notifications, where other scopes come with it. */
const besides = (endpoint: Endpoint): ClaimRow => ({
  slug: 'notification-claim-besides',
  breaks: ['DATA-11'],
  places: [`endpoint=${endpoint} scope=profile.email`],
  title: `Beside profile.email notification.claims_updated yields updated_at at ${endpoint}`,
  change: whereGranted(
    'notification.claims_updated',
    whereGranted('profile.email', (all) => ({ updated_at: 1735722000, ...all })),
  ),
})

export const userDataSurplusFaults = [
  ...endpoints.flatMap((endpoint) => claimFaults(endpoint, [], [besides(endpoint)])),
  ...claimFaults('userinfo', ['DATA-3'], inUserinfo),
  ...claimFaults('profile', ['DATA-4'], inProfile),
]
