import type { JWTPayload } from 'jose'
import { now } from '../clock.js'
import { type Fault, fault, omit } from './fault.js'
import { claims, type Endpoint, granted, value } from './user-data-claims.js'

/** Mistakes about the value of a claim, which show at people for whom it matters. */

type Change = (claims: JWTPayload) => JWTPayload

/** A mistake at an endpoint, and the places where it shows. */
type Row = readonly [slug: string, title: string, breaks: readonly string[], places: readonly string[], change: Change]

const list = (name: string, change: (list: unknown[]) => unknown[]): Change =>
  value(name, (all) => change(all as unknown[]))

/** Changes each element of a list of objects. */
const each = (name: string, change: (one: Record<string, unknown>) => Record<string, unknown>): Change =>
  list(name, (all) => all.map((one) => change(one as Record<string, unknown>)))

/** The change of a member where it comes. */
const member =
  (name: string, change: (value: unknown) => unknown) =>
  (one: Record<string, unknown>): Record<string, unknown> =>
    name in one ? { ...one, [name]: change(one[name]) } : one

const lost =
  (...names: string[]): Change =>
  (all) =>
    omit(all, ...names)

/** A change for those who lack a claim that was granted. */
const whereLacking =
  (name: string, scope: string, change: Change): Change =>
  (all) =>
    granted(all, scope) && !(name in all) ? change(all) : all

const spaced = (iban: unknown) => String(iban).replace(/(.{4})(?=.)/g, '$1 ')

const known = ['DATA-16']
const shape = ['DATA-16', 'DATA-17']

// Swedish writes dates as YYYY-MM-DD.
const days = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Prague' })

/** What a birthday makes of the years since the birth, by the bank's day. */
function aged(yearsOf: (birthdate: string, day: string) => number): Change {
  return (all) => {
    if (typeof all.birthdate !== 'string' || typeof all.age !== 'number' || 'date_of_death' in all) return all
    const age = yearsOf(all.birthdate, days.format(new Date(now())))
    return { ...all, age, ...('majority' in all && { majority: age >= 18 }) }
  }
}

const yearOf = (day: string) => Number(day.slice(0, 4))

