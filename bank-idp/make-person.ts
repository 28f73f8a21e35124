import type { Claims, Person } from '../fixtures/people.js'
import { BankError } from './errors.js'
import { withChanges } from './next-logins.js'
import type { People } from './people.js'
import { personProblem } from './tell-violation.js'

/** Somebody who is to be able to log in. */
export interface NewPerson {
  /** Lower-case letters, digits and hyphens. */
  login: string
  /** Default: the login name and `-secret`. */
  password?: string
  /** Login name of the person whose claims and level they have, as far as nothing else is said. */
  like?: string
  /** By their names on the wire; null takes one away that {@link NewPerson.like} brings along. */
  claims?: Record<string, unknown>
  /** The highest level that they can reach. Default: loa3. */
  acr?: 'loa2' | 'loa3'
  /** How each login of theirs ends. */
  behaviour?: 'not-eligible' | 'switched-off'
}

/** {@link NewPerson} as JSON Schema (draft 2020-12): members and which of them are required. */
export const newPersonSchema = {
  required: ['login'],
  properties: {
    login: { type: 'string', description: 'A login name: lower-case letters, digits and hyphens.' },
    password: { type: 'string', description: 'Default: the login name and -secret.' },
    like: { type: 'string', description: 'Login name of the person whose claims and level they have.' },
    claims: { type: 'object', description: 'Claims by their names on the wire; null takes one away.' },
    acr: { enum: ['loa2', 'loa3'], description: 'The highest level that they can reach.' },
    behaviour: { enum: ['not-eligible', 'switched-off'], description: 'How each login of theirs ends.' },
  },
} as const

/** What is known of somebody of whom nothing is said. */
function unsaid(login: string, updatedAt: number): Omit<Person, 'id' | 'login' | 'password'> {
  return {
    reason: 'Was made for a test.',
    reason_cs: 'Osoba vytvořená pro testování.',
    kinds: ['made'],
    acr: 'loa3',
    amr: ['pwd', 'swk', 'mfa'],
    claims: {
      name: login,
      birthdate: '1990-01-31',
      pep: false,
      limited_legal_capacity: false,
      updated_at: updatedAt,
    },
    verified: { verification: { trust_framework: 'cz_aml', verification_process: '99010429' }, claims: [] },
  }
}

export function loginTaken(login: string): BankError {
  return new BankError('invalid_request', `login: there is a person '${login}' already`)
}

/**
 * Makes a person: what is left out is as of the person that they are like, or filled in.
 *
 * @param updatedAt when this became known of them, in seconds since the epoch
 * @throws {BankError} saying what is wrong: the login name is taken, a claim is none
 */
export function makePerson(
  people: Pick<People, 'byLogin' | 'named'>,
  given: NewPerson,
  { id, updatedAt }: { id: string; updatedAt: number },
): Person {
  const { login, password = `${login}-secret`, like, claims: changes = {}, acr, behaviour } = given
  if (people.byLogin(login)) throw loginTaken(login)
  const { accounts: _, reckonedFrom: __, ...model } = like === undefined ? unsaid(login, updatedAt) : people.named(like)
  const known: Claims = withChanges({ ...model.claims, updated_at: updatedAt }, changes)
  const { verification, claims: verified } = model.verified
  const person: Person = {
    ...model,
    ...(acr && { acr }),
    ...(behaviour && { behaviour }),
    id,
    login,
    password,
    ...(like !== undefined && {
      reason: `Was made for a test, like ${like}.`,
      reason_cs: `Osoba vytvořená pro testování podle osoby ${like}.`,
    }),
    claims: known,
    // What was said of them now nobody has checked.
    verified: { verification, claims: verified.filter((name) => name in known && !(name in changes)) },
  }
  const problem = personProblem(person)
  if (problem !== undefined) throw new BankError('invalid_request', problem)
  return person
}
