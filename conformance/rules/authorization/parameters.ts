import { type Authorization, addressOf, type Parameters, parameterOf } from '../../bank/authorization.js'
import { errorOf } from '../../bank/authorization-answer.js'
import type { Expect } from '../../harness/expect.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'

export const method = rule({
  id: 'authorization/method-unsupported',
  requirement: 'AUTH-37',
  title: 'An unsupported method on /auth is invalid_request',
  needs: toLogIn,
  async check({ bank, expect, inVariation, warn }) {
    for (const method of ['PUT', 'DELETE'] as const) {
      await inVariation(method, async () => {
        const response = await bank.authorizationRequest.modified({}, () => ({ method }))
        if (response.status === 405) warn(`${method} is answered with 405, where the specification says 302 or 400`)
        else {
          const { status, code } = errorOf(response)
          expect(status, 'the status of the answer', response).toBeOneOf([400, 302])
          expect(code, 'the error of the answer', response).toBe('invalid_request')
        }
      })
    }
  },
})

/** A request is served: its callback carries a code and no error. */
function expectCode(expect: Expect, authorization: Authorization): void {
  const { response } = authorization.callback
  expect(parameterOf(authorization, 'error'), 'error of the callback', response).toBe(null)
  expect(parameterOf(authorization, 'code'), 'code of the callback', response).toBeText()
}

export const claimsInvalid = rule({
  id: 'authorization/claims-invalid',
  requirement: 'AUTH-19',
  title: 'claims that are not a JSON object of the defined form are 302 invalid_request',
  needs: toLogIn,
  async check({ bank, expect, inVariation, reading }) {
    const codes: (string | undefined)[] = []
    for (const claims of ['{', '[]', '{"userinfo":1}', '{"id_token":["sub"]}']) {
      await inVariation(`claims ${claims}`, async () => {
        const response = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
          parameters: { ...parameters, claims },
        }))
        // Ignored when it is valid (claims_parameter_supported is false), it may be ignored when it is not.
        const isIgnored = response.location === undefined && response.status < 400
        const refusal = isIgnored ? undefined : errorOf(response)
        if (refusal) {
          const { to, code } = refusal
          expect({ to, code }, 'the answer', response).toEqual({ to: 'redirect', code: 'invalid_request' })
        }
        codes.push(refusal?.code)
        expect(refusal?.code, 'the error, the same for all claims that are invalid,', response).toBe(codes[0])
      })
    }
    reading('AMB-55', codes.includes(undefined) ? 'ignored' : 'refused')
  },
})

export const claimsValid = rule({
  id: 'authorization/claims-ignored',
  requirement: 'AUTH-45',
  title: 'Valid claims are ignored while discovery does not declare them',
  needs: toLogIn,
  async check({ bank, expect, skip }) {
    const discovery = await bank.discovery()
    if (discovery.member('claims_parameter_supported') === true) return skip('the bank declares the parameter claims')
    const claims = JSON.stringify({ userinfo: { given_name: null }, id_token: { auth_time: { essential: true } } })
    expectCode(expect, await bank.authorization.try({ parameters: { claims } }))
  },
})

export const leftOut = rule({
  id: 'authorization/display-prompt-left-out',
  requirement: 'AUTH-40',
  title: 'display and prompt may be left out',
  needs: toLogIn,
  async check({ bank, expect, reading }) {
    const { display } = await bank.wantedParameters()
    reading('AMB-39', display === undefined ? 'optional' : 'required')
    const plain = await bank.authorization()
    const { response } = plain.callback
    expect(parameterOf(plain, 'error'), 'error of the callback of a plain request', response).toBe(null)
  },
})

/** Valid values of the documented optional parameters ("Exposed by the bank" 6), in requests that each carry several. */
const optional: readonly Record<string, Parameters>[] = [
  {
    'display page': { display: 'page' },
    'prompt login': { prompt: 'login' },
    'acr_values loa2': { acr_values: 'loa2' },
    'response_mode query': { response_mode: 'query' },
  },
  {
    'display popup': { display: 'popup' },
    'prompt consent': { prompt: 'consent' },
    max_age: { max_age: '3600' },
  },
  {
    'display touch': { display: 'touch' },
    'prompt login consent': { prompt: 'login consent' },
    'ui_locales cs en': { ui_locales: 'cs en' },
  },
]

