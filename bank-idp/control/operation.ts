import type { RequestListener } from 'node:http'
import { checkAgainst } from '../../schemas/index.js'
import type { LoginOutcome } from '../callback-messages.js'
import type { BankContext } from '../context.js'
import { BankError } from '../errors.js'
import type { NextLogins } from '../next-logins.js'
import type { Database } from '../store/database.js'
import { tellViolation } from '../tell-violation.js'
import type { MadeKeys } from './client-keys.js'

/** What a bank is taken back to. */
export interface BankState {
  store: Buffer
  faults: { id: string; clientId?: string | undefined }[]
  outcomes: { client: string; outcome: LoginOutcome }[]
  nextLogins: NextLogins
}

/** What operations work on: a running bank. */
export interface Bench {
  /** The bank's application: what an operation does as a client, or as a person with a browser, it does through here. */
  app: RequestListener
  context: BankContext
  madeKeys: MadeKeys
  /** By their ids, the first one first. */
  snapshots: Map<string, BankState>
  /** The open store. */
  store(): Database
  /**
   * Puts the bank together anew over another store, with these faults and outcomes, when what is under way is answered and no other
   * exchange is; {@link Bench.context} is another then. Where it fails the bank is as it was.
   *
   * @param open given the store that is in force, when nothing is under way in it
   */
  exchange(open: (former: Database) => Promise<Database>, state: Omit<BankState, 'store'>): Promise<void>
  /** Does something when what is under way is answered and no exchange is; requests wait for its end. */
  still<Result>(work: () => Promise<Result>): Promise<Result>
  /** @throws {BankError} temporarily_unavailable once the bank was closed: what operations work on is gone */
  checkOpen(): void
}

/** A JSON Schema (draft 2020-12). */
export type JsonSchema = Record<string, unknown>

/** What goes into an operation: an object of these members and no others. */
export interface InputSchema {
  required?: readonly string[]
  properties: Readonly<Record<string, JsonSchema>>
}

/**
 * One thing that can be done to a running bank. The control API serves each operation at its route, and describes it by its schemas; the
 * methods of {@link Bank} are the same operations.
 */
export interface Operation<Input extends object = object, Output = unknown> {
  /** Its name in the OpenAPI document. */
  id: string
  method: 'get' | 'post'
  /** Below the address of the control API; `{name}` is a member of the input. */
  path: string
  /** A sentence for the OpenAPI document. */
  summary: string
  input: InputSchema
  output: JsonSchema
  /** An input that is right and an output of the kind: shown in the OpenAPI document. */
  example: { input: Input; output: Output }
  /** @throws {BankError} saying what was meant */
  run(bench: Bench, input: Input): Output | Promise<Output>
}

/** Input schemas as the validator takes them: made once, since it compiles each schema that it has not seen. */
const whole = new WeakMap<InputSchema, JsonSchema>()

/** The schema of the whole input, closed: a member of another name is a mistake of whoever sent it. */
export function inputSchema(input: InputSchema): JsonSchema {
  const made = whole.get(input) ?? { type: 'object', additionalProperties: false, ...input }
  whole.set(input, made)
  return made
}

/**
 * Does an operation, as each door does it.
 *
 * @param spelling how whoever asks writes the name of a member, for what is told of it
 * @throws {BankError} invalid_request naming each member that is wrong and what it has to be; temporarily_unavailable once the bank was closed
 */
export async function perform<Input extends object, Output>(
  operation: Operation<Input, Output>,
  bench: Bench,
  input: Input,
  spelling: (member: string) => string = (member) => member,
): Promise<Output> {
  bench.checkOpen()
  const violations = checkAgainst(inputSchema(operation.input), input)
  if (violations.length > 0) {
    const known = Object.keys(operation.input.properties)
    throw new BankError(
      'invalid_request',
      violations
        .map((one) => {
          if (one.path.lastIndexOf('/') > 0) return tellViolation(one, [])
          // Values have no names of members in them.
          const names = new Set([...known, one.path.slice(1)])
          return tellViolation(one, known).replace(/\w+/g, (word) => (names.has(word) ? spelling(word) : word))
        })
        .join(' '),
    )
  }
  await bench.context.shared.fresh()
  return operation.run(bench, input)
}
