import type { JWTPayload } from 'jose'
import type { BankFacts } from '../seams.js'

/** The claims by which one person is told from another. */
const identifying = ['name', 'given_name', 'family_name', 'birthdate', 'birthnumber'] as const

/** The name and the birth of another of the bank's people. */
export function ofSomebodyElse(own: JWTPayload, { people }: BankFacts): JWTPayload {
  const given = identifying.filter((name) => name in own)
  for (const { claims } of people.identities()) {
    const other = given.map((name) => [name, claims[name]] as const)
    if (other.every(([name, value]) => value !== undefined && value !== own[name]))
      return { ...own, ...Object.fromEntries(other) }
  }
  return own
}
