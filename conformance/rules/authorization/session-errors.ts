import { isDeepStrictEqual } from 'node:util'
import { parameterOf } from '../../bank/authorization.js'
import { errorOf } from '../../bank/authorization-answer.js'
import type { Session, SessionRequest } from '../../bank/session.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { identificationAlways, parametersAlways } from './checked-always.js'
import { type Answer, allowed, redirect } from './error-row.js'
import { identificationRows } from './identification-rows.js'
import { parameterRows } from './parameter-rows.js'

/** Where a request could be answered with a code on the spot, it is looked at as closely as where a page comes first. */

/** The rows of parameters whose check a bank may have put where it shows its pages; the prompt of these requests is none. */
const rowsInSession = [...identificationAlways, ...parametersAlways].filter((slug) => slug !== 'prompt-unsupported')

const silently = { prompt: 'none' }
const noCode = 'the bank gives no code for prompt=none in this session'

/** That a request with prompt=none is refused in a session where a good one was given a code. */
async function expectRefused(
  { expect }: Pick<Tools, 'expect'>,
  session: Session,
  { parameters, ...request }: SessionRequest,
  answers: readonly Answer[],
): Promise<void> {
  const response = await session.answer({ ...request, parameters: { ...silently, ...parameters } })
  const expected = answers.map(allowed)
  expect(errorOf(response), 'the answer to the request', response).toSatisfy(
    (answer) => expected.some((one) => isDeepStrictEqual(one, answer)),
    expected.join(' or '),
  )
}

export const refusalsInSession: readonly Rule[] = [...identificationRows, ...parameterRows]
  .filter(({ slug }) => rowsInSession.includes(slug))
  .map(({ slug, requirement, title, broken, answers }) =>
    rule({
      id: `authorization/${slug}-in-session`,
      requirement,
      places: ['use=session-login parameter=prompt'],
      title: `${title}, beside prompt=none in a session too`,
      needs: [...toLogIn, 'redirect'],
      async check({ bank, expect, skip }) {
        const [change] = Object.values(broken)
        const parameters =
          typeof change === 'function' ? await change(await bank.authorizationRequest.prepare(), bank) : change
        if (!parameters) return skip('this bank declares nothing that could be broken so')
        if (!(await bank.servesSilently())) return skip(noCode)
        await expectRefused({ expect }, await bank.sharedSession(), { parameters }, answers)
      },
    }),
  )

export const noneCombinedInSession = rule({
  id: 'authorization/prompt-none-combined-in-session',
  requirement: 'AUTH-14',
  places: ['use=session-login member=none'],
  title: 'prompt none beside another is 302 invalid_request in a session too, where none alone is given a code',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect, inVariation, skip }) {
    if (!(await bank.servesSilently())) return skip(noCode)
    const session = await bank.sharedSession()
    for (const prompt of ['none login', 'consent none']) {
      await inVariation(`prompt ${prompt}`, () =>
        expectRefused({ expect }, session, { parameters: { prompt } }, [redirect('invalid_request')]),
      )
    }
  },
})

export const unregisteredInSession = rule({
  id: 'authorization/scope-not-registered-in-session',
  requirement: 'AUTH-12',
  places: ['use=session-login scope=data parameter=prompt'],
  title: 'A scope that the client did not register is 302 invalid_scope, beside prompt=none in a session too',
  needs: [...toLogIn, ...toRegister, 'redirect'],
  async check({ bank, expect, skip }) {
    const [registered, other, further] = (await bank.client()).dataScopes
    if (!registered || !other) return skip('the bank declares fewer than two data scopes')
    // Of two that were approved one is asked for: consent to all of them may be shown again (AMB-46).
    const approved = ['openid', registered, ...(further ? [further] : [])].join(' ')
    const session = bank.session({
      clientMetadata: { client_name: 'Conformance few scopes, session', scope: approved },
    })
    await session.signIn({ scope: approved })
    const silent = await session.ask({ scope: `openid ${registered}`, parameters: silently })
    if (parameterOf(silent, 'code') === null) return skip(noCode)
    const scope = `openid ${registered} ${other}`
    await expectRefused({ expect }, session, { scope }, [redirect('invalid_scope')])
  },
})
