import { toRegister } from '../../target/needs.js'
import { longText, ofFrontChannel, ofImplicit, undeclaredLevel, undeclaredMode } from './broken-parameters.js'
import { type Row, redirect } from './error-row.js'

const undeclaredModes = ['fragment', 'form_post', 'query.jwt', 'web_message']

/** The parameters that may be left out. */
export const optionalRows: readonly Row[] = [
  {
    slug: 'display-unsupported',
    requirement: 'AUTH-13',
    places: ['value=unknown', 'value=upper-case', 'value=both', 'value=prefix', 'value=long', 'member=mobile'],
    title: 'A display outside the OpenID Connect values is 302 invalid_request',
    broken: {
      'an unknown display': { display: 'hologram' },
      'a display in capitals': { display: 'PAGE' },
      'two displays': { display: 'page popup' },
      'a display cut short': { display: 'pag' },
      'display mobile': { display: 'mobile' },
      'a display of 330 characters': { display: longText },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'prompt-unsupported',
    requirement: 'AUTH-14',
    places: [
      ...['unknown', 'first', 'second', 'upper-case', 'long'].map((value) => `value=${value}`),
      ...['first', 'last', 'upper-case'].map((value) => `member=none value=${value}`),
      ...['none-consent', 'none-select-account', 'comma', 'semicolon', 'create'].map((member) => `member=${member}`),
    ],
    title: 'A prompt outside the OpenID Connect values, or none beside another, is 302 invalid_request',
    broken: {
      'an unknown prompt': { prompt: 'dance' },
      'an unknown prompt beside login': { prompt: 'login dance' },
      'an unknown prompt before login': { prompt: 'dance login' },
      'a prompt in capitals': { prompt: 'LOGIN' },
      'prompt none in capitals': { prompt: 'NONE' },
      'prompt none beside login': { prompt: 'none login' },
      'prompt none after consent': { prompt: 'consent none' },
      'prompt none before consent': { prompt: 'none consent' },
      'prompt none before select_account': { prompt: 'none select_account' },
      'a prompt of another specification': { prompt: 'create' },
      'prompts that a comma keeps apart': { prompt: 'login,consent' },
      'prompts that a semicolon keeps apart': { prompt: 'login;consent' },
      'a prompt of 330 characters': { prompt: longText },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'acr-values-unsupported',
    requirement: 'AUTH-15',
    places: [
      ...['unknown', 'both', 'upper-case', 'prefix', 'superset', 'long'].map((value) => `value=${value}`),
      ...['loa1', 'loa4', 'eidas', 'comma', 'urn', 'nought', 'number'].map((member) => `member=${member}`),
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
      'an acr value as a URN': { acr_values: 'urn:conformance:loa2' },
      'the number of a level': { acr_values: '3' },
      'an acr value with a nought': { acr_values: 'loa02' },
      'an acr value of 330 characters': { acr_values: longText },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'max-age-invalid',
    requirement: 'AUTH-16',
    places: [
      ...['wrong', 'below', 'above', 'other-type', 'other-unit'].map((value) => `value=${value}`),
      ...['exponent', 'hexadecimal', 'sign', 'duration', 'separator', 'infinity'].map((member) => `member=${member}`),
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
      'infinity as max_age': { max_age: 'Infinity' },
      'a max_age with a space between its digits': { max_age: '3 600' },
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'response-mode-unsupported',
    requirement: 'AUTH-17',
    places: [
      ...['value=unknown', 'value=upper-case', 'value=both'],
      ...undeclaredModes.map((mode) => `member=${mode}`),
    ],
    title: 'A response_mode that is not supported is 302 invalid_request',
    broken: {
      'an unknown response_mode': { response_mode: 'conformance' },
      'a response_mode in capitals': { response_mode: 'QUERY' },
      'two response_modes': { response_mode: 'query fragment' },
      ...Object.fromEntries(undeclaredModes.map((mode) => [`response_mode ${mode}, undeclared`, undeclaredMode(mode)])),
    },
    answers: [redirect('invalid_request')],
  },
  {
    slug: 'ui-locales-invalid',
    requirement: 'AUTH-18',
    places: [
      ...['wrong', 'second', 'superset', 'long', 'below', 'above'].map((value) => `value=${value}`),
      ...['comma', 'any', 'encoding', 'hyphen'].map((member) => `member=${member}`),
    ],
    title: 'ui_locales that are not a list of language tags are 302 invalid_request',
    broken: {
      'symbols as ui_locales': { ui_locales: '!!! ???' },
      'digits among ui_locales': { ui_locales: 'cs 1234' },
      'symbols after a language': { ui_locales: 'cs!' },
      'a word of thirteen letters as ui_locales': { ui_locales: 'czechlanguage' },
      'ui_locales that a comma keeps apart': { ui_locales: 'cs,en' },
      'an asterisk as ui_locales': { ui_locales: '*' },
      'a single letter as ui_locales': { ui_locales: 'c' },
      'a part of ten letters in ui_locales': { ui_locales: 'cs-czechlands' },
      'a locale with its encoding as ui_locales': { ui_locales: 'cs_CZ.UTF-8' },
      'a hyphen at the end of ui_locales': { ui_locales: 'cs-' },
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
        return { prompt: 'none', id_token_hint: await bank.hint(await bank.token()) }
      },
    },
    answers: [redirect('login_required')],
  },
  {
    slug: 'prompt-none-signed-out-of-implicit',
    requirement: 'AUTH-25',
    places: ['grant=implicit'],
    title: 'prompt=none without a session is 302 login_required for response_type token too',
    needs: toRegister,
    clientMetadata: ofFrontChannel,
    broken: { 'prompt none': ofImplicit('prompt', 'none') },
    answers: [redirect('login_required')],
  },
  {
    slug: 'registration-parameter',
    requirement: 'AUTH-20',
    places: ['use=first', 'value=wrong', 'value=long'],
    title: 'The parameter registration, which is not supported, is 302 registration_not_supported',
    broken: {
      'the parameter registration': { registration: '{"client_name":"conformance"}' },
      'an empty object as registration': { registration: '{}' },
      'a word as registration': { registration: 'conformance' },
      'a registration of more than 330 characters': { registration: JSON.stringify({ client_name: longText }) },
    },
    answers: [redirect('registration_not_supported')],
  },
]
