import { HttpResponse } from '../../conformance/http/http.js'
import { isUrl } from '../../schemas/is-url.js'
import { openedJwt, withChanged } from './wrong-jwts.js'
import { changedAt, type How, howsOf, isNamed, type Path, placesIn, wrongly } from './wrong-values.js'

/** One way in which an answer may be wrong in one thing. */
export type WrongAnswer =
  | { what: 'status'; status: number }
  | { what: 'address' | 'redirect' }
  | { what: 'body'; how: keyof typeof bodies }
  | { what: 'header' | 'parameter'; name: string; how: How }
  | { what: 'member'; path: Path; how: How }
  | { what: 'JWT'; at: JwtPlace; path: Path; how: How }

/** Where a JWT stands: the whole body, or what of it by its name. The path within it begins with `header`, `claims` or `encryption`. */
type JwtPlace = { what: 'body' } | { what: 'member' | 'parameter'; name: string }

/** What is wrong, in words that outlive a change of what else may be wrong. */
export function inWords(wrong: WrongAnswer): string {
  switch (wrong.what) {
    case 'status':
      return `status ${wrong.status}`
    case 'address':
    case 'redirect':
      return wrong.what
    case 'body':
      return `body ${wrong.how}`
    case 'header':
    case 'parameter':
      return `${wrong.what} ${wrong.name} ${howInWords(wrong.how)}`
    case 'member':
      return `${wrong.path.join('.')} ${howInWords(wrong.how)}`
    case 'JWT': {
      const { at, path, how } = wrong
      return `${at.what === 'body' ? 'body' : at.name}: ${path.join('.')} ${howInWords(how)}`
    }
  }
}

/** What another answer says is another thing in each run. */
function howInWords(how: How): string {
  return typeof how === 'object' ? 'as elsewhere' : how
}

/** What words name first. */
const named = /^([a-z]\w*) (?:of|in) /

/** Headers that say nothing about the bank, or without which no answer arrives. */
const ofTheConnection = ['connection', 'content-length', 'date', 'etag', 'keep-alive', 'transfer-encoding', 'vary']

/** What stands in place of a whole body. */
const bodies = { 'no JSON': 'nothing of the kind', 'a list': '[]', 'an empty object': '{}' }

/**
 * The wrong answers that can be made of a right one.
 * @param where the words of an expectation: what they name first and the answer does not have may be there, too
 */
export async function wrongAnswersTo(response: HttpResponse, where = ''): Promise<WrongAnswer[]> {
  const { json, location, status } = response
  const headers = Object.keys(response.headers).filter((name) => !ofTheConnection.includes(name))
  const parameters = parameterNames(location)
  const [, name] = named.exec(where) ?? []
  const added = (known: readonly unknown[]) => (name === undefined || known.includes(name) ? [] : [name])
  const addedClaims = (known: readonly unknown[]) => (where.includes(' beyond ') ? [unasked] : added(known))
  return [
    ...wrongStatuses(status).map((wrong) => ({ what: 'status' as const, status: wrong })),
    { what: location === undefined ? 'redirect' : 'address' },
    ...(Object.keys(bodies) as (keyof typeof bodies)[]).map((how) => ({ what: 'body' as const, how })),
    ...placesIn(json).flatMap(({ path, value }) =>
      howsOf(value).map((how) => ({ what: 'member' as const, path, how })),
    ),
    ...(isObject(json) ? added(Object.keys(json)) : []).flatMap((name) =>
      addedValues.map((value) => ({ what: 'member' as const, path: [name], how: { as: value } })),
    ),
    ...parameters.flatMap((name) =>
      howsOf(parameterOf(response, name)).map((how) => ({ what: 'parameter' as const, name, how })),
    ),
    ...(location === undefined ? [] : added(parameters)).map((name) => ({
      what: 'parameter' as const,
      name,
      how: 'other' as const,
    })),
    ...headers.flatMap((name) => textHows.map((how) => ({ what: 'header' as const, name, how }))),
    ...(await wrongJwts(response, addedClaims)),
  ]
}

/** Values of others that may stand in one place. */
const mostOthers = 12

/**
 * The wrong answers that say what another answer says, or the same one elsewhere of an address, in what the words of an expectation name.
 * @param others answers to requests at the same address, of which the last count most
 */
