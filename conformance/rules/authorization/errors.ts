import { isDeepStrictEqual } from 'node:util'
import type { LoginOptions } from '../../bank/authorization.js'
import { errorIn, errorOf } from '../../bank/authorization-answer.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { asOwn, type Client } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { format } from '../../harness/expect.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toLogIn } from '../../target/needs.js'
import { isTaken } from '../request-object/by-reference.js'
import { identificationAlways, parametersAlways } from './checked-always.js'
import { type Answer, allowed, type Broken } from './error-row.js'
import { identificationRows } from './identification-rows.js'
import { implicitRows } from './implicit-rows.js'
import { parameterRows } from './parameter-rows.js'
import { takenAwayRows } from './taken-away-rows.js'

/** One way to break a request, and what is known of it. */
interface Trial {
  how: string
  change: Broken
  isReadable: boolean
}

/** The rows that are tried by a form too: in a dress that asks so. */
const rowsByForm = [...identificationAlways, ...parametersAlways]

/** Sends the good request broken in one way, and takes one of the answers allowed. @returns whether there was a way to break it */
async function expectAnswer(
  { bank, expect, reading, warn }: Tools,
  options: LoginOptions,
  { how, change: broken, isReadable }: Trial,
  answers: readonly Answer[],
): Promise<boolean> {
  const good = await bank.authorizationRequest.prepare(options)
  const changes = typeof broken === 'function' ? await broken(good, bank) : broken
  if (!changes) return false
  const response = await bank.authorizationRequest.modified(options, ({ parameters }) => ({
    parameters: { ...parameters, ...changes },
  }))
  if (isReadable && response.status < 400 && errorIn(response) === undefined) {
    warn(`${how} is taken`)
    return true
  }
  const got = errorOf(response)
  const accepted = answers.find(({ to, code }) => to === got.to && code === got.code)
  const expected = answers.map(allowed)
  expect(got, 'the answer to the request', response).toSatisfy(
    (answer) => expected.some((one) => isDeepStrictEqual(one, answer)),
    expected.join(' or '),
  )
  if (accepted?.reading) reading(...accepted.reading)
  return true
}

/** Has a PUT take something out of the record of a client. */
async function replaceWith(
  { bank }: Pick<Tools, 'bank'>,
  clientMetadata: Metadata,
  afterPut: (client: Client) => Metadata,
): Promise<void> {
  const client = await asOwn(await bank.registration(clientMetadata))
  await bank.replaceRecord(client, replacement(client, afterPut(client)))
}

/** The tables as rules, one for each row. */
export const refusals: readonly Rule[] = [
  ...identificationRows,
  ...parameterRows,
  ...implicitRows,
  ...takenAwayRows,
].map(
  ({ slug, requirement, places, title, needs = [], clientMetadata, good, afterPut, broken, readable = [], answers }) =>
    rule({
      id: `authorization/${slug}`,
      requirement,
      places: [...places, ...(rowsByForm.includes(slug) ? ['method=POST'] : [])],
      title,
      needs: [...toLogIn, ...needs],
      async check(tools) {
        const changed = clientMetadata ? await clientMetadata(tools.bank) : {}
        if (!changed) return tools.skip('the bank does not declare what such a client registers')
        const options = { clientMetadata: changed, ...(good && { parameters: good }) }
        if (good && !isTaken(await tools.bank.authorizationRequest.modified(options, (one) => one)))
          return tools.skip(`the bank does not take a request with ${format(good)}`)
        if (afterPut) await replaceWith(tools, changed, afterPut)
        const tried: boolean[] = []
        for (const [how, change] of Object.entries(broken)) {
          await tools.inVariation(`a request with ${how}`, async () => {
            const trial = { how, change, isReadable: readable.includes(how) }
            tried.push(await expectAnswer(tools, options, trial, answers))
          })
        }
        if (!tried.includes(true)) tools.skip('this bank declares nothing that could be left unregistered')
      },
    }),
)
