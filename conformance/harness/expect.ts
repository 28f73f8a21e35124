import { isDeepStrictEqual } from 'node:util'
import { formatViolation, type SchemaName, schema, validate } from '../../schemas/index.js'
import { BankFailure } from '../evidence/failure.js'
import type { HttpResponse } from '../http/http.js'

const longestShown = 500

/**
 * A value as a finding shows it: JSON, or "nothing" when it is not there, or what it says of itself where it is of a class. A long one is cut between words: of half a secret nobody
 * would know that it is one.
 */
export function format(value: unknown): string {
  if (value === undefined || value === null) return value === null ? 'null' : 'nothing'
  const text = isOfClass(value) ? String(value) : (JSON.stringify(value) ?? String(value))
  if (text.length <= longestShown) return text
  return `${text.slice(0, longestShown).replace(/[\w~.+-]+$/, '')}… [of ${text.length} characters]`
}

/** Whether a value is of a class that says in words what it is. */
function isOfClass(value: unknown): boolean {
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : null
  return (
    prototype !== null &&
    prototype !== Object.prototype &&
    Object.hasOwn(Object(prototype), 'toString') &&
    !Array.isArray(value)
  )
}

/** What can be asked of a value; each answers with the value, typed by what is then known of it. */
export interface Expectation<Value> {
  /** Identity for primitives. */
  toBe(expected: Value): Value
  /** Identity with one of these. */
  toBeOneOf(allowed: readonly Value[]): Value
  /** Deep equality. */
  toEqual(expected: Value): Value
  /** Another value than `other`, where either is a primitive. @param which what the other is, such as "the sub of the first login" */
  toDiffer(other: Value, which: string): Value
  /** A number that is not less. @param unit such as "s" */
  toBeAtLeast(least: number, unit?: string): number
  /** A number that is not more. */
  toBeAtMost(most: number, unit?: string): number
  /** A number that differs from `middle` by no more than `tolerance`, both in `unit`. */
  toBeNear(middle: number, tolerance: number, unit: string): number
  /** @param description what the value should be, such as "a date of the calendar" */
  toSatisfy(predicate: (value: Value) => boolean, description: string): Value
  /** A list that holds this element. */
  toContain(element: unknown): Value
  /** A list that does not hold this element. */
  toLack(element: unknown): Value
  /** The same elements in any order, none twice. */
  toBeSetOf(expected: readonly string[]): readonly string[]
  /** A non-empty string. */
  toBeText(): string
  /** @param described the pattern in words, such as "a compact JWE" */
  toMatch(pattern: RegExp, described: string): string
  /** A JSON object, which is no array. */
  toBeObject(): Record<string, unknown>
  /** A JSON array that is not empty. */
  toBeFilledArray(): readonly unknown[]
  /** A JSON object that holds each of these members, whatever their values. */
  toHaveMembers(names: readonly string[]): Record<string, unknown>
  /** Every violation is told with its path. */
  toFitSchema(name: SchemaName): Value
}

/** What can be asked of a response of the bank. */
export interface ResponseExpectation {
  toHaveStatus(...statuses: readonly number[]): HttpResponse
  /** The content type without its parameters. */
  toHaveMediaType(...types: readonly string[]): HttpResponse
  /** JSON {error, error_description}, of the form that the endpoint's errors have. @param where what the body is */
  toTellError(where?: string): HttpResponse
  /** JSON {error, error_description} with this status and code ("Errors", Error codes of authentication and authorization). */
  toBeError(status: number, code: string): HttpResponse
}

/**
 * Starts an expectation about a response of the bank, or about a value.
 * @param where what the value is, such as "scope of the token response"
 * @param seenIn the response that holds the value: its exchange is shown with a failure
 * @throws BankFailure from each expectation that does not hold
 */
export function expect(response: HttpResponse): ResponseExpectation
export function expect<Value>(value: Value, where: string, seenIn?: HttpResponse): Expectation<Value>
export function expect<Value>(
  subject: Value,
  where?: string,
  seenIn?: HttpResponse,
): Expectation<Value> | ResponseExpectation {
  return where === undefined ? expectResponse(subject as HttpResponse) : expectValue(subject, where, seenIn)
}

/** The signature of `expect`, as rules are given it. */
export type Expect = typeof expect

/** Members that are named of those that are there, where others are missing. */
const mostNamed = 10

interface Mismatch {
  /** What the value is. */
  where: string
  expected: string
  actual: string
  seenIn: HttpResponse | undefined
  /** Words before expected and actual. Default: "should be … but is …". */
  verbs?: readonly [string, string]
  /** What the bank says of it, after that. */
  said?: string
}

function fail({ where, expected, actual, seenIn, verbs: [should, does] = ['be', 'is'], said = '' }: Mismatch): never {
  const sentence = `${where} should ${should} ${expected}, but ${does} ${actual}${said}`
  throw new BankFailure({ sentence, expected, actual, where, ...(seenIn && { evidence: seenIn.evidence }) })
}

/** What a schema asks for, and where it can be read in full. */
function formOf(name: SchemaName): string {
  const { title, required = [] } = schema(name)
  const members = required.length > 0 ? ` with ${required.join(', ')}` : ''
  return `of the form "${title}"${members} (schemas/${name}.schema.json)`
}