const profileRows: readonly Row[] = [
  // Types and shapes.
  [
    'gender-capital',
    'The gender at profile begins with a capital',
    shape,
    ['scope=profile.gender', 'claim=gender'],
    value('gender', (word) => String(word).replace(/^./, (letter) => letter.toUpperCase())),
  ],
  [
    'birth-number-as-number',
    'The birth number at profile is a number',
    shape,
    ['scope=profile.birthnumber', 'claim=birthnumber'],
    value('birthnumber', Number),
  ],
  [
    'marital-status-lower-case',
    'The marital status at profile is in lower case',
    shape,
    ['scope=profile.maritalstatus', 'claim=maritalstatus'],
    value('maritalstatus', (word) => String(word).toLowerCase()),
  ],
  [
    'iban-with-spaces',
    'Payment accounts at profile are in groups of four',
    shape,
    ['scope=profile.paymentAccounts', 'claim=paymentAccounts'],
    list('paymentAccounts', (all) => all.map(spaced)),
  ],
  [
    'majority-text',
    'majority at profile is a string',
    shape,
    ['scope=profile.legalstatus', 'claim=majority'],
    value('majority', String),
  ],
  [
    'zipcode-number',
    'The postal code of addresses at profile is a number',
    shape,
    ['scope=profile.addresses', 'member=zipcode claim=addresses'],
    each('addresses', member('zipcode', Number)),
  ],
  [
    'card-valid-to-time',
    'The validity of identity cards at profile ends at a time of the day',
    shape,
    ['scope=profile.idcards', 'member=valid_to claim=idcards'],
    each(
      'idcards',
      member('valid_to', (day) => `${day}T00:00:00Z`),
    ),
  ],
  [
    'card-number-as-number',
    'Numbers of identity cards at profile are numbers',
    shape,
    ['scope=profile.idcards', 'member=number claim=idcards'],
    each('idcards', member('number', Number)),
  ],
  [
    'passport-by-word',
    'A passport at profile is of type PASSPORT',
    shape,
    ['scope=profile.idcards', 'member=type claim=idcards'],
    each(
      'idcards',
      member('type', (type) => (type === 'P' ? 'PASSPORT' : type)),
    ),
  ],
  [
    'rare-card-other',
    'An identity card of a rare kind is of type OTHER at profile',
    shape,
    ['person=rare-idcards'],
    each(
      'idcards',
      member('type', (type) => (['ID', 'P', 'DL', 'IR', 'VS', 'OP', 'IE'].includes(String(type)) ? type : 'OTHER')),
    ),
  ],
  [
    'death-at-midnight',
    'The date of death at profile is a time',
    shape,
    ['person=deceased'],
    value('date_of_death', (day) => `${day}T00:00:00Z`),
  ],
  // Values.
  [
    'titles-exchanged',
    'profile takes titles before the name for those after it',
    known,
    ['scope=profile.titles'],
    ({ title_prefix, title_suffix, ...others }) => ({
      ...others,
      ...(title_prefix !== undefined && { title_suffix: title_prefix }),
      ...(title_suffix !== undefined && { title_prefix: title_suffix }),
    }),
  ],
  [
    'no-birthplace',
    'profile leaves out the place of birth',
    known,
    ['scope=profile.birthplaceNationality'],
    lost('birthplace'),
  ],
  [
    'local-part',
    'The e-mail address at profile is at another host',
    known,
    ['scope=profile.email'],
    value('email', (address) => String(address).replace(/@.*/, '@example.org')),
  ],
  [
    'first-account-only',
    'profile holds one payment account of several',
    known,
    ['claim=paymentAccounts value=second'],
    list('paymentAccounts', (all) => all.slice(0, 1)),
  ],
  [
    'first-card-twice',
    'profile holds the first identity card twice',
    known,
    ['claim=idcards value=repeated'],
    list('idcards', (all) => [...all, ...all.slice(0, 1)]),
  ],
  // People.
  [
    'no-birth-number-without-gender',
    'profile holds no birth number of a person whose gender is not known',
    known,
    ['person=sparse'],
    whereLacking('gender', 'profile.gender', lost('birthnumber')),
  ],
  ['no-death', 'profile does not tell that somebody has died', known, ['person=deceased'], lost('date_of_death')],
  [
    'age-by-year',
    'profile reckons the age by years alone',
    known,
    ['person=comes-of-age-tomorrow'],
    aged((birthdate, day) => yearOf(day) - yearOf(birthdate)),
  ],
  [
    'age-after-birthday',
    'profile has people grow older on the day after their birthday',
    known,
    ['person=of-age-today'],
    aged((birthdate, day) => yearOf(day) - yearOf(birthdate) - (day.slice(5) <= birthdate.slice(5) ? 1 : 0)),
  ],
  [
    'majority-at-fifteen',
    'profile has people come of age at fifteen',
    known,
    ['person=under-age'],
    (all) => ('majority' in all && typeof all.age === 'number' ? { ...all, majority: all.age >= 15 } : all),
  ],
  [
    'first-address-only',
    'profile holds one address of several',
    known,
    ['person=two-addresses'],
    list('addresses', (all) => all.slice(0, 1)),
  ],
  [
    'two-cards-at-most',
    'profile holds two identity cards at most',
    known,
    ['person=several-idcards'],
    list('idcards', (all) => all.slice(0, 2)),
  ],
  [
    'first-nationality-only',
    'profile holds the first of several nationalities',
    known,
    ['person=several-nationalities'],
    list('nationalities', (all) => all.slice(0, 1)),
  ],
  [
    'first-nationality-primary',
    'profile takes the first nationality for the primary one',
    known,
    ['person=primary-nationality-not-first'],
    (all) => (Array.isArray(all.nationalities) ? { ...all, primary_nationality: all.nationalities[0] } : all),
  ],
  [
    'three-accounts-at-most',
    'profile holds three payment accounts at most',
    known,
    ['person=several-payment-accounts'],
    list('paymentAccounts', (all) => all.slice(0, 3)),
  ],
  ['nobody-exposed', 'profile takes nobody for politically exposed', known, ['person=pep'], value('pep', () => false)],
  [
    'everybody-capable',
    'profile takes nobody for limited in legal capacity',
    known,
    ['person=limited-legal-capacity'],
    value('limited_legal_capacity', () => false),
  ],
  [
    'two-genders',
    'profile leaves out a gender that is neither male nor female',
    known,
    ['person=gender-other'],
    (all) => (all.gender === 'other' ? omit(all, 'gender') : all),
  ],
  [
    'no-birthplace-without-birth-number',
    'profile holds no place of birth of a person without a birth number',
    known,
    ['person=without-birthnumber'],
    whereLacking('birthnumber', 'profile.birthnumber', lost('birthplace')),
  ],
  [
    'birth-number-of-ten',
    'profile makes ten digits of a birth number of nine',
    known,
    ['person=no-email'],
    value('birthnumber', (number) => String(number).padEnd(10, '0')),
  ],
  // What has no value.
  [
    'null-birth-number',
    'profile holds null for a birth number that there is none of',
    ['DATA-10'],
    ['person=without-birthnumber'],
    whereLacking('birthnumber', 'profile.birthnumber', (all) => ({ ...all, birthnumber: null })),
  ],
  [
    'empty-email',
    'profile holds an empty string for an e-mail address that there is none of',
    ['DATA-10'],
    ['person=no-email'],
    whereLacking('email', 'profile.email', (all) => ({ ...all, email: '' })),
  ],
  [
    'null-in-address',
    'Addresses at profile hold null for a street that there is none of',
    ['DATA-10'],
    ['member=inner'],
    each('addresses', (one) => ({ streetnumber: null, ...one })),
  ],
  // Openid alone, and one claim too many.
  [
    'age-for-legal-status',
    'profile holds the age for profile.legalstatus',
    ['DATA-4'],
    ['scope=profile.legalstatus'],
    (all) => (granted(all, 'profile.legalstatus') && !('age' in all) ? { ...all, age: 41 } : all),
  ],
  [
    'openid-gives-gender',
    'profile holds the gender for openid alone',
    ['DATA-5'],
    ['endpoint=profile token=access-of-code', 'endpoint=profile token=access-of-refresh'],
    (all) => (/:openid$/.test(String(all.txn)) ? { ...all, gender: 'female' } : all),
  ],
  [
    'no-sub',
    'profile holds no sub',
    ['DATA-5', 'DATA-9'],
    ['endpoint=profile member=sub', 'endpoint=profile part=sub'],
    lost('sub'),
  ],
]

