import { HttpResponse } from '../../conformance/http/http.js'

/** One way in which an answer may be wrong in one thing. */
export type WrongAnswer =
  | { what: 'status' }
  | { what: 'address' }
  | { what: 'body'; how: keyof typeof bodies }
  | { what: 'header' | 'member' | 'parameter'; name: string; how: How }

/** What becomes of a value. */
type How = keyof typeof values

/** Headers that say nothing about the bank, or without which no answer arrives. */
const ofTheConnection = ['connection', 'content-length', 'date', 'etag', 'keep-alive', 'transfer-encoding', 'vary']

/** What a wrong value is made of the right one; undefined: it is not there. */
const values = {
  missing: () => undefined,
  other: otherValue,
  less: (value: unknown) => (typeof value === 'number' ? value - aLot : undefined),
  'a little more': (value: unknown) => (typeof value === 'number' ? value + aLittle : undefined),
  'a little less': (value: unknown) => (typeof value === 'number' ? value - aLittle : undefined),
  'of another type': (value: unknown) => (typeof value === 'string' ? 4711 : String(value)),
  empty: (value: unknown) => (Array.isArray(value) ? [] : ''),
}

/** Seconds, or whatever else a number counts, that are more than any tolerance. */
const aLot = 1_000_000_000

/** Seconds that are more than a tolerance, and turn no order of two times round that are a year apart. */
const aLittle = 7200

/** Of numbers alone. */
const ofNumbers: readonly How[] = ['less', 'a little more', 'a little less']

/** What stands in place of a whole body. */
const bodies = { 'no JSON': 'nothing of the kind', 'a list': '[]', 'an empty object': '{}' }

function otherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + aLot
  if (Array.isArray(value)) return [...value, 'unheard-of']
  if (typeof value === 'object' && value !== null) return {}
  return `unheard-of ${String(value)}`
}

/** The wrong answers that can be made of a right one. */
export function wrongAnswersTo(response: HttpResponse): WrongAnswer[] {
  const { json, location } = response
  const headers = Object.keys(response.headers).filter((name) => !ofTheConnection.includes(name))
  return [
    { what: 'status' },
    ...(location === undefined ? [] : [{ what: 'address' as const }]),
    ...(Object.keys(bodies) as (keyof typeof bodies)[]).map((how) => ({ what: 'body' as const, how })),
    ...members(json).flatMap((name) => every('member', name, Reflect.get(json as object, name))),
    ...headers.flatMap((name) =>
      every('header', name, response.header(name)).filter(({ how }) => how !== 'of another type'),
    ),
    ...parameterNames(location).flatMap((name) =>
      every('parameter', name, '').filter(({ how }) => how !== 'of another type'),
    ),
  ]
}

function members(json: unknown): string[] {
  return typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.keys(json) : []
}

function every(what: 'header' | 'member' | 'parameter', name: string, value: unknown) {
  const hows = (Object.keys(values) as How[]).filter((how) => !ofNumbers.includes(how) || typeof value === 'number')
  return hows.map((how) => ({ what, name, how }))
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
export function madeWrong(response: HttpResponse, wrong: WrongAnswer): HttpResponse {
  const { request, status, headers, text, evidence } = response
  const of = (changed: { status?: number; headers?: typeof headers; text?: string }) =>
    new HttpResponse(request, changed.status ?? status, changed.headers ?? headers, changed.text ?? text, evidence)
  if (wrong.what === 'status') return of(status < 400 ? refusal(headers) : { status: 200 })
  if (wrong.what === 'body') return of({ text: bodies[wrong.how] })
  if (wrong.what === 'address') return of({ headers: { ...headers, location: elsewhere(response) } })
  const { name, how } = wrong
  const change = values[how]
  if (wrong.what === 'member') {
    const { [name]: value, ...others } = response.json as Record<string, unknown>
    const changed = change(value)
    return of({ text: JSON.stringify(changed === undefined ? others : { ...others, [name]: changed }) })
  }
  if (wrong.what === 'header') {
    const { [name]: value, ...others } = headers
    const changed = change(String(value))
    return of({ headers: changed === undefined ? others : { ...others, [name]: String(changed) } })
  }
  const { query, fragment, joined } = partsOf(response.location ?? '')
  for (const part of [query, fragment].filter((one) => one.has(name))) {
    const changed = change(part.get(name))
    if (changed === undefined) part.delete(name)
    else part.set(name, String(changed))
  }
  return of({ headers: { ...headers, location: joined() } })
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
