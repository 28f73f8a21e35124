import { declaredDataScopes } from '../../bank/client-metadata.js'
import {
  besideOpenid,
  challenge,
  longText,
  standardScopes,
  undeclaredMethod,
  undeclaredScope,
} from './broken-parameters.js'
import { type Row, redirect } from './error-row.js'
import { optionalRows } from './optional-rows.js'

/** The remaining parameters, the required ones first: what is wrong with them is redirected. One without a value counts as left out (RFC 6749 section 3.1). */
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
      'member=plus',
      'member=tabulator',
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
      'scopes that a plus keeps apart': ({ client }) => ({
        scope: `openid+${client.dataScopes[0] ?? 'profile.name'}`,
      }),
      'scopes that a tabulator keeps apart': ({ client }) => ({
        scope: `openid\t${client.dataScopes[0] ?? 'profile.name'}`,
      }),
    },
    readable: ['scopes that a tabulator keeps apart'],
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'scope-unsupported',
    requirement: 'AUTH-12',
    places: [
      ...['first', 'last', 'prefix', 'superset', 'upper-case', 'long'].map(
        (value) => `scope=unsupported value=${value}`,
      ),
      'scope=data value=unknown',
      ...['part', 'pattern'].map((member) => `member=${member} scope=unsupported`),
      ...standardScopes.map((scope) => `scope=${scope}`),
    ],
    title: 'A scope that is unsupported is 302 invalid_scope, wherever it stands and whatever it resembles',
    broken: {
      'an unknown scope': { scope: 'openid conformance.unsupported' },
      'an unknown scope before openid': { scope: 'conformance.unsupported openid' },
      // Behind all that the client registered.
      'an unknown scope of the form of data scopes': ({ client }) => ({
        scope: ['openid', ...client.dataScopes, 'profile.conformance'].join(' '),
      }),
      'a scope cut short': besideOpenid((scope) => scope.slice(0, -1)),
      'a scope with something after it': besideOpenid((scope) => `${scope}x`),
      'a scope in capitals': besideOpenid((scope) => scope.toUpperCase()),
      'a part of a scope': besideOpenid((scope) => `${scope}.conformance`),
      'a pattern of scopes': { scope: 'openid profile.*' },
      'an unknown scope of 330 characters': { scope: `openid ${longText}` },
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
        const declared = declaredDataScopes(await bank.discovery())
        const other = declared.find((scope) => !client.dataScopes.includes(scope))
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
    slug: 'scope-not-registered-of-openid-alone',
    requirement: 'AUTH-12',
    places: ['scope=openid value=wrong'],
    title: 'A scope that a client of openid alone asks for is 302 invalid_scope',
    needs: ['trusted', 'inbound'],
    clientMetadata: async () => ({ scope: 'openid', grant_types: ['authorization_code'] }),
    broken: {
      'a data scope that is not registered': async (_good, bank) => {
        const [other] = (await bank.client()).dataScopes
        return other === undefined ? undefined : { scope: `openid ${other}` }
      },
    },
    answers: [redirect('invalid_scope')],
  },
  {
    slug: 'code-challenge-method-unsupported',
    requirement: 'AUTH-36',
    places: ['unknown', 'lower-case', 'suffix'].map((value) => `parameter=code_challenge_method value=${value}`),
    title: 'A code_challenge_method that is not declared is 302 invalid_request (RFC 7636 section 4.4.1)',
    broken: {
      'an unknown code_challenge_method': undeclaredMethod('S512'),
      'a code_challenge_method in small letters': undeclaredMethod('s256'),
      'a code_challenge_method with more before it': undeclaredMethod('xS256'),
    },
    answers: [redirect('invalid_request')],
  },
  ...optionalRows,
]
