import { claimsOf, covers, project, type UserData } from '../../bank/claims.js'
import type { Claims } from '../../bank/user-data.js'
import type { Tools } from '../../harness/rule.js'

/** An answer of an endpoint, and what is known of whom it is about. */
export interface Known extends Claims {
  /** What the target file tells of the person. */
  known: object
  /** The scopes of the access token. */
  scopes: readonly string[]
  /** Whose it is, or under which token, where that is to be told. */
  whose?: string
  /** Whether the person has everything that the bank offers (kind full). */
  hasAll: boolean
}

/** That an answer has each claim of its scopes that the target file tells, with that value, and that what follows from the birthdate is right. */
export function expectKnown({ expect, service }: Tools, endpoint: UserData, answer: Known): void {
  const { known, scopes, claims, response, whose, hasAll } = answer
  const where = `${endpoint} for ${scopes.join(' ')}${whose === undefined ? '' : ` ${whose}`}`
  // AMB-6 has two names for one claim; AMB-7 leaves open whether profile has an e-mail address.
  const seen: Record<string, unknown> = { email_verified: claims.verified_email, ...claims }
  const names = claimsOf(endpoint, scopes).filter(
    (name) => name !== 'email' || endpoint === 'userinfo' || 'email' in seen,
  )
  for (const [claim, value] of Object.entries(project(known, names))) {
    const [found] = Object.values(
      project(
        seen,
        names.filter((name) => covers([claim], name)),
      ),
    )
    expect<unknown>(found, `${claim} of ${where}`, response).toEqual(value)
  }
  for (const [claim, values] of Object.entries(reckonedFrom(known, service.clock()))) {
    // What the file does not tell may be unknown to the bank of anybody but who has everything.
    if (names.includes(claim) && !(claim in known) && (hasAll || seen[claim] !== undefined))
      expect<unknown>(seen[claim], `${claim} of ${where}`, response).toBeOneOf(values)
  }
}

/** What may be told of somebody at a time, in Unix seconds, whose birthdate is known: by the day in Prague, where the banks are, or in UTC. */
export function reckonedFrom(known: object, at: number): { age?: number[]; majority?: boolean[] } {
  const { birthdate, date_of_death: died } = known as { birthdate?: unknown; date_of_death?: unknown }
  if (typeof birthdate !== 'string') return {}
  // Whether the dead grow older is not shown.
  const days = [...today(at), ...(typeof died === 'string' ? [died] : [])]
  const age = [...new Set(days.map((day) => ageOn(birthdate, day)))]
  return { age, majority: [...new Set(age.map((years) => years >= 18))] }
}

/** Swedish writes dates as YYYY-MM-DD. */
function today(at: number): string[] {
  return ['Europe/Prague', 'UTC'].map((timeZone) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date(at * 1000)),
  )
}

/** Whole years of age on a day, YYYY-MM-DD both. */
function ageOn(birthdate: string, day: string): number {
  return Number(day.slice(0, 4)) - Number(birthdate.slice(0, 4)) - (day.slice(5) < birthdate.slice(5) ? 1 : 0)
}
