import { HttpResponse } from '../../conformance/http/http.js'
import { claimsOfJwt, withClaims } from './wrong-jwts.js'

/** One way in which an answer may be wrong in one thing. */
export type WrongAnswer =
  | { what: 'status' }
  | { what: 'failure' }
  | { what: 'address' }
  | { what: 'body'; how: keyof typeof bodies }
  | { what: 'header'; name: string; how: How }
  | { what: 'member' | 'parameter'; name: string; how: How }
  | { what: 'claim'; jwt: JwtPlace; name: string; how: How }

/** Where a JWT stands: the whole body, or what of it by its name. */
type JwtPlace = { what: 'body' } | { what: 'member' | 'parameter'; name: string }

/** What becomes of a value. */
type How = keyof typeof values

/** Headers that say nothing about the bank, or without which no answer arrives. */
const ofTheConnection = ['connection', 'content-length', 'date', 'etag', 'keep-alive', 'transfer-encoding', 'vary']

/** What a wrong value is made of the right one; undefined: it is not there. */
const values = {
  missing: () => undefined,
  other: otherValue,
  longer: (value: unknown) => `${String(value)}-and-more`,
  'a moment ago': () => Math.floor(Date.now() / 1000) - aMoment,
  less: (value: unknown) => (typeof value === 'number' ? value - twoYears : undefined),
  'a little more': (value: unknown) => (typeof value === 'number' ? value + aLittle : undefined),
  'a little less': (value: unknown) => (typeof value === 'number' ? value - aLittle : undefined),
  'of another type': (value: unknown) => (typeof value === 'string' ? 4711 : String(value)),
  empty: (value: unknown) => (Array.isArray(value) ? [] : ''),
}

/** Seconds, or whatever else a number counts, that are more than any tolerance. */
const aLot = 1_000_000_000

/** Seconds before any time that is a year ahead, and within any that is told of as Unix time. */
const twoYears = 2 * 365 * 86_400

/** Seconds that are more than a tolerance, and turn no order of two times round that are a year apart. */
const aLittle = 7200

/** Seconds that are within a tolerance. */
const aMoment = 60

/** Of numbers alone. */
const ofNumbers: readonly How[] = ['less', 'a little more', 'a little less', 'a moment ago']

/** What stands in place of a whole body. */
const bodies = { 'no JSON': 'nothing of the kind', 'a list': '[]', 'an empty object': '{}' }

function otherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + aLot
  if (Array.isArray(value)) return [...value, 'unheard-of']
  if (typeof value === 'object' && value !== null) return {}
  return 'unheard-of'
}

/** The wrong answers that can be made of a right one. */
export async function wrongAnswersTo(response: HttpResponse): Promise<WrongAnswer[]> {
  const { json, location } = response
  const headers = Object.keys(response.headers).filter((name) => !ofTheConnection.includes(name))
  const named = [
    ...members(json).flatMap((name) => every('member' as const, name, Reflect.get(json as object, name))),
    ...parameterNames(location).flatMap((name) => every('parameter' as const, name, '').filter(isOfText)),
  ]
  return [
    { what: 'status' },
    { what: 'failure' },
    ...(location === undefined ? [] : [{ what: 'address' as const }]),
    ...(Object.keys(bodies) as (keyof typeof bodies)[]).map((how) => ({ what: 'body' as const, how })),
    ...named,
    ...headers.flatMap((name) => every('header' as const, name, response.header(name)).filter(isOfText)),
    ...(await wrongClaims(response)),
  ]
}

/** What a header or a parameter can be: it is a text whatever becomes of it. */
function isOfText({ how }: { how: How }): boolean {
  return how !== 'of another type'
}

/** Each JWT of an answer with one claim wrong. */
async function wrongClaims(response: HttpResponse): Promise<WrongAnswer[]> {
  const places: JwtPlace[] = [
    { what: 'body' },
    ...members(response.json).map((name) => ({ what: 'member' as const, name })),
    ...parameterNames(response.location).map((name) => ({ what: 'parameter' as const, name })),
  ]
  const found = await Promise.all(
    places.map(async (jwt) => {
      const claims = (await claimsOfJwt(textAt(response, jwt))) ?? {}
      return Object.entries(claims).flatMap(([name, value]) =>
        howsOf(value).map((how) => ({ what: 'claim' as const, jwt, name, how })),
      )
    }),
  )
  return found.flat()
}