export async function asOthersSay(
  response: HttpResponse,
  where: string,
  others: readonly HttpResponse[],
): Promise<WrongAnswer[]> {
  const own = [...(await namedValues(response, where)), ...absentMembers(response, where, others)]
  const ofOthers = await Promise.all(others.map((other) => namedValues(other, where)))
  const theirs = [...ofOthers.flat(), ...addressesIn(response, own)]
  return own.flatMap(({ wrong, value }) => {
    const place = JSON.stringify(wrong)
    const there = theirs.filter((other) => other.value !== value && JSON.stringify(other.wrong) === place)
    return [...new Set(there.map((other) => other.value))]
      .slice(-mostOthers)
      .map((as) => ({ ...wrong, how: { as } }) as WrongAnswer)
  })
}

/** Each address in an answer, in place of each that words name. */
function addressesIn({ json }: HttpResponse, own: readonly { wrong: object; value: unknown }[]) {
  const addresses = isObject(json)
    ? Object.values(json).filter((value) => typeof value === 'string' && isUrl(value))
    : []
  return own
    .filter(({ value }) => addresses.includes(value))
    .flatMap(({ wrong }) => addresses.map((value) => ({ wrong, value })))
}

/** What words name first that other answers have, and this one does not. */
function absentMembers({ json }: HttpResponse, where: string, others: readonly HttpResponse[]) {
  const [, name = ''] = named.exec(where) ?? []
  if (!isObject(json) || name in json || !others.some((other) => isObject(other.json) && name in other.json)) return []
  return [{ wrong: { what: 'member' as const, path: [name] }, value: undefined }]
}

/** The values that words name, each with where it stands. */
async function namedValues(response: HttpResponse, where: string) {
  const isMeant = (path: Path) => isNamed(String(path.at(-1)), where)
  const jwts = await Promise.all(
    jwtPlaces(response).map(async (at) => {
      const { claims } = (await openedJwt(textAt(response, at))) ?? {}
      return placesIn({ claims })
        .filter(({ path }) => isMeant(path))
        .map(({ path, value }) => ({ wrong: { what: 'JWT' as const, at, path }, value }))
    }),
  )
  const members = placesIn(response.json).filter(({ path }) => isMeant(path))
  const parameters = parameterNames(response.location).filter((name) => isNamed(name, where))
  return [
    ...members.map(({ path, value }) => ({ wrong: { what: 'member' as const, path }, value })),
    ...parameters.map((name) => ({
      wrong: { what: 'parameter' as const, name },
      value: parameterOf(response, name),
    })),
    ...jwts.flat(),
  ]
}

/** A claim that nobody asked for. */
export const unasked = 'unheard_of'

/** What stands where nothing should. */
const addedValues = ['unheard-of', ['unheard-of'], true]

/** What is no success where it was one, and the other way round; the failures that say more than that something is refused; another redirect. */
function wrongStatuses(status: number): number[] {
  const redirect = status >= 300 && status < 400 ? [301] : []
  return [...redirect, status < 400 ? 400 : 200, 500, 404, 401, 201].filter((wrong) => wrong !== status)
}

/** What a header or a parameter can be: it is a text whatever becomes of it. */
const textHows = howsOf('').filter((how) => how !== 'of another type')

/** Each JWT of an answer with one thing wrong in its header or its claims, or with a list for its claims. */
async function wrongJwts(
  response: HttpResponse,
  added: (known: readonly unknown[]) => string[],
): Promise<WrongAnswer[]> {
  const found = await Promise.all(
    jwtPlaces(response).map(async (at) => {
      const jwt = await openedJwt(textAt(response, at))
      if (!jwt) return []
      const { claims } = jwt
      const absent = added(Object.keys(claims)).map((name) => ({ path: ['claims', name], value: '' }))
      const parts = [...placesIn(jwt).filter(({ path }) => path.length > 1), ...absent].flatMap(({ path, value }) =>
        howsOf(value).map((how) => ({ what: 'JWT' as const, at, path, how })),
      )
      return [...parts, { what: 'JWT' as const, at, path: ['claims'], how: { as: [] } }]
    }),
  )
  return found.flat()
}

/** Where a JWT may stand. */
function jwtPlaces({ json, location }: HttpResponse): JwtPlace[] {
  return [
    { what: 'body' },
    ...(isObject(json) ? Object.keys(json) : []).map((name) => ({ what: 'member' as const, name })),
    ...parameterNames(location).map((name) => ({ what: 'parameter' as const, name })),
  ]
}

