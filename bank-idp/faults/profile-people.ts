import { now } from '../clock.js'
import { list, lost, value, whereLacking } from './claim-changes.js'
import { type Change, type ClaimRow, claimFaults } from './user-data-seam.js'

/** Mistakes of profile that show at people for whom they matter. */

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

/** By the kind of person. */
const rows: readonly (Omit<ClaimRow, 'places'> & { person: string })[] = [
  {
    slug: 'no-birth-number-without-gender',
    person: 'sparse',
    title: 'profile holds no birth number of a person whose gender is not known',
    change: whereLacking('gender', 'profile.gender', lost('birthnumber')),
  },
  {
    slug: 'no-death',
    person: 'deceased',
    title: 'profile does not tell that somebody has died',
    change: lost('date_of_death'),
  },
  {
    slug: 'age-by-year',
    person: 'comes-of-age-tomorrow',
    title: 'profile reckons the age by years alone',
    change: aged((birthdate, day) => yearOf(day) - yearOf(birthdate)),
  },
  {
    slug: 'age-after-birthday',
    person: 'of-age-today',
    title: 'profile has people grow older on the day after their birthday',
    change: aged((birthdate, day) => yearOf(day) - yearOf(birthdate) - (day.slice(5) <= birthdate.slice(5) ? 1 : 0)),
  },
  {
    slug: 'majority-at-fifteen',
    person: 'under-age',
    title: 'profile has people come of age at fifteen',
    change: (all) => ('majority' in all && typeof all.age === 'number' ? { ...all, majority: all.age >= 15 } : all),
  },
  {
    slug: 'first-address-only',
    person: 'two-addresses',
    title: 'profile holds one address of several',
    change: list('addresses', (all) => all.slice(0, 1)),
  },
  {
    slug: 'two-cards-at-most',
    person: 'several-idcards',
    title: 'profile holds two identity cards at most',
    change: list('idcards', (all) => all.slice(0, 2)),
  },
  {
    slug: 'first-nationality-only',
    person: 'several-nationalities',
    title: 'profile holds the first of several nationalities',
    change: list('nationalities', (all) => all.slice(0, 1)),
  },
  {
    slug: 'first-nationality-primary',
    person: 'primary-nationality-not-first',
    title: 'profile takes the first nationality for the primary one',
    change: (all) => (Array.isArray(all.nationalities) ? { ...all, primary_nationality: all.nationalities[0] } : all),
  },
  {
    slug: 'three-accounts-at-most',
    person: 'several-payment-accounts',
    title: 'profile holds three payment accounts at most',
    change: list('paymentAccounts', (all) => all.slice(0, 3)),
  },
  {
    slug: 'nobody-exposed',
    person: 'pep',
    title: 'profile takes nobody for politically exposed',
    change: value('pep', () => false),
  },
  {
    slug: 'everybody-capable',
    person: 'limited-legal-capacity',
    title: 'profile takes nobody for limited in legal capacity',
    change: value('limited_legal_capacity', () => false),
  },
  {
    slug: 'two-genders',
    person: 'gender-other',
    title: 'profile leaves out a gender that is neither male nor female',
    change: ({ gender, ...others }) => (gender === 'other' || gender === undefined ? others : { ...others, gender }),
  },
  {
    slug: 'no-birthplace-without-birth-number',
    person: 'without-birthnumber',
    title: 'profile holds no place of birth of a person without a birth number',
    change: whereLacking('birthnumber', 'profile.birthnumber', lost('birthplace')),
  },
  {
    slug: 'birth-number-of-ten',
    person: 'no-email',
    title: 'profile makes ten digits of a birth number of nine',
    change: value('birthnumber', (number) => String(number).padEnd(10, '0')),
  },
]

export const profilePersonFaults = claimFaults(
  'profile',
  ['DATA-16'],
  rows.map(({ person, ...row }) => ({ ...row, places: [`person=${person}`] })),
)
