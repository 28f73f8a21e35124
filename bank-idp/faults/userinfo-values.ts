import { lost, value, whereLacking } from './claim-changes.js'
import { ofSomebodyElse } from './somebody-else.js'
import { type ClaimRow, claimFaults } from './user-data-seam.js'

/** What userinfo leaves out, or tells otherwise than it is known. */

const shape = ['DATA-15', 'DATA-17']

const claims: readonly ClaimRow[] = [
  {
    slug: 'claim-missing',
    places: ['scope=profile.name'],
    title: 'userinfo leaves out the middle name',
    change: lost('middle_name'),
  },
  {
    slug: 'somebody-else',
    places: ['scope=profile.birthdate'],
    title: "userinfo holds another person's name and birthdate",
    change: ofSomebodyElse,
  },
  {
    slug: 'updated-at-text',
    breaks: shape,
    places: ['scope=profile.updatedat'],
    title: 'updated_at of userinfo is an ISO 8601 timestamp',
    change: value('updated_at', (seconds) => new Date(Number(seconds) * 1000).toISOString()),
  },
  {
    slug: 'updated-at-milliseconds',
    breaks: shape,
    places: ['scope=profile.updatedat'],
    title: 'updated_at of userinfo is in milliseconds',
    change: value('updated_at', (seconds) => Number(seconds) * 1000),
  },
  {
    slug: 'phone-number-without-plus',
    breaks: shape,
    places: ['scope=profile.phonenumber'],
    title: 'The telephone number of userinfo begins without +',
    change: value('phone_number', (number) => String(number).replace('+', '')),
  },
  {
    slug: 'no-email-verified',
    places: ['scope=profile.email'],
    title: 'userinfo does not tell whether the e-mail address was verified',
    change: lost('email_verified'),
  },
  {
    slug: 'zone-of-nobody',
    places: ['scope=profile.zoneinfo'],
    title: 'The time zone of userinfo is UTC, whatever is known',
    change: value('zoneinfo', () => 'Etc/UTC'),
  },
  {
    slug: 'language-alone',
    places: ['scope=profile.locale'],
    title: 'The locale of userinfo is the language alone',
    change: value('locale', (locale) => String(locale).slice(0, 2)),
  },
]

/** What shows at people for whom it matters. */
const people: readonly ClaimRow[] = [
  {
    slug: 'locale-underscore',
    places: ['person=locale-with-dash'],
    title: 'The locale of userinfo has an underscore where it is known with a dash',
    change: value('locale', (locale) => String(locale).replace('-', '_')),
  },
  {
    slug: 'no-given-name-without-nickname',
    places: ['person=sparse'],
    title: 'userinfo holds no given name of a person without a nickname',
    change: whereLacking('nickname', 'profile.name', lost('given_name')),
  },
  {
    slug: 'name-cut',
    places: ['person=long-names'],
    title: 'userinfo cuts a name after 64 characters',
    change: value('name', (name) => String(name).slice(0, 64)),
  },
  {
    slug: 'letters-lost',
    places: ['person=diacritics', 'person=non-latin'],
    title: 'userinfo has no letters for names but those of central Europe',
    change: value('name', (name) => String(name).replace(/[^\u0020-\u017f]/g, '?')),
  },
  {
    slug: 'no-single-name',
    places: ['person=one-name'],
    title: 'userinfo holds no family name of a person without a given name',
    change: whereLacking('given_name', 'profile.name', lost('family_name')),
  },
  {
    slug: 'email-lower-case',
    places: ['person=email-with-capitals'],
    title: 'The e-mail address of userinfo is in lower case',
    change: value('email', (address) => String(address).toLowerCase()),
  },
  {
    slug: 'email-always-verified',
    places: ['person=email-unverified'],
    title: 'userinfo takes every e-mail address for verified',
    change: value('email_verified', () => true),
  },
]

export const userinfoValueFaults = claimFaults('userinfo', ['DATA-15'], [...claims, ...people])
