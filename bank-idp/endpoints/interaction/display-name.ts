import type { Person } from '../../../fixtures/people.js'

/** The name under which a page shows a person. */
export function displayName({ claims, login }: Person): string {
  return typeof claims.name === 'string' ? claims.name : login
}
