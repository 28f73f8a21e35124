import type { Person } from '../../fixtures/people.js'
import { capabilities } from '../capabilities.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'

/** How high a level stands among the bank's; -1 for one it does not know. */
function height(acr: string | undefined): number {
  return capabilities.acrValues.indexOf(String(acr))
}

/** Whether a login that reached one level satisfies another. */
export function satisfies(reached: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || height(reached) >= height(wanted)
}

/**
 * The level to reach for a person: the first of the wanted ones, by the order of preference, that the person can reach.
 *
 * @param values acr_values, space-separated (OpenID Connect Core section 3.1.2.1)
 * @returns undefined when nothing is wanted; 'unreachable' when the person can reach none of what is wanted
 */
export function acrToReach(values: string | undefined, person: Person): string | 'unreachable' | undefined {
  const wanted = parseSpaceDelimited(values).filter((value) => height(value) >= 0)
  if (wanted.length === 0) return undefined
  return wanted.find((value) => satisfies(person.acr, value)) ?? 'unreachable'
}