const ofUserinfo = ['DATA-15']

const userinfoRows: readonly Row[] = [
  [
    'no-email-verified',
    'userinfo does not tell whether the e-mail address was verified',
    ofUserinfo,
    ['scope=profile.email'],
    lost('email_verified'),
  ],
  [
    'zone-of-nobody',
    'The time zone of userinfo is UTC, whatever is known',
    ofUserinfo,
    ['scope=profile.zoneinfo'],
    value('zoneinfo', () => 'Etc/UTC'),
  ],
  [
    'language-alone',
    'The locale of userinfo is the language alone',
    ofUserinfo,
    ['scope=profile.locale'],
    value('locale', (locale) => String(locale).slice(0, 2)),
  ],
  [
    'locale-underscore',
    'The locale of userinfo has an underscore where it is known with a dash',
    ofUserinfo,
    ['person=locale-with-dash'],
    value('locale', (locale) => String(locale).replace('-', '_')),
  ],
  [
    'no-given-name-without-nickname',
    'userinfo holds no given name of a person without a nickname',
    ofUserinfo,
    ['person=sparse'],
    whereLacking('nickname', 'profile.name', lost('given_name')),
  ],
  [
    'name-cut',
    'userinfo cuts a name after 64 characters',
    ofUserinfo,
    ['person=long-names'],
    value('name', (name) => String(name).slice(0, 64)),
  ],
  [
    'letters-lost',
    'userinfo has no letters for names but those of central Europe',
    ofUserinfo,
    ['person=diacritics', 'person=non-latin'],
    value('name', (name) => String(name).replace(/[^\u0020-\u017f]/g, '?')),
  ],
  [
    'no-single-name',
    'userinfo holds no family name of a person without a given name',
    ofUserinfo,
    ['person=one-name'],
    whereLacking('given_name', 'profile.name', lost('family_name')),
  ],
  [
    'email-lower-case',
    'The e-mail address of userinfo is in lower case',
    ofUserinfo,
    ['person=email-with-capitals'],
    value('email', (address) => String(address).toLowerCase()),
  ],
  [
    'email-always-verified',
    'userinfo takes every e-mail address for verified',
    ofUserinfo,
    ['person=email-unverified'],
    value('email_verified', () => true),
  ],
  [
    'openid-without-txn',
    'userinfo holds no txn for openid alone',
    ['DATA-5'],
    ['endpoint=userinfo member=txn'],
    (all) => (/:openid$/.test(String(all.txn)) ? omit(all, 'txn') : all),
  ],
]

/** Rules of other requirements that a row makes fail too, and why. */
const collateral: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'profile/no-sub': { 'profile/shapes': 'sub always comes', 'profile/everyone-shapes': 'sub always comes' },
}

const faultsOf = (endpoint: Endpoint, rows: readonly Row[]): Fault[] =>
  rows.map(([slug, title, breaks, places, change]) => {
    const id = `${endpoint}/${slug}`
    return fault({
      id,
      breaks,
      places,
      title,
      ...(collateral[id] && { collateral: collateral[id] }),
      nestedJwt: claims(endpoint, change),
    })
  })

/** Mistakes about values, each at one endpoint. */
export const userDataValueFaults: readonly Fault[] = [
  ...faultsOf('userinfo', userinfoRows),
  ...faultsOf('profile', profileRows),
]
