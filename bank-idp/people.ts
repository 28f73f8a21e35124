import { type Account, bundledPeople, type Claims, loadPeople, type Person } from '../fixtures/people.js'
import { now } from './clock.js'
import { BankError, UsageError } from './errors.js'
import { matcher } from './matches.js'
import { didYouMean } from './nearest.js'
import { NextLogins } from './next-logins.js'

/** Most people that a page or a file names; the others are there all the same. */
const maxIntroduced = 50

/** The people who can log in: the bundled ones, those of a directory of one's own, and those who were made while the bank ran. */
export class People {
  #byId = new Map<string, Person>()
  #byLogin = new Map<string, Person>()
  readonly #loaded: readonly Person[]
  #watchers: (() => void)[] = []
  /** What is different about the next login of each. */
  readonly nextLogins = new NextLogins()

  /**
   * @param directory of person files, to be added to the bundled people
   * @throws {UsageError} with every mistake in the directory, a line each
   */
  constructor(directory?: string) {
    try {
      this.#loaded = loadPeople(directory === undefined ? [bundledPeople] : [bundledPeople, directory], new Date(now()))
    } catch (error) {
      throw new UsageError((error as Error).message, { cause: error })
    }
    this.forget()
  }

  /** Who was made, what was changed and who was removed since they were loaded is not known any more. @returns has it known again */
  forget(): () => void {
    const known = { byId: this.#byId, byLogin: this.#byLogin }
    this.#byId = new Map()
    this.#byLogin = new Map()
    for (const person of this.#loaded) this.#put(person)
    return () => {
      this.#byId = known.byId
      this.#byLogin = known.byLogin
    }
  }

  #put(person: Person): void {
    for (const one of identitiesOf(person)) this.#byId.set(one.id, one)
    this.#byLogin.set(person.login, person)
  }

  /** From now on there is somebody more. */
  add(person: Person): void {
    this.#put(person)
    this.#changed()
  }

  /** From now on there is somebody less, with all identities. */
  remove(login: string): void {
    const person = this.#byLogin.get(login)
    if (!person) return
    this.#byLogin.delete(login)
    for (const { id } of identitiesOf(person)) this.#byId.delete(id)
    this.nextLogins.forget(login)
    this.#changed()
  }

  /** Takes up somebody as another replica has made them, in the place of who had the login name; null: as it has removed them. */
  takeUp(login: string, person: Person | null): void {
    const before = this.#byLogin.get(login)
    if (!person) this.remove(login)
    else {
      for (const { id } of before ? identitiesOf(before) : []) this.#byId.delete(id)
      this.add(person)
    }
  }

  /** Whether somebody has been there from the start with this password, and nobody was made at this bank in their place. */
  wasLoaded({ login, password }: Pick<Person, 'login' | 'password'>): boolean {
    return this.#loaded.some((person) => person.login === login && person.password === password)
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher()
  }

  all(): readonly Person[] {
    return [...this.#byLogin.values()]
  }

  /** Those that are named where people choose one: few enough to read. */
  introduced(): readonly Person[] {
    const introduced: Person[] = []
    for (const person of this.#byLogin.values()) {
      if (introduced.length === maxIntroduced) break
      introduced.push(person)
    }
    return introduced
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
    if (!person || person.claims === claims) return
    const known = { ...person, claims }
    this.#byId.set(id, known)
    if (this.#byLogin.get(person.login)?.id === id) this.#byLogin.set(person.login, known)
    this.#changed()
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

  /** @throws {BankError} not_found, with the login name that was meant */
  named(login: string): Person {
    const person = this.#byLogin.get(login)
    if (person) return person
    const meant = didYouMean(login, [...this.#byLogin.keys()])
    throw new BankError('not_found', `no person has the login name '${login}'${meant}`)
  }
}

function identitiesOf(person: Person): Person[] {
  const { accounts } = person
  if (!accounts) return [person]
  return [person, ...accounts.map(({ id, claims }) => ({ ...person, id, claims }))]
}

/** Whether the state's basic register confirms who someone is: it does so for the living whom the bank has checked against it. */
export function confirmedByRegister({ claims, verified }: Person): boolean {
  return claims.date_of_death === undefined && verified.claims.length > 0
}