export const optionalTaken = rule({
  id: 'authorization/optional-parameters',
  requirement: 'AUTH-44',
  title: 'Each documented optional parameter is taken with a valid value',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note }) {
    const idToken = (await bank.token()).response.member('id_token')
    const hint = typeof idToken === 'string' ? [{ id_token_hint: { id_token_hint: idToken } }] : []
    for (const several of [...optional, ...hint]) {
      const parameters: Parameters = Object.assign({}, ...Object.values(several))
      const together = await bank.authorization.try({ parameters })
      if (parameterOf(together, 'code') !== null) {
        expectCode(expect, together)
        continue
      }
      // Which of them it is, each alone tells.
      for (const [what, alone] of Object.entries(several)) {
        await inVariation(what, async () => expectCode(expect, await bank.authorization.try({ parameters: alone })))
      }
      note(`taken one by one, but not together: ${Object.keys(several).join(', ')}`)
    }
  },
})

export const sepId = rule({
  id: 'authorization/sep-id',
  requirement: 'GEN-10',
  title: 'A request with the URL parameter sep_id is served as without it',
  needs: toLogIn,
  async check({ bank, expect }) {
    expectCode(expect, await bank.authorization.try({ parameters: { sep_id: 'conformance-sla' } }))
  },
})

export const oddQueries = rule({
  id: 'authorization/odd-queries',
  requirement: 'AUTH-43',
  title:
    'A repeated parameter is refused, an unknown one ignored, and a malformed or oversized query does not lead to a server error',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    await inVariation('a repeated parameter', async () => {
      const repeated = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
        parameters: { ...parameters, nonce: [String(parameters.nonce), 'another'] },
      }))
      const { status, code } = errorOf(repeated)
      expect(status, 'the status of the answer', repeated).toBeOneOf([400, 302])
      expect(code, 'the error of the answer', repeated).toBe('invalid_request')
    })

    await inVariation('an unknown parameter', async () =>
      expectCode(expect, await bank.authorization.try({ parameters: { conformance_unknown: 'x' } })),
    )

    const good = addressOf(await bank.authorizationRequest.prepare())
    await inVariation('a malformed query', async () => {
      const malformed = await bank.get(`${good}&ui_locales=%zz`)
      expect(malformed.status, 'the status of the answer', malformed).toSatisfy(
        (status) => status >= 300 && status < 500,
        'a status of 300 to 499',
      )
      expect(errorOf(malformed).code, 'the error of the answer', malformed).toBe('invalid_request')
    })
    await inVariation('an oversized query', async () => {
      const oversized = await bank.get(`${good}&ui_locales=${'cs+'.repeat(20_000)}`)
      expect(oversized.status, 'the status of the answer', oversized).toSatisfy(
        (status) => (status >= 400 && status < 500) || status === 302,
        '302, or a status of 400 to 499',
      )
    })
  },
})

export const errorsDirect = rule({
  id: 'errors/direct',
  requirement: 'GEN-3',
  title: 'Errors without a redirect are JSON objects with the strings error and error_description',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, inVariation }) {
    const withoutType = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
      parameters: { ...parameters, response_type: undefined },
    }))
    const withoutUri = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
      parameters: { ...parameters, redirect_uri: undefined },
    }))
    const discovery = await bank.discovery()
    const token = await bank.post(await discovery.endpoint('token_endpoint'), { grant_type: 'conformance' })
    const registration = await bank.registration({ redirect_uris: ['http://service.example.com/callback'] })
    const answers = {
      'a request to /auth without response_type': withoutType,
      'a request to /auth without redirect_uri': withoutUri,
      'a request to /token with an unknown grant_type': token,
      'a registration with a redirect URI that is not https': registration.response,
    }
    for (const [what, response] of Object.entries(answers)) {
      if (response.status !== 400) continue
      await inVariation(what, async () => {
        expect(response).toHaveMediaType('application/json')
        expect(response.json, 'the error', response).toFitSchema('error')
      })
    }
  },
})

export const errorsRedirected = rule({
  id: 'errors/redirected',
  requirement: 'GEN-4',
  title: 'Redirected errors are query parameters error, error_description and the unchanged state',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const broken: Record<string, Parameters> = {
      'no nonce': { nonce: undefined },
      'a scope without openid': { scope: 'profile.name' },
      'the parameter registration': { registration: '{}' },
      'prompt none': { prompt: 'none' },
    }
    for (const [how, changes] of Object.entries(broken)) {
      await inVariation(`a request with ${how}`, async () => {
        let state = ''
        const response = await bank.authorizationRequest.modified({}, ({ parameters }) => {
          state = String(parameters.state)
          return { parameters: { ...parameters, ...changes } }
        })
        if (response.location === undefined) return
        const { searchParams, hash } = new URL(response.location)
        const what = 'the query of the redirected error'
        expect(searchParams.get('error'), `error in ${what}`, response).toBeText()
        expect(searchParams.get('error_description'), `error_description in ${what}`, response).toBeText()
        expect([...searchParams.getAll('state')], `every state in ${what}`, response).toEqual([state])
        expect(hash, 'the fragment of the redirected error', response).toBe('')
      })
    }
  },
})
