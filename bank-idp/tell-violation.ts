import { formatViolation, schema, type Violation, validate } from '../schemas/index.js'
import { nearest } from './nearest.js'

/** What is wrong, and of a member that nobody knows which was meant. @param known names of members, of which it may be a slip */
export function tellViolation({ path, message, problem }: Violation, known: readonly string[]): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const meant = problem.includes('not a known member') ? nearest(name, known) : undefined
  return meant === undefined ? message : `${name} is not a known member: did you mean ${meant}?`
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
