import fc from 'fast-check'
import { inputSchema } from '../../bank-idp/control/operation.js'
import { operations } from '../../bank-idp/control/operations/index.js'
import { type JsonSchema, jsonOf } from './fuzz-schemas.js'
import type { Make } from './fuzz-values.js'

/** What is left out: the clock is every bank's of the process, and nobody waits for a request that never comes. */
const leftOut = ['changeClock', 'waitForRequest']

/** What an operation is given besides: trouble that is late would look like a hang. */
const besides: Readonly<Record<string, object>> = { addTrouble: { delay_seconds: 0.01 } }

const asked = operations.filter(({ id }) => !leftOut.includes(id))

/** The names in a path, by what is good or by what is not. */
const segment = fc.constantFrom('jana', 'x', '__proto__', '1', '-1', '%00', '%ff', 'a%2Fb', 'x'.repeat(4_000))

/** Every operation of the control door, with members by its own schema; at a bank whose state matters to nobody else. */
export const doorBySchema: fc.Arbitrary<Make> = fc
  .constantFrom(...asked)
  .chain((operation) =>
    fc.tuple(
      fc.constant(operation),
      jsonOf(inputSchema(operation.input) as JsonSchema),
      segment,
      fc.constantFrom('application/json', 'application/json', 'text/plain', ''),
      fc.boolean(),
    ),
  )
  .map(
    ([{ id, method, path, example }, json, name, type, byExample]): Make =>
      () => {
        const text = json({ ...(byExample ? example.input : {}), ...besides[id] })
        return {
          door: true,
          beside: true,
          method: method.toUpperCase(),
          path: path.replace(/\{\w+\}/g, () => name),
          headers: type === '' ? undefined : { 'content-type': type },
          ...(method === 'post' && { body: text }),
        }
      },
  )