function textAt(response: HttpResponse, place: JwtPlace): unknown {
  if (place.what === 'body') return response.text.trim()
  if (place.what === 'member') return response.member(place.name)
  return parameterOf(response, place.name)
}

/** A parameter of the address, as a number where it is one. */
function parameterOf({ location = '' }: HttpResponse, name: string): unknown {
  const { query, fragment } = partsOf(location)
  const value = query.get(name) ?? fragment.get(name)
  return /^\d+$/.test(value ?? '') ? Number(value) : value
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
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
  const { headers } = response
  switch (wrong.what) {
    case 'status':
      return changed(response, wrong.status < 400 ? { status: wrong.status } : refusal(headers, wrong.status))
    case 'body':
      return changed(response, { text: bodies[wrong.how] })
    case 'address':
      return changed(response, { headers: { ...headers, location: elsewhere(response) } })
    case 'redirect':
      return changed(response, {
        status: 303,
        headers: { ...headers, location: elsewhere(response, refused) },
        text: '',
      })
    case 'header': {
      const { [wrong.name]: value, ...others } = headers
      const other = wrongly(String(value), wrong.how)
      return changed(response, {
        headers: other === undefined ? others : { ...others, [wrong.name]: String(other) },
      })
    }
    case 'parameter': {
      const value = parameterOf(response, wrong.name)
      return withParameter(response, wrong.name, () => wrongly(value, wrong.how), wrong.how === 'twice')
    }
    case 'member':
      return withMember(response, wrong.path, (value) => wrongly(value, wrong.how))
    case 'JWT': {
      const { at, path, how } = wrong
      const other = await withChanged(String(textAt(response, at)), (jwt) =>
        changedAt(jwt, path, (value) => wrongly(value, how)),
      )
      if (at.what === 'body') return changed(response, { text: other })
      if (at.what === 'member') return withMember(response, [at.name], () => other)
      return withParameter(response, at.name, () => other)
    }
  }
}

function changed(
  { request, status, headers, text, evidence }: HttpResponse,
  to: { status?: number; headers?: HttpResponse['headers']; text?: string },
): HttpResponse {
  return new HttpResponse(request, to.status ?? status, to.headers ?? headers, to.text ?? text, evidence)
}

/** The answer with another value at a place of its body. */
function withMember(response: HttpResponse, path: Path, change: (value: unknown) => unknown): HttpResponse {
  return changed(response, { text: JSON.stringify(changedAt(response.json, path, change)) })
}

/** The answer with another value for a parameter of its address, or with its value once more in query and fragment. */
function withParameter(response: HttpResponse, name: string, change: () => unknown, repeated = false): HttpResponse {
  const { query, fragment, joined } = partsOf(response.location ?? '')
  const holding = [query, fragment].filter((one) => one.has(name))
  const value = holding[0]?.get(name)
  if (repeated) for (const part of [query, fragment]) part.append(name, String(value))
  else
    for (const part of holding.length > 0 ? holding : [query]) {
      const other = change()
      if (other === undefined) part.delete(name)
      else part.set(name, String(other))
    }
  return changed(response, { headers: { ...response.headers, location: joined() } })
}

/** An address that nobody registered, as rules ask to be sent to in a request object too. */
const unregistered = 'https://unregistered.example.com/callback'

/** The same, with a refusal. */
const refused = `${unregistered}?error=invalid_request`

/** Where the request asked to be sent, or to an unregistered address, with what the answer carries. */
function elsewhere({ request, location }: HttpResponse, carrying = unregistered): string {
  const { searchParams } = new URL(request.url)
  const asked = searchParams.get('redirect_uri') ?? searchParams.get('post_logout_redirect_uri') ?? ''
  const { search, hash } = new URL(location ?? carrying)
  const url = new URL(isUrl(asked) ? asked : unregistered)
  url.search = search
  url.hash = hash
  return url.href
}

/** A refusal in place of what was answered. */
function refusal({ location: _, ...headers }: HttpResponse['headers'], status: number) {
  return {
    status,
    headers: { ...headers, 'content-type': 'application/json' },
    text: JSON.stringify({ error: 'server_error', error_description: 'it is refused' }),
  }
}
