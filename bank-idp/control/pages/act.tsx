import { BankError } from '../../errors.js'
import type { InputSchema, JsonSchema, Operation } from '../operation.js'
import { root } from './layout.js'
import type { View } from './view.js'

interface Act {
  view: View
  operation: Pick<Operation, 'id' | 'input'>
  /** What the button says. */
  label: string
  /** The members of the input that are decided here. */
  fixed?: object
  /** The members that a person may give; none: a button alone. */
  fields?: readonly string[]
  /** Whether what comes of it is shown, in place of the page again. */
  tells?: boolean
  danger?: boolean
}

/** A member's type, where it has one alone. */
const typeOf = ({ type }: JsonSchema) => (Array.isArray(type) ? type.find((one) => one !== 'null') : type)

/** What a member is called. */
const nameOf = (name: string) => name.replaceAll('_', ' ')

interface Field {
  /** Unique on the page. */
  id: string
  name: string
  schema: JsonSchema
  required: boolean
  /** What was given before. */
  value: string
}

function FieldOf({ id, name, schema, required, value }: Field) {
  const known = schema.enum as unknown[] | undefined
  const one = 'const' in schema ? [schema.const] : undefined
  const options = known ?? one ?? (typeOf(schema) === 'boolean' ? [true, false] : undefined)
  const form = { array: 'one in a line', object: 'JSON' }[String(typeOf(schema))]
  const told = [schema.description, form].filter(Boolean).join('; ')
  const help = told === '' ? undefined : `${id}.help`
  const common = { id, name: `in.${name}`, required, 'aria-describedby': help }
  const control =
    options !== undefined ? (
      <select {...common}>
        {!required && <option value="" />}
        {options
          .filter((one) => one !== null)
          .map((one) => (
            <option key={String(one)} value={String(one)} selected={String(one) === value}>
              {String(one)}
            </option>
          ))}
      </select>
    ) : ['array', 'object'].includes(String(typeOf(schema))) ? (
      <textarea {...common} spellcheck={false} autocapitalize="none">
        {value}
      </textarea>
    ) : ['number', 'integer'].includes(String(typeOf(schema))) ? (
      <input type="number" step={typeOf(schema) === 'integer' ? '1' : 'any'} {...common} value={value} />
    ) : (
      <input type="text" {...common} value={value} autocomplete="off" autocapitalize="none" spellcheck={false} />
    )
  return (
    <div>
      <label for={id}>{nameOf(name)}</label>
      {control}
      {help !== undefined && <small id={help}>{told}</small>}
    </div>
  )
}

/** A form that does an operation of the control API: its fields are what the operation takes. */
export function Act({ view, operation, label, fixed = {}, fields = [], tells = false, danger = false }: Act) {
  const { secret, here, mistake } = view
  const carried = JSON.stringify(fixed)
  const mine = mistake?.operation === operation.id && mistake.fixed === carried ? mistake : undefined
  const { properties, required = [] } = operation.input
  return (
    <form method="post" action={`${root}/do/${operation.id}`} class={fields.length === 0 ? 'inline' : undefined}>
      <input type="hidden" name="secret" value={secret} />
      <input type="hidden" name="back" value={here} />
      <input type="hidden" name="fixed" value={carried} />
      {tells && <input type="hidden" name="tells" value="yes" />}
      {mine && (
        <p class="alert" role="alert">
          {mine.message}
        </p>
      )}
      {fields.length > 0 && (
        <div class="fields">
          {fields.map((name) => (
            <FieldOf
              key={name}
              id={encodeURIComponent(`${operation.id}.${carried}.${name}`)}
              name={name}
              schema={properties[name] ?? {}}
              required={required.includes(name)}
              value={mine?.given[name] ?? ''}
            />
          ))}
        </div>
      )}
      <button type="submit" class={danger ? 'danger' : undefined}>
        {label}
      </button>
    </form>
  )
}

/** A field's text as the operation takes it. @throws {BankError} where it is none of its kind */
function readField(name: string, text: string, schema: JsonSchema): unknown {
  if ('const' in schema) return schema.const
  switch (typeOf(schema)) {
    case 'number':
    case 'integer':
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'array':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean)
    case 'object':
      try {
        return JSON.parse(text)
      } catch (cause) {
        throw new BankError('invalid_request', `${nameOf(name)} is not JSON: ${(cause as Error).message}`, { cause })
      }
    default:
      return text
  }
}

/** The texts of a form's fields, by their names. */
export function givenIn(form: URLSearchParams): Record<string, string> {
  const fields = [...form].filter(([name]) => name.startsWith('in.'))
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(3), value]))
}

/**
 * What a form asks an operation for; a field without a text is left out.
 *
 * @throws {BankError} naming what cannot be read
 */
export function inputIn(form: URLSearchParams, { properties }: InputSchema): object {
  const fixed = readField('fixed', form.get('fixed') || '{}', { type: 'object' }) as object
  const given = Object.entries(givenIn(form)).filter(([, text]) => text.trim() !== '')
  const read = given.map(([name, text]) => [name, readField(name, text.trim(), properties[name] ?? {})])
  return { ...fixed, ...Object.fromEntries(read) }
}
