import type { Claims, Person } from '../fixtures/people.js'
import type { LoginOutcome } from './callback-messages.js'
import { Latest } from './latest.js'
import { alone, type Shared } from './shared.js'

/** What is different about the next login of a person, and about no other. */
export interface NextLogin {
  /** Values by claim; null takes a claim away. */
  claims?: Record<string, unknown> | undefined
  /** How it ends in place of a code. */
  outcome?: LoginOutcome | undefined
}

/** Under which replicas tell each other of next logins, and of the claims of those that came, by their grants. */
const nextLogins = 'next logins'
export const toldClaims = 'told claims'

/** Logins that are remembered to have claims of their own. */
const keptLogins = 10_000

/**
 * What is different about next logins, by the person's login name, and the claims of those that had such: for as long as their tokens live
 * they tell what was said for that login.
 */
export class NextLogins {
  readonly #next = new Map<string, NextLogin>()
  readonly #claims = new Latest<Record<string, unknown>>(keptLogins)
  #shared: Shared = alone

  /** From now on replicas share them; takes up what they were told. */
  async shareBy(shared: Shared): Promise<void> {
    this.#shared = shared
    await shared.remember(nextLogins, {
      forget: () => this.#next.clear(),
      takeUp: (login, next) => this.#put(login, next === undefined ? {} : (JSON.parse(next) as NextLogin)),
    })
    await shared.remember(toldClaims, {
      forget: () => this.#claims.clear(),
      takeUp: (grantId, claims) => {
        if (claims === undefined) this.#claims.delete(grantId)
        else this.#claims.set(grantId, JSON.parse(claims) as Record<string, unknown>)
      },
    })
  }

  async set(login: string, next: NextLogin): Promise<void> {
    this.#put(login, next)
    await this.#shared.tell(nextLogins, login, kept(next))
  }

  /** Nothing is different about the next login of somebody who is not there any more. */
  forget(login: string): void {
    this.#next.delete(login)
  }

  #put(login: string, next: NextLogin): void {
    if (kept(next) === null) this.#next.delete(login)
    else this.#next.set(login, next)
  }

  of(login: string): NextLogin {
    return this.#next.get(login) ?? {}
  }

  /** How a login that has come to its person ends; undefined: with a code. */
  async takeOutcome(login: string): Promise<LoginOutcome | undefined> {
    return (await this.#take(login, 'outcome')).outcome
  }

  /** The login to which a grant was given is the next one. */
  async begin(login: string, grantId: string): Promise<void> {
    const { claims } = await this.#take(login, 'claims')
    if (claims === undefined) return
    this.#claims.set(grantId, claims)
    await this.#shared.tell(toldClaims, grantId, JSON.stringify(claims))
  }

  /** What of a next login is had with it, unless another replica was faster. */
  async #take(login: string, member: keyof NextLogin): Promise<NextLogin> {
    const next = this.of(login)
    if (next[member] === undefined) return {}
    const left = ({ [member]: _, ...others }: NextLogin): NextLogin => others
    this.#put(login, left(next))
    const had = await this.#shared.change(nextLogins, login, (told) => {
      const known = JSON.parse(told) as NextLogin
      return known[member] === undefined ? undefined : kept(left(known))
    })
    return had ? next : {}
  }

  /** What tokens of a grant tell of a person. */
  toldBy(grantId: string, person: Person): Person {
    const changes = this.#claims.get(grantId)
    return changes === undefined ? person : { ...person, claims: withChanges(person.claims, changes) }
  }

  /** Takes up what another has, so that neither bears on the other from then on: of a bank that is its own only replica. */
  takeUp(other: NextLogins): void {
    this.#next.clear()
    for (const [login, next] of other.#next) this.#next.set(login, next)
    this.#claims.load(other.#claims.dump())
  }
}

/** As replicas tell it; null where nothing is different. */
function kept({ claims, outcome }: NextLogin): string | null {
  return claims === undefined && outcome === undefined ? null : JSON.stringify({ claims, outcome })
}

function isValue(value: unknown): boolean {
  return value !== null && value !== undefined
}

/** Claims as they are after changes: null takes one away. The same where there is none. */
export function withChanges(claims: Claims, changes: Record<string, unknown>): Claims {
  if (Object.keys(changes).length === 0 && Object.values(claims).every(isValue)) return claims
  const merged = Object.entries({ ...claims, ...changes }).filter(([, value]) => isValue(value))
  return Object.fromEntries(merged) as unknown as Claims
}