function textAt(response: HttpResponse, place: JwtPlace): unknown {
  if (place.what === 'body') return response.text.trim()
  if (place.what === 'member') return response.member(place.name)
  const { query, fragment } = partsOf(response.location ?? '')
  return query.get(place.name) ?? fragment.get(place.name)
}

function members(json: unknown): string[] {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.keys(json) : []
}

function every<What>(what: What, name: string, value: unknown) {
  return howsOf(value).map((how) => ({ what, name, how }))
}

/** What can become of a value. */
function howsOf(value: unknown): How[] {
  return (Object.keys(values) as How[]).filter((how) => !ofNumbers.includes(how) || typeof value === 'number')
}

/** The query and the fragment of an address, and what puts another in their place. */
function partsOf(location: string) {
  const url = new URL(location)
  const query = new URLSearchParams(url.search)
  const fragment = new URLSearchParams(url.hash.slice(1))
  const joined = () => {
    url.search = query.toString()
    url.hash = fragment.toString()
    return url.href
  }
  return { query, fragment, joined }
}

function parameterNames(location: string | undefined): string[] {
  if (location === undefined) return []
  const { query, fragment } = partsOf(location)
  return [...new Set([...query.keys(), ...fragment.keys()])]
}

/** The answer, wrong in one thing. */
export async function madeWrong(response: HttpResponse, wrong: WrongAnswer): Promise<HttpResponse> {
  const { status, headers, location } = response
  switch (wrong.what) {
    case 'status':
      return changed(response, status < 400 ? refusal(headers) : { status: 200 })
    case 'failure':
      return changed(response, { ...refusal(headers), status: 500 })
    case 'body':
      return changed(response, { text: bodies[wrong.how] })
    case 'address':
      return changed(response, { headers: { ...headers, location: elsewhere(response) } })
    case 'header': {
      const { [wrong.name]: value, ...others } = headers
      const other = values[wrong.how](String(value))
      return changed(response, {
        headers: other === undefined ? others : { ...others, [wrong.name]: String(other) },
      })
    }
    case 'claim': {
      const { jwt, name, how } = wrong
      const other = await withClaims(String(textAt(response, jwt)), (claims) => withValue(claims, name, values[how]))
      if (jwt.what === 'body') return changed(response, { text: other })
      return withNamed(response, location, jwt, () => other)
    }
    default:
      return withNamed(response, location, wrong, values[wrong.how])
  }
}

function changed(
  { request, status, headers, text, evidence }: HttpResponse,
  to: { status?: number; headers?: HttpResponse['headers']; text?: string },
): HttpResponse {
  return new HttpResponse(request, to.status ?? status, to.headers ?? headers, to.text ?? text, evidence)
}

/** The object with another value for a member; without it where that is undefined. */
function withValue(object: Record<string, unknown>, name: string, change: (value: unknown) => unknown) {
  const { [name]: value, ...others } = object
  const other = change(value)
  return other === undefined ? others : { ...others, [name]: other }
}

/** The answer with another value for a member of its body or a parameter of its address. */
function withNamed(
  response: HttpResponse,
  location: string | undefined,
  { what, name }: { what: 'member' | 'parameter'; name: string },
  change: (value: unknown) => unknown,
): HttpResponse {
  if (what === 'member')
    return changed(response, {
      text: JSON.stringify(withValue(response.json as Record<string, unknown>, name, change)),
    })
  const { query, fragment, joined } = partsOf(location ?? '')
  for (const part of [query, fragment].filter((one) => one.has(name))) {
    const other = change(part.get(name))
    if (other === undefined) part.delete(name)
    else part.set(name, String(other))
  }
  return changed(response, { headers: { ...response.headers, location: joined() } })
}

/** Where the request asked to be sent, or nowhere that anybody asked for, with what the answer carries. */
function elsewhere({ request, location = '' }: HttpResponse): string {
  const asked = new URL(request.url).searchParams.get('redirect_uri') ?? ''
  const { search, hash } = new URL(location)
  const url = new URL(URL.canParse(asked) ? asked : 'https://elsewhere.example/')
  url.search = search
  url.hash = hash
  return url.href
}

/** A refusal in place of a success. */
function refusal({ location: _, ...headers }: HttpResponse['headers']) {
  return {
    status: 400,
    headers: { ...headers, 'content-type': 'application/json' },
    text: JSON.stringify({ error: 'server_error', error_description: 'it is refused' }),
  }
}
