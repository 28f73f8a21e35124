import { type Authorization, addressOf, type Parameters, parameterOf } from '../../bank/authorization.js'
import { errorIn, errorOf } from '../../bank/authorization-answer.js'
import type { Bank } from '../../bank/bank.js'
import { grantedScopes } from '../../bank/token.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { hintOfRefresh } from '../support/hint-of-refresh.js'
import { expectCode } from '../support/served-request.js'
import { otherIdentifiers } from '../support/sla-identifiers.js'

export const method = rule({
  id: 'authorization/method-unsupported',
  requirement: 'AUTH-37',
  places: ['method=PUT', 'method=DELETE', 'method=PATCH'],
  title: 'An unsupported method on /auth is invalid_request',
  needs: toLogIn,
  async check({ bank, expect, inVariation, warn }) {
    for (const method of ['PUT', 'DELETE', 'PATCH'] as const) {
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
    'ui_locales cs-CZ': { ui_locales: 'cs-CZ' },
    // Where the range ends is not shown: a bank may take a day at the most.
    'max_age of a day': { max_age: '86400' },
  },
  {
    'display popup': { display: 'popup' },
    'prompt consent': { prompt: 'consent' },
    'max_age of an hour': { max_age: '3600' },
    'acr_values loa3': { acr_values: 'loa3' },
    'ui_locales en': { ui_locales: 'en' },
  },
  {
    'display touch': { display: 'touch' },
    'prompt login consent': { prompt: 'login consent' },
    'ui_locales of several languages and regions': { ui_locales: 'cs sk en-GB en de-AT pl hu uk-UA fr es-419 it' },
    'acr_values loa3 loa2': { acr_values: 'loa3 loa2' },
    'max_age 0': { max_age: '0' },
  },
]

const languages: Record<string, Parameters> = {
  // Languages that the bank does not speak are no error (published).
  'ui_locales of a script, an unusual one, a region in lower case, a variant and an extension': {
    ui_locales: 'zh-Hant-TW fy de-at de-CH-1901 de-u-co-phonebk',
  },
  'acr_values loa2 loa3': { acr_values: 'loa2 loa3' },
}

/** The level that acr_values ask for is among the declared ones. */
function isDeclared(parameters: Parameters, declared: readonly string[] | undefined): boolean {
  const { acr_values } = parameters
  return (
    acr_values === undefined ||
    !declared ||
    String(acr_values)
      .split(' ')
      .every((level) => declared.includes(level))
  )
}

export const optionalTaken = rule({
  id: 'authorization/optional-parameters',
  requirement: 'AUTH-44',
  places: [
    ...['page', 'popup', 'touch'].map((display) => `member=${display} parameter=display`),
    ...['login', 'consent', 'login-consent'].map((prompt) => `member=${prompt} parameter=prompt`),
    ...['loa2', 'loa3'].map((level) => `member=${level} parameter=acr_values value=right`),
    ...['both', 'reordered'].map((value) => `parameter=acr_values value=${value}`),
    ...['right', 'lower-bound', 'long'].map((value) => `parameter=max_age value=${value}`),
    'parameter=response_mode',
    ...[
      'one',
      'several',
      'many',
      'with-region',
      'with-script',
      'lower-case',
      'variant',
      'extension',
      'unsupported',
    ].map((tags) => `member=${tags} parameter=ui_locales`),
    'parameter=id_token_hint',
    'token=id-of-refresh parameter=id_token_hint',
  ],
  title: 'Each documented optional parameter is taken with a valid value',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const hint = { id_token_hint: { id_token_hint: await bank.hint(await bank.token()) } }
    const levels = (await bank.discovery()).declared('acr_values_supported')
    const [first = {}, ...others] = optional
    for (const all of [{ ...first, ...(await hintOfRefresh(tools)) }, ...others, { ...languages, ...hint }]) {
      const several = Object.fromEntries(Object.entries<Parameters>(all).filter(([, one]) => isDeclared(one, levels)))
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
  places: [
    ...['use=first', 'use=first value=other-type', 'member=state', 'when=before-person member=state'],
    ...['parameter=prompt', 'parameter=nonce'],
  ],
  title: 'A request with the URL parameter sep_id is served, or refused, as without it',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    // As long as the hash of a name, with what a name may have.
    const sla = { sep_id: 'Conformance & Co. 7/2 '.padEnd(64, '0') }
    for (const [how, changes] of Object.entries<Parameters>({
      'prompt none without a session': { prompt: 'none' },
      'no nonce': { nonce: undefined },
    })) {
      await inVariation(how, async () => {
        // The same state, which tells nothing of the client, so that both answers can be compared.
        const state = 'state-of-both'
        const answerTo = (more: Parameters) =>
          bank.authorizationRequest.modified({}, ({ parameters }) => ({
            parameters: { ...parameters, state, ...more },
          }))
        // Whether it is refused at all, other rules say.
        const answered = (response: HttpResponse) =>
          errorIn(response) ?? (response.status < 400 ? 'no error' : response.status)
        const stateIn = ({ location, request }: HttpResponse) =>
          location === undefined ? null : new URL(location, request.url).searchParams.get('state')
        const without = await answerTo(changes)
        const response = await answerTo({ ...changes, ...sla })
        expect(answered(response), 'the answer with sep_id', response).toEqual(answered(without))
        for (const [kind, sep_id] of how === 'no nonce' ? [] : otherIdentifiers('signs')) {
          const asked = await answerTo({ ...changes, sep_id })
          expect(answered(asked), `the answer with a sep_id of ${kind}`, asked).toEqual(answered(without))
        }
        expect(stateIn(response), 'state of the answer with sep_id', response).toBe(stateIn(without))
      })
    }
    const authorization = await bank.authorization.try({ parameters: sla })
    expectCode(expect, authorization)
    const { response: callback } = authorization.callback
    expect(parameterOf(authorization, 'state'), 'state of the callback', callback).toBe(authorization.parameters.state)
    const without = await bank.token()
    const { response } = await bank.token.fresh({ authorization })
    const scopesOf = async (tokens: HttpResponse) => [...new Set(await grantedScopes(tokens))].sort()
    expect(await scopesOf(response), 'the scopes of the token response', response).toEqual(
      await scopesOf(without.response),
    )
  },
})

export const sepIdInSession = rule({
  id: 'authorization/sep-id-in-session',
  requirement: 'GEN-10',
  places: [
    ...['use=session-login', 'use=session-login value=superset'],
    ...['prompt', 'max_age', 'id_token_hint'].map((parameter) => `use=session-login parameter=${parameter}`),
  ],
  title: 'Within a session a request with sep_id shows the pages that it shows without it, and ends alike',
  needs: [...toLogIn, 'page-detection'],
  async check({ bank, expect, inVariation }) {
    const session = bank.session({ clientMetadata: { client_name: 'Conformance sep_id in a session' } })
    const hint = await bank.hint(await session.signIn())
    const without = await session.ask({})
    const sla = { sep_id: 'CZ-00027082440' }
    const asked = await session.ask({ parameters: sla })
    const { pages, response } = asked.callback
    expect(pages, 'the pages shown with sep_id', response).toEqual(without.callback.pages)
    expectCode(expect, asked)
    const namesIn = ({ callback: { query, fragment } }: Authorization) =>
      [...query.keys(), ...fragment.keys()].filter((name) => name !== 'session_state').sort()
    expect(namesIn(asked), 'the parameters of the callback with sep_id', response).toEqual(namesIn(without))
    for (const [how, parameters] of Object.entries<Parameters>({
      'prompt none': { prompt: 'none' },
      'max_age and the id_token of the session': { max_age: '3600', id_token_hint: hint },
    })) {
      await inVariation(how, async () => {
        const plain = await session.ask({ parameters })
        const withSla = await session.ask({ parameters: { ...parameters, ...sla } })
        const ended = withSla.callback.response
        expect(parameterOf(withSla, 'error'), 'error of the callback', ended).toBe(parameterOf(plain, 'error'))
        expect(withSla.callback.pages, 'the pages shown with sep_id', ended).toEqual(plain.callback.pages)
      })
    }
  },
})

/** Parameters that each request has once. */
const repeatable = ['client_id', 'redirect_uri', 'response_type', 'scope', 'state', 'nonce']

/** Good values of those that a request may have, each one alone. */
const repeatableOptional: Record<string, readonly string[]> = {
  display: ['page', 'popup'],
  prompt: ['login', 'consent'],
  acr_values: ['loa2', 'loa3'],
  max_age: ['3600', '60'],
  ui_locales: ['cs', 'en'],
}

/** Those that are tried with one value twice as well: in two values more than the repetition may be wrong. */
const repeatedAsIs = ['client_id', 'redirect_uri', 'response_type', 'state', 'nonce', 'prompt', 'max_age', 'ui_locales']

/** Documented optional parameters without a value, which count as left out (RFC 6749 section 3.1). */
const withoutValue: Parameters = Object.fromEntries(
  [...Object.keys(repeatableOptional), 'id_token_hint', 'response_mode'].map((name) => [name, '']),
)

/** The answer to a request as it is written, or what it leads a browser on to at the bank. */
async function lastAnswer(bank: Bank, url: string): Promise<HttpResponse> {
  const answer = await bank.get(url)
  const { location } = answer
  if (location === undefined || !location.startsWith(`${bank.address}/`)) return answer
  if (new URL(location).searchParams.has('error')) return answer
  const cookies = [answer.headers['set-cookie'] ?? []].flat().map((cookie) => cookie.split(';', 1)[0])
  const headers = { accept: 'application/json', ...(cookies.length > 0 && { cookie: cookies.join('; ') }) }
  return bank.send({ method: 'GET', url: location, headers })
}

export const oddQueries = rule({
  id: 'authorization/odd-queries',
  requirement: 'AUTH-43',
  places: [
    ...[...repeatable, ...Object.keys(repeatableOptional)].map((parameter) => `parameter=${parameter} value=repeated`),
    'member=equal value=repeated',
    ...repeatedAsIs.map((parameter) => `member=equal parameter=${parameter} value=repeated`),
    ...['unknown', 'encoded'].map((value) => `value=${value}`),
    ...['brackets', 'dots', 'colon', 'no-value', 'json'].map((member) => `member=${member} value=unknown`),
    'parameter=nonce value=encoded',
    ...Object.keys(withoutValue).map((parameter) => `parameter=${parameter} value=empty`),
  ],
  title:
    'A repeated parameter is refused, an unknown one ignored as one without a value is, and a malformed or oversized query does not lead to a server error',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note }) {
    const good = await bank.authorizationRequest.prepare()
    const several: Record<string, Parameters> = {
      ...Object.fromEntries(
        repeatable.map((name) => [name, { [name]: [`${good.parameters[name]}-`, String(good.parameters[name])] }]),
      ),
      ...Object.fromEntries(Object.entries(repeatableOptional).map(([name, values]) => [name, { [name]: values }])),
      'scope of one value': { scope: [String(good.parameters.scope), String(good.parameters.scope)] },
      ...Object.fromEntries(
        repeatedAsIs.map((name) => {
          const value = String(good.parameters[name] ?? repeatableOptional[name]?.[0])
          return [`${name} of one value`, { [name]: [value, value] }]
        }),
      ),
    }
    for (const [what, changes] of Object.entries(several)) {
      await inVariation(`a repeated ${what}`, async () => {
        const repeated = await bank.authorizationRequest.modified({}, ({ parameters }) => ({
          parameters: { ...parameters, ...changes },
        }))
        const { status, code } = errorOf(repeated)
        expect(status, 'the status of the answer', repeated).toBeOneOf([400, 302])
        expect(code, 'the error of the answer', repeated).toBe('invalid_request')
      })
    }

    const unknown = {
      conformance_unknown: 'x',
      utm_source: 'conformance',
      conformanceTraceId: '1',
      _: '1',
      // As some frameworks name what they read into objects and lists.
      'conformance[lang]': 'cs',
      'conformance[]': '1',
      'conformance.unknown': 'x',
      'conformance:unknown': 'x',
      conformance_empty: '',
      conformance_json: '{"unknown":["x"]}',
    }
    await inVariation('unknown parameters', async () =>
      expectCode(expect, await bank.authorization.try({ parameters: unknown })),
    )
    if (parameterOf(await bank.authorization.try({ parameters: withoutValue }), 'code') === null) {
      // Which of them it is, each alone tells: one that is required may not be left out (AMB-39).
      for (const [name, value] of Object.entries(withoutValue)) {
        const asked = async (given: Parameters[string]) => bank.authorization.try({ parameters: { [name]: given } })
        if (name in good.parameters && parameterOf(await asked(undefined), 'code') === null) continue
        await inVariation(`${name} without a value`, async () => expectCode(expect, await asked(value)))
      }
    }

    const address = addressOf(good)
    for (const [what, query] of Object.entries({
      'a malformed query': `${address}&ui_locales=%zz`,
      // What is no value of ui_locales either is one of nonce, if it is taken as it stands.
      'a malformed nonce': address.replace(/(?<=[?&]nonce=)[^&]*/, '%zz'),
    })) {
      await inVariation(what, async () => {
        const malformed = await lastAnswer(bank, query)
        expect(malformed.status, 'the status of the answer', malformed).toSatisfy(
          (status) => status >= 300 && status < 500,
          'a status of 300 to 499',
        )
        // A server that reads addresses refuses what is none before the bank is asked (RFC 9112 section 3).
        if (malformed.status === 400 && errorIn(malformed) === undefined)
          note(`${what} is refused with 400 and no JSON, as by a server before the bank`)
        else expect(errorOf(malformed).code, 'the error of the answer', malformed).toBe('invalid_request')
      })
    }
    await inVariation('an oversized query', async () => {
      const oversized = await bank.get(`${address}&ui_locales=${'cs+'.repeat(20_000)}`)
      expect(oversized.status, 'the status of the answer', oversized).toSatisfy(
        (status) => status >= 300 && status < 500,
        'a status of 300 to 499',
      )
    })
  },
})
