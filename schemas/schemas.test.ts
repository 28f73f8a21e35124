import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { schema, schemaNames, validate } from './index.js'
import { packageFile } from './package-file.js'

interface Reject {
  why: string
  value: unknown
}

function examples<T>(name: string, kind: 'accept' | 'reject'): T[] {
  const file = packageFile(`schemas/examples/${name}.${kind}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

/** Every object of the schema that is none of the named lists of schemas. */
function subschemas(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.entries(value).flatMap(([key, part]) =>
    ['properties', '$defs'].includes(key) ? Object.values(part).flatMap(subschemas) : subschemas(part),
  )
  return Array.isArray(value) ? inside : [{ ...value }, ...inside]
}

const files = (folder: string, suffix: string) =>
  readdirSync(packageFile(folder))
    .filter((file) => file.endsWith(suffix))
    .sort()

test('the list of names is the list of files', () => {
  expect([...schemaNames]).toEqual(files('schemas', '.schema.json').map((file) => file.replace('.schema.json', '')))
})

test('every file of examples belongs to a schema', () => {
  const expected = schemaNames.flatMap((name) => [`${name}.accept.json`, `${name}.reject.json`])
  expect(files('schemas/examples', '.json')).toEqual(expected.sort())
})

describe.each([...schemaNames])('%s', (name) => {
  test('is a schema of JSON Schema 2020-12 with $id, title and description', () => {
    const metaSchemas = new Ajv2020()
    expect(metaSchemas.validateSchema(schema(name)) || metaSchemas.errors).toBe(true)
    expect(schema(name)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: expect.stringMatching(`/${name}\\.schema\\.json$`),
      title: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
    })
  })

  test('describes each pattern and combination, for the description is what people are told', () => {
    const parts = subschemas(schema(name)).filter((part) => 'pattern' in part || 'not' in part || 'anyOf' in part)
    expect(parts.filter((part) => typeof part.description !== 'string')).toEqual([])
  })

  test('accepts its good examples', () => {
    const values = examples<unknown>(name, 'accept')
    expect(values).not.toEqual([])
    expect(values.map((value) => validate(name, value))).toEqual(values.map(() => []))
  })

  test('rejects its bad examples, each for one thing', () => {
    const rejects = examples<Reject>(name, 'reject')
    expect(rejects).not.toEqual([])
    const places = ({ value }: Reject) => [...new Set(validate(name, value).map(({ path }) => path))]
    expect(
      rejects.filter((reject) => places(reject).length !== 1).map(({ why, value }) => [why, validate(name, value)]),
    ).toEqual([])
  })
  test('says what is wrong in words that can stand in error_description', () => {
    const reported = examples<Reject>(name, 'reject').flatMap(({ value }) =>
      validate(name, value).map(({ message }) => message),
    )
    expect(reported.filter((message) => !/^[\x20\x21\x23-\x5B\x5D-\x7E]+\.$/.test(message))).toEqual([])
  })
})
