import type { Person } from '../../fixtures/people.js'
import type { LoginOutcome } from '../callback-messages.js'
import type { NextLogin } from '../next-logins.js'
import type { Trouble } from '../troubles.js'
import type {
  LoginAnswer,
  LoginInput,
  MadeClient,
  MintedTokens,
  MintInput,
  NewClient,
  NewPerson,
  Snapshot,
} from './operation-data.js'
import type { Options } from './options.js'

/** Whom an operation acts for: a client as {@link BenchOperations.registerClient} gave it, or the client_id of any. */
export type WhichClient = string | Pick<MadeClient, 'client_id' | 'private_jwks'>

/** An input without whom it is about. */
export type Beside<Input> = Omit<Input, 'client_id' | 'login'>

/** What a login is asked for, beside client and person. */
export type LoginOptions = Options<Beside<LoginInput>>

/** The operations of the control API that are methods of a bank. Each throws a BankError that says what was meant. */
export interface BenchOperations {
  /** Makes keys, a certificate and a client, by the real registration; whatever is left out is filled in. */
  registerClient(options: Options<NewClient>): Promise<MadeClient>
  /**
   * Logs a person in without a browser: through the real /auth, its pages and /token. The bank need not listen.
   *
   * @param login name of the person
   * @throws {BankError} with the error that the client is told: access_denied where the person turns back
   */
  login(client: WhichClient, login: string, options?: LoginOptions): Promise<LoginAnswer>
  /**
   * Issues an access token, and with offline_access a refresh token, without a login: the bank knows them as its own at every endpoint.
   *
   * @param login name of the person
   * @param options expiresIn in seconds: less than 0 for a token that expired so long ago
   */
  mint(client: WhichClient, login: string, options?: Options<Beside<MintInput>>): Promise<MintedTokens>
  /** Makes a person who can log in: `{ login: 'ota', like: 'jana', claims: { email: 'ota@example.org' } }`. */
  createPerson(person: NewPerson): Promise<Person>
  /** Removes a person: all logins and tokens of theirs end. @param login name of the person */
  deletePerson(login: string): Promise<void>
  /** Blocks a person as a security risk, which ends all logins and tokens of theirs; with false they may log in again. */
  blockPerson(login: string, blocked?: boolean): Promise<void>
  /**
   * Has the next login of a person, at whatever client, tell other claims for as long as its tokens live, or end without a code when they
   * sign in. With `{}` it is as all others.
   *
   * @param login name of the person
   */
  nextLogin(login: string, next: NextLogin): Promise<void>
  /** Has the next login of a client end without a code, whoever signs in; null has it end as it does. */
  endNextLogin(client: WhichClient, outcome: LoginOutcome | null): Promise<void>
  /**
   * Has the next answers at a route come late, broken, with another status or body. What was asked is done all the same.
   *
   * @param route such as `POST /token`
   * @param trouble `{ status: 503, times: 2 }`, `{ delaySeconds: 3 }`, `{ broken: 'reset' }`; client is the client_id of the one that it concerns
   */
  trouble(route: string, trouble: Options<Omit<Trouble, 'route'>>): Promise<void>
  /**
   * Makes a bank in memory as new: no clients but those of its options, nobody logged in, no requests remembered, the faults of its start.
   * Its address, its keys and its clock, which is the process's, stay.
   */
  reset(): Promise<void>
  /** Remembers all that a bank in memory knows, with faults and outcomes; the last 10 are kept. The clock is no part of it. */
  snapshot(): Promise<Snapshot>
  /** Takes the bank back to a snapshot, as often as it is asked to. */
  restore(snapshot: Snapshot): Promise<void>
}

/** The clock of a bank, which is that of its whole process. */
export interface BankClock {
  /** The time as the bank, and this whole process, sees it. */
  now(): Date
  /**
   * Moves the time of this whole process forward, so that of every bank in it, and does what has become due.
   *
   * @param duration seconds, or a text such as `30d`
   * @throws {RangeError} when it is no duration, or none that leads forward
   */
  advance(duration: number | string): Promise<void>
  /** Moves the time of this whole process back: what was issued since then lies in the future. @throws {RangeError} */
  back(duration: number | string): Promise<void>
  /** Sets the time of this whole process, forward or back. @throws {RangeError} when it is no time from 1970 to 9999 */
  set(time: Date | string): Promise<void>
  /** Has the time of this whole process stand still; with false it goes on from where it stands. */
  freeze(still?: boolean): Promise<void>
  /** Gives this whole process the machine's time back, as closing its last bank does. */
  reset(): Promise<void>
}
