import { type Authorization, parameterOf } from '../../bank/authorization.js'
import { ruleAboutStep } from '../../bank/steps.js'
import { idTokenOf } from '../../bank/token.js'
import { chargedToRule } from '../../evidence/failure.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { oddQuery } from '../support/odd-query.js'
import { answeredIn, doubtAboutIssuer, longState, oddState } from './redirected-error.js'

export const code = rule({
  id: 'authorization/code',
  requirement: 'AUTH-1',
  places: ['use=first value=right', 'member=iss'],
  title: 'A successful request ends in a 302 to the redirect URI with code and the unchanged state in the query',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect, warn }) {
    const { callback, parameters } = await bank.authorization()
    // Only a redirect to the registered redirect URI is taken for a callback.
    const { response, query, fragment } = callback
    expect(response).toHaveStatus(302)
    expect(query.get('error'), 'error of the callback', response).toBe(null)
    expect(query.get('code'), 'code in the query of the callback', response).toBeText()
    expect([...query.getAll('state')], 'every state in the query of the callback', response).toEqual([parameters.state])
    expect(answeredIn(fragment), 'what the fragment of the callback tells', response).toEqual([])
    const doubt = doubtAboutIssuer(response, bank.issuer)
    if (doubt) warn(doubt)
  },
})

export const redirectQuery = rule({
  id: 'authorization/redirect-uri-query',
  requirement: 'AUTH-1',
  places: [
    'member=query parameter=redirect_uri',
    'member=query parameter=redirect_uri value=other-type',
    'use=session-login member=query parameter=redirect_uri',
  ],
  title: 'A redirect URI that was registered with a query keeps it (RFC 6749 section 3.1.2)',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, inVariation }) {
    const { redirectUri } = await bank.client()
    const clientMetadata = { redirect_uris: [`${redirectUri}?${oddQuery}`] }
    const session = bank.session({ clientMetadata })
    for (const how of ['a login', 'a request in its session']) {
      await inVariation(how, async () => {
        const asked = await session.ask({})
        const { response, query } = asked.callback
        expect(query.get('code'), 'code in the query of the callback', response).toBeText()
        for (const [name, value] of new URLSearchParams(oddQuery))
          expect([...query.getAll(name)], `every ${name} in the query of the callback`, response).toEqual([value])
      })
    }
  },
})

/** What a request in a session may say beside what it has to. */
const besides = ['prompt', 'max_age', 'acr_values', 'ui_locales', 'id_token_hint'] as const

/** A code and the state that was sent, in the query of the callback and nowhere else. */
function expectState(expect: Expect, { callback: { response, query } }: Authorization, state: string): void {
  expect(response).toHaveStatus(302)
  expect(query.get('code'), 'code in the query of the callback', response).toBeText()
  expect([...query.getAll('state')], 'every state in the query of the callback', response).toEqual([state])
}

export const stateBeside = rule({
  id: 'authorization/state-beside',
  requirement: 'AUTH-1',
  places: besides.map((parameter) => `use=session-login parameter=${parameter}`),
  title: 'A new code and the unchanged state come back within a session, whatever else is asked for',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect, inVariation, skip }) {
    const session = bank.session({ clientMetadata: { client_name: 'Conformance sessions' } })
    const signedIn = await session.signIn()
    const codes = [parameterOf(signedIn.authorization, 'code')]
    const hint = await idTokenOf(signedIn.response)
    const asked: Readonly<Record<(typeof besides)[number], readonly string[]>> = {
      prompt: ['none', 'consent', 'login'],
      max_age: ['3600'],
      acr_values: ['loa2', 'loa3'],
      ui_locales: ['cs'],
      id_token_hint: [hint],
    }
    let isAnswered = false
    for (const parameter of besides) {
      for (const value of asked[parameter]) {
        await inVariation(`${parameter} ${parameter === 'id_token_hint' ? '' : value}`.trim(), async () => {
          const authorization = await session.ask({ parameters: { [parameter]: value } })
          // That there is a code is the business of the rules about each parameter.
          if (parameterOf(authorization, 'code') === null) return
          isAnswered = true
          expectState(expect, authorization, authorization.parameters.state)
          const { response, query } = authorization.callback
          const code = expect(query.get('code'), 'code of the callback', response)
          codes.push(code.toSatisfy((one) => !codes.includes(one), 'one that did not come before'))
        })
      }
    }
    if (!isAnswered) skip('the bank gives none of these requests a code')
  },
})

export const stateKept = rule({
  id: 'authorization/state',
  requirement: 'AUTH-1',
  places: [
    ...['first', 'session-login'].flatMap((use) =>
      ['encoded', 'equivalent', 'long'].map((value) => `use=${use} value=${value}`),
    ),
    ...['right', 'other-type'].map((value) => `use=session-login value=${value}`),
  ],
  title: 'state comes back unchanged whatever its characters and its length, in a login and in a session',
  needs: [...toLogIn, 'redirect'],
  async check({ bank, expect, inVariation }) {
    // What fails at a state alone, after it did not at another, is about the state.
    await bank.authorization()
    for (const [first, later] of [
      [oddState, longState],
      [longState, oddState],
    ] as const) {
      const session = bank.session({ clientMetadata: { client_name: 'Conformance sessions' } })
      await inVariation(`a login with a state of ${first.length} characters`, async () => {
        const { authorization } = await chargedToRule([ruleAboutStep.authorization], () =>
          session.signIn({ parameters: { state: first } }),
        )
        expectState(expect, authorization, first)
      })
      // What reads as a number, as nothing or as JSON is a state like any other.
      for (const [what, state] of [
        [`${later.length} characters`, later],
        ['digits', '007'],
        ['nought', '0'],
        ['JSON', '{"conformance":1}'],
      ] as const) {
        await inVariation(`a request in a session with a state of ${what}`, async () =>
          expectState(expect, await session.ask({ parameters: { state } }), state),
        )
      }
    }
  },
})
