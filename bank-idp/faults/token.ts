import { BankError } from '../errors.js'
import { body, fault, omit, withoutChallenge } from './fault.js'

const route = 'POST /token'

/** What proves a client, and what each endpoint reads beyond that. */
const credentials = ['client_id', 'client_secret', 'client_assertion', 'client_assertion_type']
const ofToken = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'device_code', 'scope']
const ofDevice = ['scope', 'nonce', 'acr_values', 'max_age', 'display', 'ui_locales']

/** For `request`: refuses what is not among the parameters of an endpoint. */
function refuseUnknown(parameters: readonly string[]) {
  const known = [...credentials, ...parameters]
  return (form: URLSearchParams): void => {
    const unknown = [...form.keys()].find((name) => !known.includes(name))
    if (unknown !== undefined) throw new BankError('invalid_request', `${unknown} is not a parameter of this endpoint`)
  }
}

export const tokenFaults = [
  fault({
    id: 'token/unknown-parameter-refused',
    breaks: ['TOK-46'],
    places: ['grant=code', 'grant=refresh'],
    title: 'Refuses a parameter that it does not know',
    request: { [route]: refuseUnknown(ofToken) },
  }),
  fault({
    id: 'token/device-unknown-parameter-refused',
    breaks: ['TOK-46'],
    places: ['grant=device'],
    title: 'Refuses a parameter that it does not know where a device asks for codes',
    request: { 'POST /device_authorization': refuseUnknown(ofDevice) },
  }),
  fault({
    id: 'token/basic-challenge-missing',
    breaks: ['DISC-22'],
    title: 'Refuses HTTP Basic with 401 and no WWW-Authenticate',
    response: { [route]: withoutChallenge },
  }),
  fault({
    id: 'token/scope-missing',
    breaks: ['TOK-1', 'TOK-2'],
    places: ['grant=code', 'grant=code member=scope'],
    title: 'Leaves scope out of the token response',
    collateral: {
      'token/refresh-narrowed': 'the refresh response has no scope either (AMB-17)',
      'signing/scopes-listed': 'the token response of the signing flow has none either',
    },
    response: { [route]: body((tokens) => omit(tokens, 'scope')) },
  }),
  fault({
    id: 'token/scope-one-too-many',
    breaks: ['TOK-2'],
    places: ['grant=code'],
    title: 'Lists a scope that was not granted',
    collateral: {
      'introspection/types': 'the scopes listed are compared with those of the token',
      'signing/scopes-listed': 'the token response of the signing flow lists them in the same way',
      'token/refresh-narrowed': 'the refresh response lists them as well',
    },
    response: { [route]: body((tokens) => ({ ...tokens, scope: `${tokens.scope} profile.verification` })) },
  }),
  fault({
    id: 'token/scope-one-too-few',
    breaks: ['TOK-2'],
    places: ['grant=code'],
    title: 'Lists only the first of the granted scopes',
    collateral: {
      'introspection/types': 'the scopes listed are compared with those of the token',
      'signing/scopes-listed': 'the token response of the signing flow lists them in the same way',
      'token/refresh-narrowed': 'the refresh response lists them as well',
    },
    response: { [route]: body((tokens) => ({ ...tokens, scope: String(tokens.scope).split(' ')[0] })) },
  }),
  fault({
    id: 'token/scope-by-commas',
    breaks: ['TOK-2'],
    places: ['grant=code'],
    title: 'Separates the granted scopes by commas',
    collateral: {
      'introspection/types': 'the scopes listed are compared with those of the token',
      'signing/scopes-listed': 'the token response of the signing flow lists them in the same way',
      'token/refresh-narrowed': 'the refresh response lists them as well',
    },
    response: { [route]: body((tokens) => ({ ...tokens, scope: String(tokens.scope).replaceAll(' ', ',') })) },
  }),
  fault({
    id: 'token/scope-list',
    breaks: ['TOK-1', 'TOK-2'],
    places: ['grant=code', 'grant=code member=scope'],
    title: 'Gives the granted scopes as an array',
    collateral: {
      'token/refresh-narrowed': 'the refresh response gives them so as well',
      'signing/scopes-listed': 'the token response of the signing flow gives them so as well',
      'token/refresh-reordered': 'each refresh response gives them so as well',
    },
    response: { [route]: body((tokens) => ({ ...tokens, scope: String(tokens.scope).split(' ') })) },
  }),
  fault({
    id: 'token/no-id-token',
    breaks: ['TOK-1'],
    places: ['grant=code member=id_token'],
    title: 'Leaves id_token out of the token response',
    collateral: {
      'token/id-token-encrypted': 'there is no id_token',
      'token/id-token-signed': 'there is no id_token',
      'algorithms/encryption': 'there is no id_token',
      'algorithms/signing': 'there is no id_token',
      ...Object.fromEntries(
        [
          'algorithms',
          'combined',
          'documents-in-envelope',
          'documents-shuffled',
          'encrypted-unasked',
          'id-token-none',
          'odd-document-unchanged',
          'odd-text-unchanged',
          'one-document',
          'result',
          'result-algorithm',
          'sign-object-unchanged',
        ].map((rule) => [`signing/${rule}`, 'the token response of the signing flow has no id_token either']),
      ),
      'token/encrypted-id-token-signed': 'there is no id_token',
      'token/id-token-signed-es512': 'there is no id_token',
      'token/id-token-signed-after-put': 'there is no id_token',
    },
    response: { [route]: body((tokens) => omit(tokens, 'id_token')) },
  }),
  fault({
    id: 'token/other-type',
    breaks: ['TOK-1'],
    places: ['grant=code member=token_type'],
    title: 'Says token_type MAC',
    collateral: {
      'token/refresh-narrowed': 'the refresh response says so as well',
      'token/refresh-reordered': 'each refresh response says so as well',
    },
    response: { [route]: body((tokens) => ({ ...tokens, token_type: 'MAC' })) },
  }),
]
