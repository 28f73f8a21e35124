import type { BankFacts } from '../seams.js'
import { type FaultRow, faultsOf } from './fault-table.js'

/** What is known where a parameter is read. */
type Facts = Pick<BankFacts, 'scopes'>

/** A parameter of /auth that the bank reads more leniently than it may: it is repaired before the bank looks at it. */
export interface Leniency extends FaultRow {
  repair: (parameters: URLSearchParams, bank: Facts) => void
}

/** The rows of a table of leniencies as faults. */
export const leniencyFaults = (leniencies: readonly Leniency[]) =>
  faultsOf(leniencies, ({ repair }) => ({ request: { 'GET /auth': repair } }))

/** Puts in place of what a parameter says what it is taken for; undefined leaves it out. One that is repeated stays as it is. */
export function meant(name: string, takenFor: (given: string, bank: Facts) => string | undefined): Leniency['repair'] {
  return (parameters, bank) => {
    const given = parameters.get(name)
    if (given === null || parameters.getAll(name).length > 1) return
    const taken = takenFor(given, bank)
    if (taken === undefined) parameters.delete(name)
    else if (taken !== given) parameters.set(name, taken)
  }
}

/** Puts one value in place of each that is not among the good. */
export const replaced = (name: string, value: string | undefined, isGood: (given: string) => boolean) =>
  meant(name, (given) => (isGood(given) ? given : value))

/** Takes a request without a parameter for one with it. */
export function filledIn(name: string, value: string): Leniency['repair'] {
  return (parameters) => {
    if (!parameters.has(name)) parameters.set(name, value)
  }
}

/** A repair of some requests alone. */
export function where(
  isMeant: (parameters: URLSearchParams) => boolean,
  repair: Leniency['repair'],
): Leniency['repair'] {
  return (parameters, bank) => {
    if (isMeant(parameters)) repair(parameters, bank)
  }
}

/** Takes a word out of a space-separated parameter. */
export function withoutWord(name: string, word: string): Leniency['repair'] {
  return (parameters) => {
    const values = words(parameters.get(name) ?? '')
    if (!values.includes(word)) return
    const left = values.filter((one) => one !== word)
    if (left.length === 0) parameters.delete(name)
    else parameters.set(name, left.join(' '))
  }
}

export const words = (text: string) => text.split(' ')
export const lowerCase = (given: string) => given.toLowerCase()
export const commasAsSpaces = (given: string) => given.replaceAll(',', ' ')

/** The words of a list, each replaced; an empty one left out. */
export const each = (change: (word: string) => string) => (given: string) =>
  words(given)
    .map(change)
    .filter((word) => word !== '')
    .join(' ')

/** Whether each word of a list is among the good. */
export const among =
  (...good: string[]) =>
  (given: string) =>
    words(given).every((word) => good.includes(word))

/** What some value is refused for is let pass where it resembles one of these. */
export const completed = (known: readonly string[]) => (given: string) =>
  known.find((one) => one.startsWith(given)) ?? given
export const shortened = (known: readonly string[]) => (given: string) =>
  known.find((one) => given.startsWith(one)) ?? given

/** Parameters that some requests are not judged by, and what holds of them then. */
export const uncheckedParameters: readonly { slug: string; requirement: string; repair: Leniency['repair'] }[] = [
  { slug: 'state', requirement: 'AUTH-8', repair: filledIn('state', 'none') },
  { slug: 'nonce', requirement: 'AUTH-9', repair: filledIn('nonce', 'none') },
  { slug: 'scope', requirement: 'AUTH-10', repair: filledIn('scope', 'openid') },
  {
    slug: 'openid',
    requirement: 'AUTH-11',
    repair: meant('scope', (given) => (/\bopenid\b/.test(given) ? given : `openid ${given}`)),
  },
  {
    slug: 'unsupported-scope',
    requirement: 'AUTH-12',
    repair: meant('scope', (given, { scopes }) => each((scope) => (scopes.includes(scope) ? scope : ''))(given)),
  },
  {
    slug: 'display',
    requirement: 'AUTH-13',
    repair: replaced('display', undefined, among('page', 'popup', 'touch')),
  },
  { slug: 'acr-values', requirement: 'AUTH-15', repair: replaced('acr_values', undefined, among('loa2', 'loa3')) },
  { slug: 'max-age', requirement: 'AUTH-16', repair: replaced('max_age', undefined, (given) => /^\d+$/.test(given)) },
  { slug: 'response-mode', requirement: 'AUTH-17', repair: replaced('response_mode', undefined, among('query')) },
  {
    slug: 'ui-locales',
    requirement: 'AUTH-18',
    repair: replaced('ui_locales', undefined, (given) => /^[\w -]+$/.test(given)),
  },
  { slug: 'registration', requirement: 'AUTH-20', repair: meant('registration', () => undefined) },
]
