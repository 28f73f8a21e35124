import fc from 'fast-check'
import { type SchemaName, schema, schemaNames } from '../../schemas/index.js'
import { hostileJson } from './fuzz-texts.js'

/** A JSON Schema (draft 2020-12), of which the keywords of our own schemas are read. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** Text that stands in JSON as it is. */
class Raw {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An object, of which a name may come more than once. */
class Members {
  readonly entries: [string, unknown][]

  constructor(entries: [string, unknown][]) {
    this.entries = entries
  }
}

function written(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (value instanceof Members) {
    return `{${value.entries.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** What a text is that names something, or has a form of its own. */
const texts = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    'openid profile.name',
    'https://app.example/cb',
    'jana',
    'loa2',
    'PS512',
    'cs',
    'code',
    '2030-01-31T12:00:00Z',
    '1990-02-03',
    'a@b.example',
    '+420777123456',
    'GET /auth',
  ),
)

const maxDepth = 6

function list(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? (value as JsonSchema[]) : []
}

function referred(reference: string, whole: JsonSchema): [JsonSchema, JsonSchema] {
  const [file = '', pointer = ''] = reference.split('#')
  const name = schemaNames.find((one) => file === `${one}.schema.json`)
  const from: JsonSchema = name ? schema(name as SchemaName) : whole
  const found = pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => Reflect.get(part as object, key), from)
  return [(found ?? {}) as JsonSchema, from]
}

function object(one: JsonSchema, whole: JsonSchema, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries((one.properties ?? {}) as Record<string, JsonSchema>)
  const required = (one.required ?? []) as string[]
  const members = properties.map(([name, of]) => {
    const member = valuesOf(of, whole, depth + 1).map((value): [string, unknown] => [name, value])
    const [there, missing] = required.includes(name) ? [50, 1] : [1, 24]
    return fc.oneof({ weight: there, arbitrary: member }, { weight: missing, arbitrary: fc.constant(null) })
  })
  return fc.tuple(...members).map((entries) => new Members(entries.filter((entry) => entry !== null)))
}

const byType: Record<string, (one: JsonSchema, whole: JsonSchema, depth: number) => fc.Arbitrary<unknown>> = {
  string: () => texts,
  integer: ({ minimum = 0, maximum = 1_000 }) =>
    fc.integer({ min: Number(minimum), max: Math.max(Number(minimum), Number(maximum)) }),
  number: () => fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: (one, whole, depth) => fc.array(valuesOf((one.items ?? {}) as JsonSchema, whole, depth + 1), { maxLength: 2 }),
  object,
}

/** Values as a schema says, or nearly so: what is too deep, and what it leaves open, is anything. */
export function valuesOf(one: JsonSchema, whole: JsonSchema = one, depth = 0): fc.Arbitrary<unknown> {
  // A schema may be true or false as well: whatever it is then is right, or wrong.
  if (depth > maxDepth || typeof one !== 'object') return fc.constant(null)
  if (typeof one.$ref === 'string') {
    const [target, from] = referred(one.$ref, whole)
    return valuesOf({ ...target, ...(one.required ? { required: one.required } : {}) }, from, depth)
  }
  if ('const' in one) return fc.constant(one.const)
  if (Array.isArray(one.enum)) return fc.constantFrom(...one.enum)
  const choices = [...list(one.oneOf), ...list(one.anyOf)]
  if (choices.length > 0 && one.properties === undefined) {
    return fc.oneof(...choices.map((choice) => valuesOf(choice, whole, depth + 1)))
  }
  const known = [one.type ?? (one.properties ? 'object' : 'string')].flat().map(String)
  return fc.oneof(...known.map((type) => (byType[type] ?? (() => texts))(one, whole, depth)))
}

type Change = 'replace' | 'drop' | 'twice' | 'wrap' | 'add'

interface Mutation {
  /** Which of the members on the way is taken, as a part of all there are. */
  way: number[]
  how: Change
  text: string
}

const longText = JSON.stringify('x'.repeat(9_000))
const mutations: fc.Arbitrary<Mutation> = fc.record({
  way: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 4 }),
  how: fc.constantFrom<Change>('replace', 'replace', 'replace', 'drop', 'twice', 'wrap', 'add'),
  text: fc.oneof(hostileJson, fc.constantFrom(longText, '"\\u0000"', '"\\ud800"', '1e400', '"\\u202e"', '-0')),
})

const strangeNames = ['__proto__', 'constructor', 'toString', 'x', '', '\0']

function mutatedMember(entry: [string, unknown], { how, text }: Mutation): [string, unknown][] {
  const [name, value] = entry
  if (how === 'drop') return []
  if (how === 'twice') return [entry, [name, new Raw(text)]]
  if (how === 'wrap') return [[name, [value]]]
  if (how === 'add') return [entry, [strangeNames[text.length % strangeNames.length] ?? 'x', new Raw(text)]]
  return [[name, new Raw(text)]]
}

/** A value with one place in it changed. */
function changed(value: unknown, { way: [part = 0, ...way], how, text }: Mutation): unknown {
  if (value instanceof Members && value.entries.length > 0) {
    const at = Math.floor(part * value.entries.length)
    return new Members(
      value.entries.flatMap((entry, index): [string, unknown][] => {
        if (index !== at) return [entry]
        const further = way.length > 0 && (entry[1] instanceof Members || Array.isArray(entry[1]))
        return further ? [[entry[0], changed(entry[1], { way, how, text })]] : mutatedMember(entry, { way, how, text })
      }),
    )
  }
  if (Array.isArray(value) && value.length > 0) {
    const at = Math.floor(part * value.length)
    return value.map((item, index) => (index === at ? changed(item, { way, how, text }) : item))
  }
  return new Raw(text)
}

/**
 * JSON of a schema, in which up to two places are changed: a member has a value of another kind, is missing, comes twice, or has a stranger beside
 * it. What is good is set over it first.
 */
export function jsonOf(one: JsonSchema): fc.Arbitrary<(good?: object) => string> {
  const parts = fc.tuple(valuesOf(one), fc.array(mutations, { maxLength: 2 }), fc.nat({ max: 3 }))
  return parts.map(([value, changes, as]) => (good = {}) => {
    // What is good in all comes through as well.
    if (as === 0 && Object.keys(good).length > 0) return JSON.stringify(good)
    const whole =
      value instanceof Members
        ? new Members([
            ...value.entries.filter(([name]) => !Object.hasOwn(good, name)),
            ...Object.entries(good).map(([name, member]): [string, unknown] => [name, membersOf(member)]),
          ])
        : value
    return written(changes.reduce(changed, whole))
  })
}

/** A good value as one that can be changed in each of its places. */
function membersOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(membersOf)
  if (typeof value !== 'object' || value === null) return value
  return new Members(Object.entries(value).map(([name, member]) => [name, membersOf(member)]))
}
