import { isDeepStrictEqual } from 'node:util'
import type { Parameters } from '../../bank/authorization.js'
import { errorIn, errorOf } from '../../bank/authorization-answer.js'
import { askedIn, type Session, type SessionRequest } from '../../bank/session.js'
import { type Rule, rule, type Tools } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { identificationAlways, parametersAlways } from './checked-always.js'
import { type Answer, allowed, redirect } from './error-row.js'
import { identificationRows } from './identification-rows.js'
import { parameterRows } from './parameter-rows.js'

/**
 * Where a request could be answered with a code on the spot, or shows nothing but consent, it is looked at as closely as where people sign in
 * first.
 */

/** The rows of parameters whose check a bank may have put where it shows its pages; the prompt of these requests is none. */
const rowsInSession = [...identificationAlways, ...parametersAlways].filter((slug) => slug !== 'prompt-unsupported')

const noSession = 'the bank keeps no session for prompt=none'

/** That a request is refused in a session where a good one that asks so was given a code, or shown consent. */
async function expectRefused(
  { expect }: Pick<Tools, 'expect'>,
  session: Session,
  { parameters, ...request }: SessionRequest,
  answers: readonly Answer[],
  asked: Parameters,
): Promise<void> {
  const broken = { ...request, parameters: { ...asked, ...parameters } }
  const answer = await session.answer(broken)
  // Whom a page is shown may be told after it.
  const isPage = asked.prompt === undefined && answer.status === 200 && !errorIn(answer)
  const response = isPage ? (await session.ask(broken)).callback.response : answer
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
        const asked = await bank.askedInSession()
        if (!asked) return skip(noSession)
        await expectRefused({ expect }, await bank.sharedSession(), { parameters }, answers, asked)
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
    const asked = await bank.askedInSession()
    if (!asked) return skip(noSession)
    const session = await bank.sharedSession()
    for (const prompt of ['none login', 'consent none']) {
      await inVariation(`prompt ${prompt}`, () =>
        expectRefused({ expect }, session, { parameters: { prompt } }, [redirect('invalid_request')], asked),
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
    const asked = await askedIn(session, { scope: `openid ${registered}` })
    if (!asked) return skip(noSession)
    const scope = `openid ${registered} ${other}`
    await expectRefused({ expect }, session, { scope }, [redirect('invalid_scope')], asked)
  },
})