function quantity(amount: number, unit?: string): string {
  return unit === undefined ? String(amount) : `${amount} ${unit}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function expectValue<Value>(value: Value, where: string, seenIn?: HttpResponse): Expectation<Value> {
  const wrong = (expected: string) => fail({ where, expected, actual: format(value), seenIn })
  const object = () => (isObject(value) ? value : wrong('a JSON object'))
  const number = (holds: (given: number) => boolean, expected: string, unit?: string) => {
    if (typeof value !== 'number') return wrong(expected)
    return holds(value) ? value : fail({ where, expected, actual: quantity(value, unit), seenIn })
  }
  return {
    toBe: (expected) => (value === expected ? value : wrong(format(expected))),
    toBeOneOf: (allowed) => (allowed.includes(value) ? value : wrong(allowed.map(format).join(' or '))),
    toEqual: (expected) => (isDeepStrictEqual(value, expected) ? value : wrong(format(expected))),
    toDiffer: (other, which) => (value !== other ? value : wrong(`other than ${which}, ${format(other)}`)),
    toBeAtLeast: (least, unit) => number((given) => given >= least, `${quantity(least, unit)} or more`, unit),
    toBeAtMost: (most, unit) => number((given) => given <= most, `${quantity(most, unit)} or less`, unit),
    toBeNear: (middle, tolerance, unit) =>
      number((given) => Math.abs(given - middle) <= tolerance, `${middle} ± ${quantity(tolerance, unit)}`, unit),
    toSatisfy: (predicate, description) => (predicate(value) ? value : wrong(description)),
    toContain: (element) =>
      Array.isArray(value) && value.includes(element) ? value : wrong(`a list with ${format(element)}`),
    toLack: (element) =>
      Array.isArray(value) && !value.includes(element) ? value : wrong(`a list without ${format(element)}`),
    toBeSetOf(expected) {
      const same = Array.isArray(value) && isDeepStrictEqual([...value].sort(), [...expected].sort())
      return same ? value : wrong(`${format(expected)} in any order`)
    },
    toBeText: () => (typeof value === 'string' && value !== '' ? value : wrong('a non-empty string')),
    toMatch: (pattern, described) => (typeof value === 'string' && pattern.test(value) ? value : wrong(described)),
    toBeObject: object,
    toBeFilledArray: () => (Array.isArray(value) && value.length > 0 ? value : wrong('a JSON array that is not empty')),
    toHaveMembers(names) {
      const found = object()
      const missing = names.filter((name) => found[name] === undefined)
      if (missing.length === 0) return found
      const present = Object.keys(found).filter((name) => found[name] !== undefined)
      const only = present.length > mostNamed ? `${present.length} others` : present.join(', ')
      const actual = present.length > 0 ? `only ${only}` : 'no member'
      return fail({ where, expected: missing.join(', '), actual, seenIn, verbs: ['have', 'has'] })
    },
    toFitSchema(name) {
      const violations = validate(name, value).map((violation) => formatViolation(violation, 'the whole'))
      if (violations.length === 0) return value
      const verbs = ['be', 'is not:'] as const
      return fail({ where, expected: formOf(name), actual: violations.join(' '), seenIn, verbs })
    },
  }
}

/** RFC 6749 section 5.2 keeps some signs out of error_description; of a registration's, RFC 7591 section 3.2.2 says that it is ASCII. */
function errorFormOf({ request }: HttpResponse): 'error' | 'registration-error' {
  return /\/register(\/[^/]+)?$/.test(new URL(request.url).pathname) ? 'registration-error' : 'error'
}

const isRefusal = (status: number) => status >= 400

/** Why a bank refused, in its own words; empty where it tells no error. */
function reasonIn(response: HttpResponse): string {
  const told = ['error', 'error_description'].map((name) => response.member(name))
  const words = told.filter((one) => typeof one === 'string').map(format)
  return words.length > 0 ? `: ${words.join(', ')}` : ''
}

function expectResponse(response: HttpResponse): ResponseExpectation {
  const what = `${response.request.method} ${new URL(response.request.url).pathname}`
  const expectation: ResponseExpectation = {
    toHaveStatus(...statuses) {
      const { status } = response
      if (statuses.includes(status)) return response
      const verbs = ['have status', 'has'] as const
      const expected = statuses.join(' or ')
      const said = isRefusal(status) && !statuses.some(isRefusal) ? reasonIn(response) : ''
      return fail({ where: `the answer to ${what}`, expected, actual: String(status), seenIn: response, verbs, said })
    },
    toHaveMediaType(...types) {
      const { mediaType } = response
      if (types.includes(mediaType)) return response
      const where = `the content type of ${what}`
      return fail({ where, expected: types.join(' or '), actual: mediaType || 'absent', seenIn: response })
    },
    toTellError(where = `the body of ${what}`) {
      expectValue(response.told, where, response).toFitSchema(errorFormOf(response))
      return response
    },
    toBeError(status, code) {
      expectation.toHaveStatus(status)
      expectation.toTellError()
      expectValue(response.member('error'), `error of ${what}`, response).toBe(code)
      return response
    },
  }
  return expectation
}
