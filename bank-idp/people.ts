import { loadPeople, type Person } from '../fixtures/people.js'
import { now } from './clock.js'
import { UsageError } from './errors.js'

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
    this.#byId = new Map(this.#all.map((person) => [person.id, person]))
    this.#byLogin = new Map(this.#all.map((person) => [person.login, person]))
  }

  all(): readonly Person[] {
    return this.#all
  }

  byId(id: string): Person | undefined {
    return this.#byId.get(id)
  }

  byLogin(login: string): Person | undefined {
    return this.#byLogin.get(login)
  }
}
