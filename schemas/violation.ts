import type { ErrorObject } from 'ajv/dist/2020.js'
import { isUrl } from './is-url.js'

/** One thing that is wrong with a value: where (a JSON pointer, RFC 6901) and what, as a sentence for people. */
export interface Violation {
  path: string
  message: string
  /** The message without the name at its beginning: "is missing." */
  problem: string
}

/**
 * A violation as one sentence that names its whole place: "people.0.password is missing."
 * @param whole what the value itself is called
 */
export function formatViolation({ path, problem }: Pick<Violation, 'path' | 'problem'>, whole: string): string {
  return `${dotted(path, whole)} ${problem}`
}

/** A JSON pointer as people write it: /service/server/listen is service.server.listen. @param whole what the empty one means */
export function dotted(pointer: string, whole: string): string {
  return pointer.split('/').slice(1).map(unescapePointer).join('.') || whole
}

/**
 * What the compiler found, in words: ASCII without quotation marks, so that a sentence can stand in error_description, as long as
 * the members it names are so. The value itself is never told: some are secrets.
 */
export function violations(errors: ErrorObject[]): Violation[] {
  const alternatives = errors.filter(({ keyword }) => keyword === 'anyOf')
  const isBranch = ({ schemaPath }: ErrorObject) => alternatives.some((a) => schemaPath.startsWith(`${a.schemaPath}/`))
  const listed = new Set<unknown>()
  const found = errors.filter((error) => error.keyword !== 'if' && !isBranch(error)).map((e) => violation(e, listed))
  return found.filter(({ path, message }, i) => i === found.findIndex((t) => t.path === path && t.message === message))
}

/** @param listed the schemas whose members are listed already: they are told once */
function violation(error: ErrorObject, listed: Set<unknown>): Violation {
  const member: unknown = error.params.missingProperty ?? error.params.additionalProperty ?? error.propertyName
  const path = typeof member === 'string' ? `${error.instancePath}/${escapePointer(member)}` : error.instancePath
  const tell = sentences[error.keyword] ?? (({ message }) => `is wrong: ${message}`)
  const again = error.keyword === 'additionalProperties' && listed.has(error.parentSchema)
  if (error.keyword === 'additionalProperties') listed.add(error.parentSchema)
  const problem = again ? 'is not a known member.' : `${tell(error)}.`
  return { path, message: `${nameOf(path)} ${problem}`, problem }
}

/** How a host in letters beyond ASCII is written in a URI: by its A-labels (RFC 3986 section 3.2.2, RFC 5890 section 2.3.2.1). */
function hostInAscii(data: unknown): string {
  if (typeof data !== 'string' || /^\p{ASCII}*$/u.test(data)) return ''
  if (!isUrl(data)) return ''
  const { hostname } = new URL(data)
  return hostname.includes('xn--') ? `, whose host is written ${hostname}` : ', in ASCII alone'
}

const sentences: Record<string, (error: ErrorObject) => string> = {
  required: () => 'is missing',
  additionalProperties: ({ parentSchema }) => {
    const known = Object.keys(parentSchema?.properties ?? {})
    return `is not a known member; ${known.length === 0 ? 'there is none' : `known are ${list(known)}`}`
  },
  enum: ({ params }) => `must be ${params.allowedValues.length === 1 ? '' : 'one of '}${list(params.allowedValues)}`,
  const: ({ params }) => `must be ${list([params.allowedValue])}`,
  'false schema': () => 'must not be here',
  type: ({ params, data }) => {
    const wanted = [params.type].flat()
    const is = wanted.includes('integer') && typeof data === 'number' ? fractionOf(data) : named(typeOf(data))
    return `must be ${wanted.map(named).join(' or ')}, but is ${is}`
  },
  format: ({ params, data }) => `must be ${formats[params.format] ?? params.format}${hostInAscii(data)}`,
  pattern: described,
  not: described,
  anyOf: described,
  minLength: ({ params }) =>
    params.limit === 1 ? 'must not be empty' : `must have at least ${count(params.limit, 'character')}`,
  maxLength: ({ params }) => `must have at most ${count(params.limit, 'character')}`,
  minItems: ({ params }) =>
    params.limit === 1 ? 'must not be empty' : `must have at least ${count(params.limit, 'item')}`,
  maxItems: ({ params }) => `must have at most ${count(params.limit, 'item')}`,
  minProperties: ({ params }) => `must have at least ${count(params.limit, 'member')}`,
  minimum: ({ params }) => `must be ${params.limit} or more`,
  maximum: ({ params }) => `must be ${params.limit} or less`,
  uniqueItems: ({ params }) => `has the same item twice, at ${params.i} and at ${params.j}`,
  uniqueItemProperties: ({ schema }) => `has items with the same ${list(Array.isArray(schema) ? schema : [])}`,
}

/** Patterns and combinations say nothing to people: their schema's description does. */
function described({ parentSchema }: ErrorObject): string {
  const description: string = parentSchema?.description
  return `is not of the required form: ${description.replace(/\.$/, '')}`
}

const formats: Record<string, string> = {
  date: 'a date such as 2001-12-31',
  'date-time': 'a timestamp with its offset such as 2001-12-31T23:59:59+01:00',
  'iso-date-time': 'an ISO 8601 timestamp such as 2001-12-31T23:59:59+01:00',
  email: 'an e-mail address',
  uri: 'an absolute URI',
  'uri-reference': 'a URI',
  uuid: 'a UUID',
}

const types: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  string: 'a string',
}

function named(type: string): string {
  return types[type] ?? type
}

function fractionOf(value: number): string {
  return Number.isFinite(value) ? 'a fraction' : String(value)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function list(values: unknown[]): string {
  return values.map(String).join(', ')
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

/** /redirect_uris/0 is spoken of as redirect_uris[0], the whole value as "The value". */
function nameOf(path: string): string {
  const segments = path.split('/').slice(1).map(unescapePointer)
  const from = segments.findLastIndex((segment) => !/^\d+$/.test(segment))
  const [first = 'The value', ...indexes] = segments.slice(Math.max(from, 0))
  return /^\d+$/.test(first)
    ? `The value[${[first, ...indexes].join('][')}]`
    : [first, ...indexes.map((i) => `[${i}]`)].join('')
}

function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1')
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}
