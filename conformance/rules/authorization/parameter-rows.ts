import type { Bank } from '../../bank/bank.js'
import { toRegister } from '../../target/needs.js'
import { implicitClient } from '../support/implicit-client.js'
import { declaresFrontChannel } from '../support/known-tokens.js'
import {
  besideOpenid,
  challenge,
  ofImplicit,
  standardScopes,
  undeclaredLevel,
  undeclaredMode,
  undeclaredScope,
} from './broken-parameters.js'
import { type Row, redirect } from './error-row.js'

const ofFrontChannel = async (bank: Bank) => ((await declaresFrontChannel(bank)) ? implicitClient : undefined)

const undeclaredModes = ['fragment', 'form_post', 'query.jwt', 'web_message']

/** The remaining parameters: what is wrong with them is redirected. One without a value counts as left out (RFC 6749 section 3.1). */
export const parameterRows: readonly Row[] = [
  {
    slug: 'state-missing',
    requirement: 'AUTH-8',
    places: ['value=missing', 'value=empty', 'parameter=code_challenge'],
    title: 'A request without state is 302 invalid_request',
    broken: {
      'no state': { state: undefined },
      'an empty state': { state: '' },
      'no state beside code_challenge': { state: undefined, ...challenge },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'state-missing-of-implicit',
    requirement: 'AUTH-8',
    places: ['grant=implicit'],
    title: 'A request of response_type token without state is 302 invalid_request',
    needs: toRegister,
    clientMetadata: ofFrontChannel,
    broken: { 'no state': ofImplicit('state') },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'nonce-missing',
    requirement: 'AUTH-9',
    places: ['value=missing', 'value=empty', 'parameter=code_challenge'],
    title: 'A request without nonce is 302 invalid_request',
    broken: {
      'no nonce': { nonce: undefined },
      'an empty nonce': { nonce: '' },
      'no nonce beside code_challenge': { nonce: undefined, ...challenge },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'nonce-missing-of-implicit',
    requirement: 'AUTH-9',
    places: ['grant=implicit'],
    title: 'A request of response_type token without nonce is 302 invalid_request',
    needs: toRegister,
    clientMetadata: ofFrontChannel,
    broken: { 'no nonce': ofImplicit('nonce') },
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
    places: [
      'value=missing',
      'value=upper-case',
      'value=superset',
      'value=suffix',
      'scope=offline_access',
      'member=comma',
    ],
    title: 'A scope without openid is 302 invalid_scope',
    broken: {
      'a scope without openid': ({ client }) => ({ scope: client.dataScopes[0] ?? 'profile.name' }),
      'openid in capitals': { scope: 'OPENID' },
      'a scope that begins with openid': { scope: 'openid2' },
      'a scope that ends with openid': { scope: 'conformance.openid' },
      'offline_access alone': { scope: 'offline_access' },
      'scopes that a comma keeps apart': ({ client }) => ({
        scope: `openid,${client.dataScopes[0] ?? 'profile.name'}`,
      }),
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'scope-unsupported',
    requirement: 'AUTH-12',
    places: [
      ...['first', 'last', 'prefix', 'superset', 'upper-case'].map((value) => `scope=unsupported value=${value}`),
      'scope=data value=unknown',
      ...['part', 'pattern'].map((member) => `member=${member} scope=unsupported`),
      ...standardScopes.map((scope) => `scope=${scope}`),
    ],
    title: 'A scope that is unsupported is 302 invalid_scope, wherever it stands and whatever it resembles',
    broken: {
      'an unknown scope': { scope: 'openid conformance.unsupported' },
      'an unknown scope before openid': { scope: 'conformance.unsupported openid' },
      'an unknown scope of the form of data scopes': { scope: 'openid profile.conformance' },
      'a scope cut short': besideOpenid((scope) => scope.slice(0, -1)),
      'a scope with something after it': besideOpenid((scope) => `${scope}x`),
      'a scope in capitals': besideOpenid((scope) => scope.toUpperCase()),
      'a part of a scope': besideOpenid((scope) => `${scope}.conformance`),
      'a pattern of scopes': { scope: 'openid profile.*' },
      ...Object.fromEntries(standardScopes.map((scope) => [`${scope}, which is not declared`, undeclaredScope(scope)])),
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'scope-not-registered',
    requirement: 'AUTH-12',
    places: ['data', 'offline_access', 'notification.claims_updated', 'authorization'].map(
      (scope) => `scope=${scope} value=wrong`,
    ),
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
        if (!declared.includes('offline_access')) return undefined
        return { scope: 'openid offline_access', ...(await bank.offlineParameters()) }
      },
      'notification.claims_updated, which is not registered': { scope: 'openid notification.claims_updated' },
      'authorization, which is not registered': { scope: 'openid authorization' },
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'display-unsupported',
    requirement: 'AUTH-13',
    places: ['value=unknown', 'value=upper-case', 'value=both', 'member=mobile'],
    title: 'A display outside the OpenID Connect values is 302 invalid_request',
    broken: {
      'an unknown display': { display: 'hologram' },
      'a display in capitals': { display: 'PAGE' },
      'two displays': { display: 'page popup' },
      'display mobile': { display: 'mobile' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'prompt-unsupported',
    requirement: 'AUTH-14',
    places: [
      ...['value=unknown', 'value=second', 'value=upper-case', 'member=none value=first', 'member=none value=last'],
      ...['none-consent', 'none-select-account', 'comma'].map((member) => `member=${member}`),
    ],
    title: 'A prompt outside the OpenID Connect values, or none beside another, is 302 invalid_request',
    broken: {
      'an unknown prompt': { prompt: 'dance' },
      'an unknown prompt beside login': { prompt: 'login dance' },
      'a prompt in capitals': { prompt: 'LOGIN' },
      'prompt none beside login': { prompt: 'none login' },
      'prompt none after consent': { prompt: 'consent none' },
      'prompt none before consent': { prompt: 'none consent' },
      'prompt none before select_account': { prompt: 'none select_account' },
      'prompts that a comma keeps apart': { prompt: 'login,consent' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'acr-values-unsupported',
    requirement: 'AUTH-15',
    places: [
      ...['unknown', 'both', 'upper-case', 'prefix', 'superset'].map((value) => `value=${value}`),
      ...['loa1', 'loa4', 'eidas', 'comma'].map((member) => `member=${member}`),
    ],
    title: 'acr_values without a supported value are 302 invalid_request',
    broken: {
      'an unknown acr value': { acr_values: 'loa9' },
      'two unknown acr values': { acr_values: 'loa8 loa9' },
      'an acr value in capitals': { acr_values: 'LOA2' },
      'an acr value cut short': { acr_values: 'loa' },
      'an acr value with something after it': { acr_values: 'loa2x' },
      'the level below those declared': undeclaredLevel('loa1'),
      'the level above those declared': undeclaredLevel('loa4'),
      'a level of eIDAS': undeclaredLevel('http://eidas.europa.eu/LoA/high'),
      'acr values that a comma keeps apart': { acr_values: 'loa2,loa3' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'max-age-invalid',
    requirement: 'AUTH-16',
    places: [
      ...['wrong', 'below', 'above', 'other-type', 'other-unit'].map((value) => `value=${value}`),
      ...['exponent', 'hexadecimal', 'sign', 'duration'].map((member) => `member=${member}`),
    ],
    title: 'A max_age that is not an integer, or out of range, is 302 invalid_request',
    broken: {
      'a word as max_age': { max_age: 'hour' },
      'a negative max_age': { max_age: '-1' },
      'a fractional max_age': { max_age: '1.5' },
      'a max_age with its unit': { max_age: '60s' },
      'a max_age out of range': { max_age: '99999999999999999999' },
      'a max_age with an exponent': { max_age: '1e3' },
      'a max_age in hexadecimal digits': { max_age: '0x3c' },
      'a max_age with a sign': { max_age: '+60' },
      'a duration as max_age': { max_age: 'PT1H' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'response-mode-unsupported',
    requirement: 'AUTH-17',
    places: [...['value=unknown', 'value=upper-case'], ...undeclaredModes.map((mode) => `member=${mode}`)],
    title: 'A response_mode that is not supported is 302 invalid_request',
    broken: {
      'an unknown response_mode': { response_mode: 'conformance' },
      'a response_mode in capitals': { response_mode: 'QUERY' },
      ...Object.fromEntries(undeclaredModes.map((mode) => [`response_mode ${mode}, undeclared`, undeclaredMode(mode)])),
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'ui-locales-invalid',
    requirement: 'AUTH-18',
    places: ['value=wrong', 'value=second', 'value=superset', 'value=long', 'member=comma', 'member=any'],
    title: 'ui_locales that are not a list of language tags are 302 invalid_request',
    broken: {
      'symbols as ui_locales': { ui_locales: '!!! ???' },
      'digits among ui_locales': { ui_locales: 'cs 1234' },
      'symbols after a language': { ui_locales: 'cs!' },
      'a word of thirteen letters as ui_locales': { ui_locales: 'czechlanguage' },
      'ui_locales that a comma keeps apart': { ui_locales: 'cs,en' },
      'an asterisk as ui_locales': { ui_locales: '*' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'prompt-none-signed-out',
    requirement: 'AUTH-25',
    places: ['use=first', 'use=first parameter=id_token_hint', 'use=first parameter=acr_values'],
    title: 'prompt=none without a session is 302 login_required',
    broken: {
      'prompt none': { prompt: 'none' },
      'prompt none and the highest declared level': async (_good, bank) => {
        const level = (await bank.discovery()).declared('acr_values_supported')?.toSorted().at(-1)
        return level === undefined ? undefined : { prompt: 'none', acr_values: level }
      },
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
    places: ['use=first', 'value=wrong'],
    title: 'The parameter registration, which is not supported, is 302 registration_not_supported',
    broken: {
      'the parameter registration': { registration: '{"client_name":"conformance"}' },
      'an empty object as registration': { registration: '{}' },
      'a word as registration': { registration: 'conformance' },
    },
    answers: [redirect('registration_not_supported')],
  },
]
