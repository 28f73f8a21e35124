import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'
import { body, fault, withoutChallenge } from './fault.js'

const route = 'POST /token-info'

/** For `response`: changes what is told of a live token. */
function live(change: (members: Record<string, unknown>) => unknown) {
  return body((members) => (members.active === true ? change(members) : members))
}

function dead(change: (response: SeamResponse) => SeamResponse) {
  return (response: SeamResponse): SeamResponse =>
    response.status === 200 && (response.body as { active?: unknown }).active === false ? change(response) : response
}

export const introspectionFaults = [
  fault({
    id: 'introspection/dead-is-an-error',
    breaks: ['INTR-2', 'INTR-7'],
    places: ['value=unknown', 'parameter=token_type_hint value=unknown', 'token=access-of-code'],
    title: 'Answers 400 where the token is dead or unknown',
    collateral: {
      'introspection/token-of-another': "another's token is as good as unknown",
      'algorithms/authentication': 'an unknown token is asked about',
    },
    response: {
      [route]: dead((response) => ({
        ...response,
        status: 400,
        body: { error: 'invalid_request', error_description: 'the token is unknown' },
      })),
    },
  }),
  fault({
    id: 'introspection/dead-told-about',
    breaks: ['INTR-2'],
    places: ['use=after-revocation token=access-of-code', 'use=after-revocation token=refresh'],
    title: 'Tells why a token is dead',
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /revoke'(response, { form }, revoked) {
        revoked.set(form.get('token') ?? '', true)
        return response
      },
      [route]: (response, { form }, revoked) =>
        dead((one) => ({
          ...one,
          body: { active: false, reason: revoked.has(form.get('token') ?? '') ? 'revoked' : 'unknown' },
        }))(response),
    },
  }),
  fault({
    id: 'introspection/dead-once-another-asked',
    breaks: ['INTR-1'],
    places: ['caller=client use=second-call token=access-of-code'],
    title: 'Remembers what it told another client of a token, and tells its own the same when that asks next',
    memory: () => new Latest<boolean>(10_000),
    response: {
      [route](response, { form }, dead) {
        const token = form.get('token') ?? ''
        const { active } = Object(response.body)
        const isRemembered = dead.get(token) === true
        dead.set(token, active === false)
        return active === true && isRemembered ? { ...response, body: { active: false } } : response
      },
    },
  }),
  fault({
    id: 'introspection/code-active',
    breaks: ['INTR-2'],
    places: ['token=code'],
    title: 'Calls a code active until it is used',
    memory: () => new Latest<true>(10_000),
    records: [
      {
        model: 'AuthorizationCode',
        kept(record, _bank, codes) {
          codes.set(String(record.jti), true)
          return {}
        },
      },
    ],
    response: {
      [route]: (response, { form }, codes) =>
        codes.has(form.get('token') ?? '') ? { ...response, body: { active: true } } : response,
    },
  }),
  fault({
    id: 'introspection/secret-refused',
    breaks: ['INTR-4'],
    places: ['client-auth=client_secret_post'],
    title: 'Takes no client_secret',
    collateral: {
      'algorithms/authentication': 'client_secret_post is declared',
      'introspection/second-client': 'the second client posts its secret',
      'introspection/token-of-another': 'the other client posts its secret',
      'client-authentication/secret-post': 'client_secret_post is registered',
    },
    request: { [route]: (form) => form.delete('client_secret') },
  }),
  fault({
    id: 'introspection/bearer-challenge-missing',
    breaks: ['INTR-4'],
    places: ['caller=bearer value=unknown'],
    title: 'Refuses a Bearer access token with 401 and no WWW-Authenticate',
    response: { [route]: withoutChallenge },
  }),
  fault({
    id: 'introspection/times-as-text',
    breaks: ['INTR-5'],
    places: ['exp', 'iat'].map((member) => `token=access-of-code member=${member} value=other-type`),
    title: 'Gives exp and iat as ISO 8601',
    collateral: {
      'token/access-token-lifetime': 'the lifetime is read off exp and iat',
      'token/refresh-token-lifetime': 'the lifetime is read off exp and iat',
      'token/refreshed-access-token-lifetime': 'introspection tells how long the token lives',
      'token/signing-access-token-lifetime': 'introspection tells how long the token lives',
      'token/front-channel-access-token-lifetime': 'introspection tells how long the token lives',
      'token/refresh-token-lifetime-later': 'introspection tells how long the token lives',
    },
    response: {
      [route]: live((members) => ({
        ...members,
        exp: new Date(Number(members.exp) * 1000).toISOString(),
        iat: new Date(Number(members.iat) * 1000).toISOString(),
      })),
    },
  }),
  fault({
    id: 'introspection/one-type',
    breaks: ['INTR-9'],
    places: ['use=first token=refresh', 'use=second-refresh token=refresh'],
    title: 'Calls a refresh token an access token',
    response: { [route]: live((members) => ({ ...members, token_type: 'access_token' })) },
  }),
  fault({
    id: 'introspection/type-by-hint',
    breaks: ['INTR-1', 'INTR-9'],
    places: [
      'token=access-of-code parameter=token_type_hint value=wrong',
      ...['token_type_hint', 'token_type_hin'].map((parameter) => `token=refresh parameter=${parameter} value=wrong`),
    ],
    title: 'Tells as token_type what the caller gave as a hint',
    response: {
      [route]: (response, bank) => {
        const hint = bank.form.get('token_type_hint') ?? bank.form.get('token_type_hin')
        return hint === null ? response : live((members) => ({ ...members, token_type: hint }))(response, bank)
      },
    },
  }),
  fault({
    id: 'introspection/unauthenticated',
    breaks: ['INTR-10', 'REV-8', 'SIGN-16'],
    places: ['value=missing', 'caller=nobody value=missing', 'caller=nobody parameter=client_id'],
    title: 'Lets anybody look into tokens, take them back, and redeem what was authorized',
    collateral: {
      'discovery/undeclared-authentication': 'no authentication is taken at /token too',
      'client-authentication/wrong-secret': 'an empty client_secret is none',
    },
    without: ['client-authentication/present'],
  }),
]
