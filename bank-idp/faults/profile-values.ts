import { list, lost, value } from './claim-changes.js'
import { ofSomebodyElse } from './somebody-else.js'
import { type ClaimRow, claimFaults } from './user-data-seam.js'

/** What profile leaves out, or tells otherwise than it is known; what shows at few people is in profile-people.ts. */

const rows: readonly ClaimRow[] = [
  {
    slug: 'claim-missing',
    places: ['scope=profile.birthnumber'],
    title: 'profile leaves out the birth number',
    change: lost('birthnumber'),
  },
  {
    slug: 'age-missing',
    places: ['scope=profile.birthdate'],
    title: 'profile holds the birthdate without the age',
    change: lost('age'),
  },
  {
    slug: 'no-birthplace',
    places: ['scope=profile.birthplaceNationality'],
    title: 'profile leaves out the place of birth',
    change: lost('birthplace'),
  },
  {
    slug: 'somebody-else',
    places: ['scope=profile.name'],
    title: "profile holds another person's name, birthdate and birth number",
    change: ofSomebodyElse,
  },
  {
    slug: 'titles-exchanged',
    places: ['scope=profile.titles'],
    title: 'profile takes titles before the name for those after it',
    change: ({ title_prefix, title_suffix, ...others }) => ({
      ...others,
      ...(title_prefix !== undefined && { title_suffix: title_prefix }),
      ...(title_suffix !== undefined && { title_prefix: title_suffix }),
    }),
  },
  {
    slug: 'local-part',
    places: ['scope=profile.email'],
    title: 'The e-mail address at profile is at another host',
    change: value('email', (address) => String(address).replace(/@.*/, '@example.org')),
  },
  {
    slug: 'first-account-only',
    places: ['claim=paymentAccounts value=second'],
    title: 'profile holds one payment account of several',
    change: list('paymentAccounts', (all) => all.slice(0, 1)),
  },
  {
    slug: 'first-card-only',
    places: ['claim=idcards value=second'],
    title: 'profile holds one identity card of several',
    change: list('idcards', (all) => all.slice(0, 1)),
  },
  {
    slug: 'first-card-twice',
    places: ['claim=idcards value=repeated'],
    title: 'profile holds the first identity card twice',
    change: list('idcards', (all) => [...all, ...all.slice(0, 1)]),
  },
]

export const profileValueFaults = claimFaults('profile', ['DATA-16'], rows)
