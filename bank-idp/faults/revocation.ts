import { decodeJwt } from 'jose'
import { BankError } from '../errors.js'
import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { fault, withoutChallenge } from './fault.js'
import { errorAs } from './redirects.js'
import { listen, TokenMemory } from './token-memory.js'

const route = 'POST /revoke'

function namesNobody(jwt: string | null): boolean {
  return jwt !== null && decodeJwt(jwt).sub === undefined
}

export const revocationFaults = [
  fault({
    id: 'revocation/forgotten',
    breaks: ['REV-1', 'REV-3', 'DATA-18'],
    places: ['endpoint=token-info token=access-of-code', 'token=access-of-code value=missing'],
    title: 'Answers 200 to the revocation of an access token and does nothing',
    collateral: {
      'introspection/caller': 'a revoked token is sent as Bearer',
      'introspection/dead-refreshed': 'a revoked token is one that is dead',
      'introspection/dead-token': 'a revoked token is one that is dead',
      'revocation/audience': 'the token is looked into after its revocation',
      'revocation/caller': 'the token is looked into after its revocation',
      'revocation/nameless-assertion': 'the token is looked into after its revocation',
      'signing/holder-of-key-at-revoke': 'the token is looked into after its revocation',
    },
    records: [{ model: 'AccessToken', ignores: ['destroy'] }],
  }),
  ...(['userinfo', 'profile'] as const).map((endpoint) =>
    fault({
      id: `revocation/${endpoint}-remembered`,
      breaks: ['REV-1', 'REV-2', 'LOGOUT-3', 'DATA-18'],
      places: ['access-of-code', 'access-of-refresh'].map((token) => `endpoint=${endpoint} token=${token}`),
      title: `Answers /${endpoint} out of its memory where the access token was good a moment ago`,
      collateral: { 'expiry/user-data': 'a token that has expired was good a moment ago as well' },
      /** What the endpoint last answered, by the Authorization header. */
      memory: () => new Latest<SeamResponse>(1_000),
      response: {
        [`GET /${endpoint}`](response: SeamResponse, { requestHeader }: ResponseFacts, answers: Latest<SeamResponse>) {
          const token = String(requestHeader('authorization'))
          if (response.status === 200) answers.set(token, response)
          return response.status === 401 ? (answers.get(token) ?? response) : response
        },
      },
    }),
  ),
  fault({
    id: 'revocation/access-tokens-live-on',
    breaks: ['REV-2'],
    places: ['access-of-code', 'access-of-refresh'].map((token) => `endpoint=token-info token=${token}`),
    title: 'Revokes a refresh token alone, and lets the access tokens issued under it live',
    collateral: {
      'token/code-reuse': 'the tokens of a code used twice end by the same step',
      'token/code-reuse-ends-refresh-token': 'the access token of a refresh lives on',
    },
    records: [
      { model: 'AccessToken', ignores: ['revokeByGrantId'] },
      { model: 'Grant', ignores: ['destroy'] },
    ],
  }),
  fault({
    id: 'revocation/refresh-token-lives-on',
    breaks: ['REV-2'],
    places: ['endpoint=token-info token=refresh', 'endpoint=token token=refresh'],
    title: 'Revokes the access tokens of a refresh token, and lets it live',
    collateral: {
      'introspection/dead-refreshed': 'a revoked token is one that is dead',
      'revocation/refresh-token-hint': 'the token is looked into after its revocation',
    },
    records: [
      { model: 'RefreshToken', ignores: ['destroy', 'revokeByGrantId'] },
      { model: 'Grant', ignores: ['destroy'] },
    ],
  }),
  fault({
    id: 'revocation/nameless-in-vain',
    breaks: ['REV-4'],
    places: ['value=missing'],
    title: 'Answers 200 to an assertion without sub and iss and does nothing',
    collateral: { 'token/assertion-replay': 'it is answered 200 a second time, too' },
    request: {
      [route]: (form) => {
        if (!namesNobody(form.get('client_assertion'))) return
        throw new BankError('temporarily_unavailable', 'the client cannot be told now', { status: 200 })
      },
    },
  }),
  fault({
    id: 'revocation/secret-refused',
    breaks: ['REV-5'],
    places: ['client-auth=client_secret_post'],
    title: 'Takes no client_secret',
    collateral: { 'client-authentication/secret-post': 'client_secret_post is registered' },
    request: { [route]: (form) => form.delete('client_secret') },
  }),
  fault({
    id: 'revocation/bearer-challenge-missing',
    breaks: ['REV-5'],
    places: ['caller=bearer value=unknown'],
    title: 'Refuses a Bearer access token with 401 and no WWW-Authenticate',
    response: { [route]: withoutChallenge },
  }),
  fault({
    id: 'revocation/unknown-is-an-error',
    breaks: ['REV-10'],
    places: ['value=unknown'],
    title: 'Answers 400 where the token is unknown',
    memory: () => new TokenMemory(),
    response: { 'POST /token': listen },
    request: {
      [route]: (form, _bank, tokens) => {
        if (!tokens.of(form.get('token'))) throw new BankError('invalid_request', 'the token is unknown')
      },
    },
  }),
  fault({
    id: 'revocation/session-missed',
    breaks: ['REV-7'],
    title: 'Says interaction_required where the session was ended',
    collateral: {
      'authorization/prompt-none-max-age': 'nobody is signed in any more there either',
      'authorization/prompt-none-signed-out': 'nobody is signed in there either',
      'authorization/prompt-none-signed-out-of-implicit': 'nobody is signed in there either',
      'logout/confirmed': 'nobody is signed in after a logout either',
      'logout/session': 'nobody is signed in after a logout either',
      'request-object/parameters-inside': 'nobody is signed in there either',
    },
    response: { 'GET /auth': errorAs({ code: 'login_required' }, { code: 'interaction_required' }) },
  }),
]
