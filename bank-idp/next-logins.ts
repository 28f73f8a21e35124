import type { Claims, Person } from '../fixtures/people.js'
import type { LoginOutcome } from './callback-messages.js'
import { Latest } from './latest.js'

/** What is different about the next login of a person, and about no other. */
export interface NextLogin {
  /** Values by claim; null takes a claim away. */
  claims?: Record<string, unknown> | undefined
  /** How it ends in place of a code. */
  outcome?: LoginOutcome | undefined
}

/** Logins that are remembered to have claims of their own. */
const keptLogins = 10_000

/**
 * What is different about next logins, by the person's login name, and the claims of those that had such: for as long as their tokens live
 * they tell what was said for that login.
 */
export class NextLogins {
  readonly #next = new Map<string, NextLogin>()
  readonly #claims = new Latest<Record<string, unknown>>(keptLogins)

  set(login: string, { claims, outcome }: NextLogin): void {
    if (claims === undefined && outcome === undefined) this.#next.delete(login)
    else this.#next.set(login, { claims, outcome })
  }

  of(login: string): NextLogin {
    return this.#next.get(login) ?? {}
  }

  /** How a login that has come to its person ends; undefined: with a code. */
  takeOutcome(login: string): LoginOutcome | undefined {
    const { claims, outcome } = this.of(login)
    if (outcome !== undefined) this.set(login, { claims })
    return outcome
  }

  /** The login to which a grant was given is the next one. */
  begin(login: string, grantId: string): void {
    const { claims, outcome } = this.of(login)
    if (claims === undefined) return
    this.#claims.set(grantId, claims)
    this.set(login, { outcome })
  }

  /** What tokens of a grant tell of a person. */
  toldBy(grantId: string, person: Person): Person {
    const changes = this.#claims.get(grantId)
    return changes === undefined ? person : { ...person, claims: withChanges(person.claims, changes) }
  }

  /** Takes up what another has, so that neither bears on the other from then on. */
  takeUp(other: NextLogins): void {
    this.#next.clear()
    for (const [login, next] of other.#next) this.#next.set(login, next)
    this.#claims.load(other.#claims.dump())
  }
}

/** Claims as they are after changes: null takes one away. */
export function withChanges(claims: Claims, changes: Record<string, unknown>): Claims {
  const merged = Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(merged) as unknown as Claims
}
