import type { Person } from '../../fixtures/people.js'
import type { People } from '../people.js'
import type { KnownPeople } from './known-people.js'
import type { MadePeople } from './made-people.js'
import type { RememberedTable } from './shared-state.js'

/** What each replica remembers of people: who was made and removed (by login name), and what was changed of them (by the id of an identity). */
export function rememberedPeople(
  people: People,
  madePeople: MadePeople,
  known: KnownPeople,
): { made: RememberedTable; claims: RememberedTable } {
  const claims = async (id: string) => {
    const row = await known.find(id)
    if (row) people.know(id, row.claims)
  }
  const made = async (login: string, person: Person | null | undefined) => {
    if (person === undefined) return
    people.takeUp(login, person)
    for (const { id } of person ? [person, ...(person.accounts ?? [])] : []) await claims(id)
  }
  return {
    made: {
      changed: async (login) => made(login, await madePeople.find(login)),
      async reload() {
        for (const [login, person] of await madePeople.all()) await made(login, person)
      },
    },
    claims: {
      changed: claims,
      async reload() {
        for (const { personId, claims } of (await known.all()).values()) people.know(personId, claims)
      },
    },
  }
}
