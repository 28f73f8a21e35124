/** Where in an object a value stands: names of members, and numbers of elements. */
export type Path = readonly (string | number)[]

/** What becomes of a value: one of the ways that go for any, or what another answer says there. */
export type How = keyof typeof values | { as: unknown }

/** Seconds, or whatever else a number counts, that are more than any tolerance. */
const aLot = 1_000_000_000

/** Seconds before any time that is a year ahead, and within any that is told of as Unix time. */
const twoYears = 2 * 365 * 86_400

/** Seconds that are more than a tolerance, and turn no order of two times round that are a year apart. */
const aLittle = 7200

/** Seconds that are within a tolerance. */
const aMoment = 60

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
  'something else alone': (value: unknown) => (Array.isArray(value) ? ['unheard-of'] : undefined),
  'no day of the calendar': (value: unknown) => String(value).replace(/-\d{2}-\d{2}T/, '-02-30T'),
  twice: (value: unknown) => (Array.isArray(value) ? [...value, value.at(-1)] : `${value} ${value}`),
} satisfies Record<string, (value: unknown) => unknown>

/** Of numbers alone. */
const ofNumbers: readonly (keyof typeof values)[] = ['less', 'a little more', 'a little less', 'a moment ago']

/** Of lists alone. */
const ofLists: readonly (keyof typeof values)[] = ['something else alone']

function otherValue(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + aLot
  if (Array.isArray(value)) return [...value, 'unheard-of']
  if (typeof value === 'object' && value !== null) return {}
  return 'unheard-of'
}

/** What a value is wrong as. */
export function wrongly(value: unknown, how: How): unknown {
  return typeof how === 'object' ? how.as : values[how](value)
}

/** What can become of a value. */
export function howsOf(value: unknown): (keyof typeof values)[] {
  const cannot = [...(typeof value === 'number' ? [] : ofNumbers), ...(Array.isArray(value) ? [] : ofLists)]
  return (Object.keys(values) as (keyof typeof values)[]).filter((how) => !cannot.includes(how))
}

/** Whether words name a member or a header: access_token as "access token", too. */
export function isNamed(name: string, words: string): boolean {
  const spaced = (text: string) => text.replaceAll(/[_-]/g, ' ')
  return spaced(words).includes(spaced(name))
}

/** Levels of an object that are looked into. */
const deepest = 4

/** Every place within an object, with what stands there; none in what is no object. */
export function placesIn(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  if (typeof value !== 'object' || value === null || path.length === deepest) return []
  const named: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return named.flatMap(([name, inner]) => {
    const place = [...path, name]
    return [{ path: place, value: inner }, ...placesIn(inner, place)]
  })
}

/** The object with another value at a place; without what was there where that is undefined. */
export function changedAt(object: unknown, [name = '', ...rest]: Path, change: (value: unknown) => unknown): unknown {
  const inner = (object as Record<string | number, unknown>)[name]
  const other = rest.length > 0 ? changedAt(inner, rest, change) : change(inner)
  if (Array.isArray(object)) return object.toSpliced(Number(name), 1, ...(other === undefined ? [] : [other]))
  const { [name]: _, ...others } = object as Record<string, unknown>
  return other === undefined ? others : { ...others, [name]: other }
}
