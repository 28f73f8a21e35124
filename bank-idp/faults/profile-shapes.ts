import { each, list, member, value } from './claim-changes.js'
import { type ClaimRow, claimFaults } from './user-data-seam.js'

/** Claims of profile in other types and shapes than those of the schema. */

/** Mistakes in a claim, which is the one of its scope that they are about. */
const claims: readonly ClaimRow[] = [
  {
    slug: 'gender-capital',
    places: ['scope=profile.gender', 'claim=gender'],
    title: 'The gender at profile begins with a capital',
    change: value('gender', (word) => String(word).replace(/^./, (letter) => letter.toUpperCase())),
  },
  {
    slug: 'birthdate-local',
    places: ['claim=birthdate', 'scope=profile.birthdate'],
    title: 'The birthdate at profile is written day first',
    change: value('birthdate', (date) => String(date).split('-').reverse().join('.')),
  },
  {
    slug: 'age-text',
    places: ['claim=age', 'scope=profile.birthdate'],
    title: 'The age at profile is a string',
    change: value('age', String),
  },
  {
    slug: 'birth-number-as-number',
    places: ['scope=profile.birthnumber', 'claim=birthnumber'],
    title: 'The birth number at profile is a number',
    change: value('birthnumber', Number),
  },
  {
    slug: 'nationality-text',
    places: ['claim=nationalities', 'scope=profile.birthplaceNationality'],
    title: 'The only nationality at profile is a string in place of a list',
    change: value('nationalities', (all) => (Array.isArray(all) && all.length === 1 ? all[0] : all)),
  },
  {
    slug: 'marital-status-lower-case',
    places: ['scope=profile.maritalstatus', 'claim=maritalstatus'],
    title: 'The marital status at profile is in lower case',
    change: value('maritalstatus', (word) => String(word).toLowerCase()),
  },
  {
    slug: 'iban-with-spaces',
    places: ['scope=profile.paymentAccounts', 'claim=paymentAccounts'],
    title: 'Payment accounts at profile are in groups of four',
    change: list('paymentAccounts', (all) => all.map((iban) => String(iban).replace(/(.{4})(?=.)/g, '$1 '))),
  },
  {
    slug: 'phone-number-without-plus',
    places: ['claim=phone_number', 'scope=profile.phonenumber'],
    title: 'The telephone number of profile begins without +',
    change: value('phone_number', (number) => String(number).replace('+', '')),
  },
  {
    slug: 'updated-at-milliseconds',
    places: ['claim=updated_at', 'scope=profile.updatedat'],
    title: 'updated_at of profile is in milliseconds',
    change: value('updated_at', (seconds) => Number(seconds) * 1000),
  },
  {
    slug: 'majority-text',
    places: ['scope=profile.legalstatus', 'claim=majority'],
    title: 'majority at profile is a string',
    change: value('majority', String),
  },
  {
    slug: 'pep-text',
    places: ['claim=pep', 'scope=profile.legalstatus'],
    title: 'pep at profile is a string',
    change: value('pep', String),
  },
  {
    slug: 'death-at-midnight',
    places: ['person=deceased'],
    title: 'The date of death at profile is a time',
    change: value('date_of_death', (day) => `${day}T00:00:00Z`),
  },
]

/** Mistakes in the members of addresses. */
const addresses: readonly ClaimRow[] = [
  {
    slug: 'country-alpha3',
    places: ['member=country claim=addresses', 'scope=profile.addresses'],
    title: 'Countries of addresses at profile have three letters',
    change: each('addresses', (one) => ({ ...one, country: 'CZE' })),
  },
  {
    slug: 'zipcode-number',
    places: ['scope=profile.addresses', 'member=zipcode claim=addresses'],
    title: 'The postal code of addresses at profile is a number',
    change: each('addresses', member('zipcode', Number)),
  },
]

/** Mistakes in the members of identity cards. */
const idcards: readonly ClaimRow[] = [
  {
    slug: 'card-valid-to-time',
    places: ['scope=profile.idcards', 'member=valid_to claim=idcards'],
    title: 'The validity of identity cards at profile ends at a time of the day',
    change: each(
      'idcards',
      member('valid_to', (day) => `${day}T00:00:00Z`),
    ),
  },
  {
    slug: 'card-number-as-number',
    places: ['scope=profile.idcards', 'member=number claim=idcards'],
    title: 'Numbers of identity cards at profile are numbers',
    change: each('idcards', member('number', Number)),
  },
  {
    slug: 'passport-by-word',
    places: ['scope=profile.idcards', 'member=type claim=idcards'],
    title: 'A passport at profile is of type PASSPORT',
    change: each(
      'idcards',
      member('type', (type) => (type === 'P' ? 'PASSPORT' : type)),
    ),
  },
  {
    slug: 'rare-card-other',
    places: ['person=rare-idcards'],
    title: 'An identity card of a rare kind is of type OTHER at profile',
    change: each(
      'idcards',
      member('type', (type) => (['ID', 'P', 'DL', 'IR', 'VS', 'OP', 'IE'].includes(String(type)) ? type : 'OTHER')),
    ),
  },
]

export const profileShapeFaults = claimFaults('profile', ['DATA-16', 'DATA-17'], [...claims, ...addresses, ...idcards])
