import { type Broken, type Row, redirect } from './error-row.js'

/** A scope beside openid, made of one that the client registered. */
function besideOpenid(change: (registered: string) => string): Broken {
  return ({ client: { dataScopes } }) => {
    const [scope = 'profile.name'] = dataScopes
    return { scope: `openid ${change(scope)}` }
  }
}

/** Each response_mode that some bank may know and this one does not declare. */
function undeclaredMode(mode: string): Broken {
  return async (_good, bank) => {
    const declared = (await bank.discovery()).declared('response_modes_supported') ?? ['query']
    return declared.includes(mode) ? undefined : { response_mode: mode }
  }
}

/** The remaining parameters: what is wrong with them is redirected. */
export const parameterRows: readonly Row[] = [
  {
    slug: 'state-missing',
    requirement: 'AUTH-8',
    places: ['value=missing', 'value=empty'],
    title: 'A request without state is 302 invalid_request',
    broken: { 'no state': { state: undefined }, 'an empty state': { state: '' } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'nonce-missing',
    requirement: 'AUTH-9',
    places: ['value=missing', 'value=empty'],
    title: 'A request without nonce is 302 invalid_request',
    broken: { 'no nonce': { nonce: undefined }, 'an empty nonce': { nonce: '' } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'scope-missing',
    requirement: 'AUTH-10',
    places: ['value=missing'],
    title: 'A request without scope is 302 invalid_request',
    broken: { 'no scope': { scope: undefined } },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'scope-empty',
    requirement: 'AUTH-10',
    places: ['value=empty'],
    title: 'A request with an empty scope is refused as one without scope, or without openid',
    broken: { 'an empty scope': { scope: '' } },
    answers: [redirect('invalid_request'), redirect('invalid_scope')],
  },
  {
    slug: 'scope-without-openid',
    requirement: 'AUTH-11',
    places: ['value=missing', 'value=upper-case', 'value=superset'],
    title: 'A scope without openid is 302 invalid_scope',
    broken: {
      'a scope without openid': ({ client }) => ({ scope: client.dataScopes[0] ?? 'profile.name' }),
      'openid in capitals': { scope: 'OPENID' },
      'a scope that begins with openid': { scope: 'openid2' },
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'scope-unsupported',
    requirement: 'AUTH-12',
    places: [
      ...['first', 'last', 'prefix', 'superset', 'upper-case'].map((value) => `scope=unsupported value=${value}`),
      'scope=data value=unknown',
    ],
    title: 'A scope that is unsupported is 302 invalid_scope, wherever it stands and whatever it resembles',
    broken: {
      'an unknown scope': { scope: 'openid conformance.unsupported' },
      'an unknown scope before openid': { scope: 'conformance.unsupported openid' },
      'an unknown scope of the form of data scopes': { scope: 'openid profile.conformance' },
      'a scope cut short': besideOpenid((scope) => scope.slice(0, -1)),
      'a scope with something after it': besideOpenid((scope) => `${scope}x`),
      'a scope in capitals': besideOpenid((scope) => scope.toUpperCase()),
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'scope-not-registered',
    requirement: 'AUTH-12',
    places: ['scope=data value=wrong', 'scope=offline_access value=wrong'],
    title: 'A scope that the bank supports, but the client did not register, is 302 invalid_scope',
    needs: ['trusted', 'inbound'],
    clientMetadata: async (bank) => {
      const [scope = 'profile.name'] = (await bank.client()).dataScopes
      return { client_name: 'Conformance one scope', scope: `openid ${scope}`, grant_types: ['authorization_code'] }
    },
    broken: {
      'a data scope that is not registered': async ({ client }, bank) => {
        const [, other] = (await bank.client()).dataScopes
        return other === undefined ? undefined : { scope: `openid ${client.dataScopes.join(' ')} ${other}` }
      },
      'offline_access, which is not registered': async (_good, bank) => {
        const declared = (await bank.discovery()).declared('scopes_supported') ?? []
        return declared.includes('offline_access') ? { scope: 'openid offline_access' } : undefined
      },
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'display-unsupported',
    requirement: 'AUTH-13',
    places: ['value=unknown', 'value=upper-case', 'value=both'],
    title: 'A display outside the OpenID Connect values is 302 invalid_request',
    broken: {
      'an unknown display': { display: 'hologram' },
      'a display in capitals': { display: 'PAGE' },
      'two displays': { display: 'page popup' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'prompt-unsupported',
    requirement: 'AUTH-14',
    places: ['value=unknown', 'value=second', 'value=upper-case', 'member=none value=first', 'member=none value=last'],
    title: 'A prompt outside the OpenID Connect values, or none beside another, is 302 invalid_request',
    broken: {
      'an unknown prompt': { prompt: 'dance' },
      'an unknown prompt beside login': { prompt: 'login dance' },
      'a prompt in capitals': { prompt: 'LOGIN' },
      'prompt none beside login': { prompt: 'none login' },
      'prompt none after consent': { prompt: 'consent none' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'acr-values-unsupported',
    requirement: 'AUTH-15',
    places: ['unknown', 'both', 'upper-case', 'prefix', 'superset'].map((value) => `value=${value}`),
    title: 'acr_values without a supported value are 302 invalid_request',
    broken: {
      'an unknown acr value': { acr_values: 'loa9' },
      'two unknown acr values': { acr_values: 'loa8 loa9' },
      'an acr value in capitals': { acr_values: 'LOA2' },
      'an acr value cut short': { acr_values: 'loa' },
      'an acr value with something after it': { acr_values: 'loa2x' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'max-age-invalid',
    requirement: 'AUTH-16',
    places: ['wrong', 'below', 'above', 'other-type', 'other-unit'].map((value) => `value=${value}`),
    title: 'A max_age that is not an integer, or out of range, is 302 invalid_request',
    broken: {
      'a word as max_age': { max_age: 'hour' },
      'a negative max_age': { max_age: '-1' },
      'a fractional max_age': { max_age: '1.5' },
      'a max_age with its unit': { max_age: '60s' },
      'a max_age out of range': { max_age: '99999999999999999999' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'response-mode-unsupported',
    requirement: 'AUTH-17',
    places: ['value=unknown', 'value=upper-case', 'member=fragment', 'member=form_post'],
    title: 'A response_mode that is not supported is 302 invalid_request',
    broken: {
      'an unknown response_mode': { response_mode: 'conformance' },
      'a response_mode in capitals': { response_mode: 'QUERY' },
      'response_mode fragment, undeclared': undeclaredMode('fragment'),
      'response_mode form_post, undeclared': undeclaredMode('form_post'),
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'ui-locales-invalid',
    requirement: 'AUTH-18',
    places: ['value=wrong', 'value=second'],
    title: 'ui_locales that are not a list of language tags are 302 invalid_request',
    broken: {
      'symbols as ui_locales': { ui_locales: '!!! ???' },
      'digits among ui_locales': { ui_locales: 'cs 1234' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'prompt-none-signed-out',
    requirement: 'AUTH-25',
    places: ['use=first', 'use=first parameter=id_token_hint'],
    title: 'prompt=none without a session is 302 login_required',
    broken: {
      'prompt none': { prompt: 'none' },
      'prompt none and the id_token of an earlier login': async (_good, bank) => {
        const hint = (await bank.token()).response.member('id_token')
        return typeof hint === 'string' ? { prompt: 'none', id_token_hint: hint } : undefined
      },
    },
    answers: [redirect('login_required')],
  },
  {
    slug: 'registration-parameter',
    requirement: 'AUTH-20',
    places: ['use=first'],
    title: 'The parameter registration, which is not supported, is 302 registration_not_supported',
    broken: {
      'the parameter registration': { registration: '{"client_name":"conformance"}' },
      'an empty object as registration': { registration: '{}' },
    },
    answers: [redirect('registration_not_supported')],
  },
]
