import { type Account, bundledPeople, type Claims, loadPeople, type Person } from '../fixtures/people.js'
import { now } from './clock.js'
import { UsageError } from './errors.js'
import { matcher } from './matches.js'

/** Most people that a page or a file names; the others are there all the same. */
const maxIntroduced = 50

/** The people who can log in: the bundled ones, and those of a directory of one's own. */
export class People {
  readonly #byId: Map<string, Person>
  readonly #byLogin: Map<string, Person>
  readonly #introduced: readonly string[]
  readonly #loaded: readonly Person[]
  #watchers: (() => void)[] = []

  /**
   * @param directory of person files, to be added to the bundled people
   * @throws {UsageError} with every mistake in the directory, a line each
   */
  constructor(directory?: string) {
    let all: Person[]
    try {
      all = loadPeople(directory === undefined ? [bundledPeople] : [bundledPeople, directory], new Date(now()))
    } catch (error) {
      throw new UsageError((error as Error).message, { cause: error })
    }
    this.#loaded = all
    this.#byId = new Map()
    this.#byLogin = new Map()
    this.forget()
    this.#introduced = all.slice(0, maxIntroduced).map(({ login }) => login)
  }

  /** What was made known of people since they were loaded is not known any more. */
  forget(): void {
    for (const person of this.#loaded) {
      for (const one of identitiesOf(person)) this.#byId.set(one.id, one)
      this.#byLogin.set(person.login, person)
    }
  }

  all(): readonly Person[] {
    return [...this.#byLogin.values()]
  }

  /** Those that are named where people choose one: few enough to read. */
  introduced(): readonly Person[] {
    return this.#introduced.flatMap((login) => this.byLogin(login) ?? [])
  }

  /** Those whose login name, name or reason has every word that is searched for, whatever its case and its accents; without a word, all. */
  search(text: string): { found: number; introduced: readonly Person[] } {
    if (text.trim() === '') return { found: this.#byLogin.size, introduced: this.introduced() }
    const matches = matcher(text)
    const found = this.all().filter(({ login, claims, reason, reason_cs = '' }) =>
      matches([login, claims.name, reason, reason_cs].join(' ')),
    )
    return { found: found.length, introduced: found.slice(0, maxIntroduced) }
  }

  /** Everyone, and each of several identities of a person. */
  identities(): Iterable<Person> {
    return this.#byId.values()
  }

  /** The ids of all identities. */
  ids(): Iterable<string> {
    return this.#byId.keys()
  }

  /** From now on these are the claims of a person, or of an identity. */
  know(id: string, claims: Claims): void {
    const person = this.#byId.get(id)
    if (!person) return
    const known = { ...person, claims }
    this.#byId.set(id, known)
    if (this.#byLogin.get(person.login)?.id === id) this.#byLogin.set(person.login, known)
    for (const watcher of this.#watchers) watcher()
  }

  /** Calls back whenever something else is known of somebody: for what was written down of people. */
  watch(watcher: () => void): void {
    this.#watchers.push(watcher)
  }

  /** The person, or one of several identities of a person with the claims of that identity. */
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

function identitiesOf(person: Person): Person[] {
  const accounts = person.accounts ?? []
  return [person, ...accounts.map(({ id, claims }) => ({ ...person, id, claims }))]
}

/** Whether the state's basic register confirms who someone is: it does so for the living whom the bank has checked against it. */
export function confirmedByRegister({ claims, verified }: Person): boolean {
  return claims.date_of_death === undefined && verified.claims.length > 0
}
