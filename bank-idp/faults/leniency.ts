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
