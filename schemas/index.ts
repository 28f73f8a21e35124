import { readFileSync } from 'node:fs'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { packageFile } from './package-file.js'
import { type Violation, violations } from './violation.js'

export { dotted, formatViolation, type Violation } from './violation.js'

/** The schemas of this folder: NAME stands for the file NAME.schema.json. */
export const schemaNames = [
  'attestations',
  'claims',
  'control-advance',
  'control-change',
  'control-clock',
  'control-outbox',
  'control-person',
  'discovery',
  'document-object',
  'document-objects',
  'error',
  'health',
  'introspection-response',
  'key-set',
  'logout-token',
  'manifest',
  'notification-token',
  'person',
  'profile',
  'refresh-response',
  'registration-error',
  'registration-record',
  'registration-request',
  'registration-response',
  'report',
  'request-object',
  'sign-object',
  'structured-scope',
  'target',
  'token-response',
  'user-stat-request',
  'user-stat-response',
  'userinfo',
  'waivers',
] as const

export type SchemaName = (typeof schemaNames)[number]

const schemas = new Map<SchemaName, AnySchemaObject>()

/** The schema itself, as its file has it. */
export function schema(name: SchemaName): AnySchemaObject {
  const known = schemas.get(name) ?? JSON.parse(readFileSync(packageFile(`schemas/${name}.schema.json`), 'utf8'))
  schemas.set(name, known)
  return known
}

let compiler: Ajv2020 | undefined

/** One compiler for all, made at the first use. It knows every schema by name and compiles each when first asked for it. */
function ajv(): Ajv2020 {
  if (compiler) return compiler
  // For a quick start: the tests hold the schemas against their meta-schema, and a compiled check need not be the fastest.
  const made = new Ajv2020({
    strict: true,
    strictRequired: false,
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    validateSchema: false,
    code: { optimize: false },
  })
  ajvFormats.default(made)
  made.addKeyword({
    keyword: 'uniqueItemProperties',
    type: 'array',
    schemaType: 'array',
    validate: uniqueItemProperties,
  })
  for (const name of schemaNames) made.addSchema(schema(name), name)
  compiler = made
  return made
}

/** Keyword uniqueItemProperties: no two items of the list that have a named member, and not as null, have the same value of it. */
function uniqueItemProperties(members: string[], items: unknown[]): boolean {
  return members.every((member) => {
    const values = items
      .flatMap((item) => (item && typeof item === 'object' ? [Reflect.get(item, member)] : []))
      .filter((value) => value !== undefined && value !== null)
    return new Set(values).size === values.length
  })
}

/**
 * Holds a value against a schema. The list is empty when the value is as the schema says; else it names every violation.
 * @throws Error when the schema itself is broken
 */
export function validate(name: SchemaName, value: unknown): Violation[] {
  const check = ajv().getSchema(name)
  if (!check) throw new Error(`There is no schema ${name}.`)
  return check(value) ? [] : violations(check.errors ?? [])
}

/**
 * The same, for a schema that is no file of this folder. It is compiled once for each object that it is.
 * @throws Error when the schema itself is broken
 */
export function checkAgainst(described: AnySchemaObject, value: unknown): Violation[] {
  const check = ajv().compile(described)
  return check(value) ? [] : violations(check.errors ?? [])
}
