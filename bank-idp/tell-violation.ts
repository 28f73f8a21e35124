import { formatViolation, schema, type Violation, validate } from '../schemas/index.js'
import { nearest } from './nearest.js'

/** The member that was meant, where the violation is a member that nobody knows and one is near. */
function meantBy({ path, problem }: Violation, known: readonly string[]): string | undefined {
  if (!problem.includes('not a known member')) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1)
  // Who says delay means delay_seconds.
  return nearest(name, known) ?? known.find((one) => one.startsWith(`${name}_`))
}

/** What is wrong, and of a member that nobody knows which was meant. @param known names of members, of which it may be a slip */
export function tellViolation(violation: Violation, known: readonly string[]): string {
  const meant = meantBy(violation, known)
  const name = violation.path.slice(violation.path.lastIndexOf('/') + 1)
  return meant === undefined ? violation.message : `${name} is not a known member: did you mean ${meant}?`
}

/** The same of several, each without the name at its beginning. */
export function toldProblems(violations: readonly Violation[], known: readonly string[]): string[] {
  return violations.map((violation) => {
    const meant = meantBy(violation, known)
    return meant === undefined ? violation.problem : `is not a known member: did you mean ${meant}?`
  })
}
/** The names of all claims that may be known of a person. */
function claimNames(): string[] {
  const { claims } = schema('person').properties as { claims: { properties: object } }
  return Object.keys(claims.properties)
}

/** What is wrong with a person, by the schema of people's files; undefined when nothing is. */
export function personProblem(person: object): string | undefined {
  const [violation] = validate('person', person)
  if (!violation) return undefined
  const told = tellViolation(violation, claimNames())
  return told === violation.message
    ? formatViolation({ ...violation, path: violation.path.replace(/^\/claims/, '') }, 'the person')
    : told
}
