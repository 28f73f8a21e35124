import { type Account, loadPeople, type Person } from '../fixtures/people.js'
import { now } from './clock.js'
import { UsageError } from './errors.js'

/** The identities of a person who has several, each as a person of its own. */
function identities(person: Person): Person[] {
  return (person.accounts ?? []).map(({ id, claims }) => ({ ...person, id, claims }))
}

/** The people who can log in. */
export class People {
  readonly #all: readonly Person[]
  readonly #byId: ReadonlyMap<string, Person>
  readonly #byLogin: ReadonlyMap<string, Person>

  /**
   * @param directory of person files; the bundled people when left out
   * @throws {UsageError} with every mistake in the directory, a line each
   */
  constructor(directory?: string) {
    try {
      this.#all = loadPeople(directory, new Date(now()))
    } catch (error) {
      throw new UsageError((error as Error).message, { cause: error })
    }
    this.#byId = new Map(this.#all.flatMap((person) => [person, ...identities(person)]).map((one) => [one.id, one]))
    this.#byLogin = new Map(this.#all.map((person) => [person.login, person]))
  }

  all(): readonly Person[] {
    return this.#all
  }

  /** A person, or one of several identities of a person: the same with that identity's claims. */
  byId(id: string): Person | undefined {
    return this.#byId.get(id)
  }

  /** The identities that a person chooses from; none for one who has a single identity. */
  accountsOf(id: string): readonly Account[] {
    return this.#byId.get(id)?.accounts ?? []
  }

  /** Whether two ids belong to one person. */
  samePerson(one: string, other: string): boolean {
    const login = this.#byId.get(one)?.login
    return login !== undefined && login === this.#byId.get(other)?.login
  }

  byLogin(login: string): Person | undefined {
    return this.#byLogin.get(login)
  }
}
