import type { Person } from '../../../fixtures/people.js'

/** The name under which a page shows a person. */
export function displayName({ claims, login }: Person): string {
  return typeof claims.name === 'string' ? claims.name : login
}

/** What a page shows of a person before anyone is authenticated: who it is recognises the initials, and nobody else learns the name. */
export function initialsOf({ claims: { name, given_name, family_name } }: Person): string {
  const parts = [given_name, family_name].filter((part) => part !== undefined)
  return (parts.length > 0 ? parts : [name]).map((part) => `${Array.from(part)[0]}.`).join(' ')
}
