import { openEdition } from '../../schemas/editions/index.js'

/** Whether what names these places is about one of a requirement's: it names it, or names none where there is that one alone. */
export function isAtPlace(named: readonly string[], requirement: string, place: string): boolean {
  const places = openEdition().placesOf(requirement)
  return named.includes(place) || (named.length === 0 && places.length === 1 && places[0]?.name === place)
}
