import { isDeepStrictEqual } from 'node:util'
import { isObject } from './claims.js'

/** The claims that are changed, by the scope that leads to them. */
export const changedClaims: Record<string, readonly string[]> = {
  'profile.email': ['email', 'email_verified'],
  'profile.phonenumber': ['phone_number'],
  'profile.name': ['name', 'nickname', 'middle_name', 'family_name', 'given_name', 'preferred_username'],
  'profile.gender': ['gender'],
  'profile.paymentAccounts': ['paymentAccounts'],
  'profile.addresses': ['addresses'],
  'profile.birthplaceNationality': ['nationalities', 'primary_nationality', 'birthplace'],
  'profile.birthdate': ['birthdate', 'age'],
  'profile.titles': ['title_prefix', 'title_suffix'],
  'profile.idcards': ['idcards'],
  'profile.maritalstatus': ['maritalstatus'],
  'profile.zoneinfo': ['zoneinfo'],
  'profile.locale': ['locale'],
  'profile.legalstatus': ['pep', 'limited_legal_capacity'],
}

/** A further account of a person: an IBAN of the form that Czech banks have. */
const account = 'CZ6508000000192000145399'

/** A birthdate some years before another, 29 February too where these are a multiple of four. */
function yearsBefore(birthdate: string, years: number): string {
  return birthdate.replace(/^\d{4}/, (year) => String(Number(year) - years))
}

/** A birthdate of the same day by which somebody who is of age by another one is 12 to 16 years old, and else 20 years older. @param at in Unix seconds */
export function ofOtherMajority(birthdate: string, at: number): string {
  const age = new Date(at * 1000).getUTCFullYear() - Number(birthdate.slice(0, 4))
  return yearsBefore(birthdate, age > 18 ? -4 * Math.ceil((age - 16) / 4) : 20)
}

/**
 * What is changed of a person: text, a member within a list, an element more of one, a truth, capitals alone, a birthdate from which the
 * age follows, a claim that is taken away, and one that is new. The truth is told of a claim that stays: without a telephone number no
 * bank has to say whether it is verified.
 * @param before what is known of the person
 * @param word to be found in the new claims
 */
export function changesOf(before: Record<string, unknown>, word: string): Record<string, unknown> {
  const objects = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])
  const [first, ...others] = objects(before.addresses)
  const [card, ...cards] = objects(before.idcards)
  return {
    email: `${word.toLowerCase()}@conformance.example`,
    nickname: word,
    ...(typeof before.name === 'string' && { name: `${before.name} ${word}` }),
    ...(before.gender !== undefined && { gender: before.gender === 'other' ? 'female' : 'other' }),
    ...(Array.isArray(before.paymentAccounts) && { paymentAccounts: before.paymentAccounts.concat(account) }),
    ...(first && { addresses: [{ ...first, street: word }, ...others] }),
    ...(before.phone_number !== undefined && { phone_number: null }),
    ...(before.middle_name === undefined && { middle_name: word }),
    ...(typeof before.email_verified === 'boolean' && { email_verified: !before.email_verified }),
    ...(typeof before.family_name === 'string' && { family_name: before.family_name.toUpperCase() }),
    ...(typeof before.given_name === 'string' && { given_name: `${before.given_name} ${word}` }),
    ...(before.preferred_username !== undefined && { preferred_username: word }),
    ...(before.birthplace !== undefined && { birthplace: word }),
    ...(Array.isArray(before.nationalities) && { nationalities: [...before.nationalities, 'IS'] }),
    ...(Array.isArray(before.nationalities) &&
      before.primary_nationality !== undefined && { primary_nationality: 'IS' }),
    ...(typeof before.title_prefix === 'string' && { title_prefix: `${before.title_prefix} Ing.` }),
    ...(typeof before.title_suffix === 'string' && { title_suffix: `${before.title_suffix}, LL.M.` }),
    ...(card && { idcards: [{ ...card, issuer: word }, ...cards] }),
    ...(before.maritalstatus !== undefined && {
      maritalstatus: before.maritalstatus === 'DIVORCED' ? 'MARRIED' : 'DIVORCED',
    }),
    ...(before.zoneinfo !== undefined && {
      zoneinfo: before.zoneinfo === 'Europe/Vienna' ? 'Europe/Prague' : 'Europe/Vienna',
    }),
    ...(before.locale !== undefined && { locale: before.locale === 'en_US' ? 'cs_CZ' : 'en_US' }),
    ...(typeof before.pep === 'boolean' && { pep: !before.pep }),
    ...(typeof before.limited_legal_capacity === 'boolean' && {
      limited_legal_capacity: !before.limited_legal_capacity,
    }),
    // Whoever had an age has another one.
    ...(typeof before.birthdate === 'string' && { birthdate: yearsBefore(before.birthdate, 8) }),
  }
}

/** The names of the claims that are not what they were before; null: a claim is no longer known. */
export function namesOf(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return Object.keys({ ...before, ...after }).filter(
    (name) => !isDeepStrictEqual(before[name] ?? null, after[name] ?? null),
  )
}
