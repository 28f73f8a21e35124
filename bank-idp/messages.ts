import { isNestedTooDeeply } from './nesting.js'

/** A JWT that was found in a message: opened, not verified. */
export interface FoundJwt {
  /** The member, parameter or header that it is the value of; `body` where it is all of it. */
  at: string
  /** As it came. */
  jwt: string
  header: Record<string, unknown>
  /** Absent where it is encrypted. */
  claims?: Record<string, unknown>
}

/** Headers and body of a message, decoded by what the headers say that the body is. */
export interface Message {
  headers: Record<string, string>
  /** A parameter that is given more than once has a list. */
  form?: Record<string, string | string[]>
  json?: unknown
  text?: string
  /** Whether the body was longer than what is kept of it. */
  truncated?: true
  jwts: FoundJwt[]
}

/** A parameter's value, or values, by its name. */
export function parametersOf(parameters: URLSearchParams): Record<string, string | string[]> {
  const byName = new Map<string, string[]>()
  for (const [name, value] of parameters) {
    const before = byName.get(name)
    if (before) before.push(value)
    else byName.set(name, [value])
  }
  return Object.fromEntries(
    [...byName].map(([name, [first = '', ...more]]) => [name, more.length > 0 ? [first, ...more] : first]),
  )
}

/** @throws {Error} for what is no JSON, or none that is shown as such */
function shownJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (isNestedTooDeeply(value)) throw new Error('it is nested too deeply')
  return value
}

function objectOf(part: string): Record<string, unknown> | undefined {
  try {
    const value = shownJson(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

/** RFC 7515 section 7.1, RFC 7516 section 7.1: compact, signed or encrypted. */
const compact = /^[\w-]+\.[\w-]*(\.[\w-]*\.[\w-]*)?\.[\w-]*$/

function jwtOf(at: string, value: string): FoundJwt[] {
  if (!compact.test(value)) return []
  const [first = '', second = '', ...rest] = value.split('.')
  const header = objectOf(first)
  if (typeof header?.alg !== 'string') return []
  const claims = rest.length === 1 ? objectOf(second) : undefined
  return [{ at, jwt: value, header, ...(claims && { claims }) }]
}

/** Levels of a message in which JWTs are looked for. */
const maxDepth = 5

/** The JWTs among the strings of a value. */
export function jwtsIn(at: string, value: unknown, depth = 0): FoundJwt[] {
  if (typeof value === 'string') return jwtOf(at, value.replace(/^Bearer /, ''))
  if (typeof value !== 'object' || value === null || depth > maxDepth) return []
  return Object.entries(value).flatMap(([name, one]) => jwtsIn(at === '' ? name : `${at}.${name}`, one, depth + 1))
}

/** What an address that leads on carries: its query and its fragment. */
function carriedBy(location: string | undefined): FoundJwt[] {
  if (location === undefined || !URL.canParse(location)) return []
  const { searchParams, hash } = new URL(location)
  return [searchParams, new URLSearchParams(hash.slice(1))].flatMap((all) => jwtsIn('location', parametersOf(all)))
}

/** Decodes a message. @param truncated whether there was more of the body */
export function decoded(headers: Record<string, string>, body: Buffer, truncated: boolean): Message {
  const found = [...jwtsIn('', headers), ...carriedBy(headers.location)]
  const said = { headers, ...(truncated && { truncated: true as const }) }
  if (body.length === 0) return { ...said, jwts: found }
  const text = body.toString()
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/x-www-form-urlencoded')) {
    const form = parametersOf(new URLSearchParams(text))
    return { ...said, form, jwts: [...found, ...jwtsIn('', form)] }
  }
  if (/^application\/([\w.-]+\+)?json\b/.test(type)) {
    try {
      const json = shownJson(text)
      return { ...said, json, jwts: [...found, ...jwtsIn('', json)] }
    } catch {
      // Sent as JSON all the same: it is shown as it came.
    }
  }
  return { ...said, text, jwts: [...found, ...jwtsIn('body', text.trim())] }
}
