import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { listen, TokenMemory } from './token-memory.js'

/** How a client of the signing flow shows who it is, at /token and with its access tokens. */
export const signingCredentialFaults: readonly Fault[] = [
  fault({
    id: 'signing/token-without-certificate',
    breaks: ['SIGN-22'],
    places: ['endpoint=token certificate=none', 'endpoint=token certificate=untrusted'],
    title: 'Gives the result of an authorized object without a client certificate',
    without: ['signing-token/mutual-tls', 'signing-token/same-certificate'],
  }),
  fault({
    id: 'signing/token-by-any-certificate',
    breaks: ['SIGN-22'],
    places: ['endpoint=token certificate=other-of-same-ca'],
    title: 'Gives the result of an authorized object to whoever has a certificate that it trusts',
    without: ['signing-token/same-certificate'],
  }),
  fault({
    id: 'signing/refresh-by-any-certificate',
    breaks: ['SIGN-22'],
    places: ['none', 'untrusted', 'other-of-same-ca'].map(
      (certificate) => `endpoint=token certificate=${certificate} grant=refresh`,
    ),
    title: 'Refreshes the tokens of an authorized object with whatever certificate, and without one',
    without: ['signing-token/mutual-tls at refresh_token', 'signing-token/same-certificate at refresh_token'],
  }),
  fault({
    id: 'signing/secret-later-taken',
    breaks: ['SIGN-22'],
    places: ['client_secret_post', 'client_secret_jwt'].map(
      (method) => `endpoint=token client-auth=${method} use=after-put`,
    ),
    title: 'Gives the result of an authorized object to a client that has changed to authentication by a secret since',
    collateral: {},
    without: ['signing-token/private-key-jwt', 'client-assertion/algorithm at client_secret_jwt'],
  }),
  ...(['userinfo', 'profile'] as const).map((endpoint) =>
    fault({
      id: `signing/refreshed-at-${endpoint}-by-any-certificate`,
      breaks: ['SIGN-44'],
      places: ['none', 'untrusted', 'other-of-same-ca'].map(
        (certificate) => `endpoint=${endpoint} certificate=${certificate} token=access-of-refresh`,
      ),
      title: `Answers /${endpoint} under a refreshed access token of the signing flow whoever shows it, once it was shown`,
      memory: () => ({ tokens: new TokenMemory(), answers: new Latest<SeamResponse>(1_000) }),
      response: {
        'POST /token': (response, facts, { tokens }) => listen(response, facts, tokens),
        [`GET /${endpoint}`](
          response: SeamResponse,
          { requestHeader }: ResponseFacts,
          { tokens, answers }: { tokens: TokenMemory; answers: Latest<SeamResponse> },
        ) {
          const token = String(requestHeader('authorization')).replace('Bearer ', '')
          const issued = tokens.of(token)
          if (issued?.grant !== 'refresh_token' || !issued.scopes.includes('authorization')) return response
          if (response.status === 200) answers.set(token, response)
          return response.status === 401 ? (answers.get(token) ?? response) : response
        },
      },
    }),
  ),
  fault({
    id: 'signing/open-client-taken',
    breaks: ['SIGN-16'],
    places: ['client-auth=none'],
    title: 'Registers clients without credentials, and gives them what was authorized',
    collateral: {
      'discovery/undeclared-authentication': 'none is not declared',
      'registration/undeclared-values': 'none is not declared',
      'introspection/unauthenticated': 'who has no credentials is asked for none at /token-info',
      'revocation/unauthenticated': 'who has no credentials is asked for none at /revoke',
    },
    without: [
      'registration/declared-authentication',
      'ros/client-method',
      'signing-token/private-key-jwt',
      'client-authentication/present',
    ],
  }),
  fault({
    id: 'signing/assertion-of-any-algorithm',
    breaks: ['SIGN-15', 'SIGN-41'],
    places: ['RS256', 'RS384', 'RS512', 'PS384', 'ES384'].map((alg) => `token=client-assertion alg=${alg}`),
    title: 'Takes client assertions by every algorithm that a key of the client fits',
    collateral: {
      'client-authentication/other-algorithm': 'logins are held to the registered algorithm by the same check',
      'discovery/undeclared-algorithm': 'and to the declared ones',
    },
    without: ['client-assertion/algorithm'],
  }),
  ...(['PS256', 'ES256'] as const).map((alg) =>
    fault({
      id: `signing/${alg.toLowerCase()}-assertion-refused`,
      breaks: ['SIGN-15'],
      places: [`token=client-assertion alg=${alg}`],
      title: `Takes no client assertion that is signed with ${alg}`,
      request: {
        'POST /token'(form) {
          const [header = ''] = (form.get('client_assertion') ?? '').split('.')
          if (Buffer.from(header, 'base64url').toString().includes(`"${alg}"`))
            form.set('client_assertion', `${header}.e30.AAAA`)
        },
      },
    }),
  ),
  fault({
    id: 'signing/any-certificate',
    breaks: ['SIGN-44'],
    places: [
      'endpoint=userinfo certificate=untrusted',
      'endpoint=userinfo certificate=other-of-same-ca',
      'endpoint=profile certificate=untrusted',
      'endpoint=profile certificate=other-of-same-ca',
      'endpoint=ros certificate=other-of-same-ca',
    ],
    title: 'Takes an access token of the signing flow with whatever certificate',
    without: ['access-token/certificate'],
  }),
  fault({
    id: 'signing/certificate-not-asked',
    breaks: ['SIGN-44'],
    places: ['endpoint=userinfo certificate=none', 'endpoint=profile certificate=none'],
    title: 'Takes an access token of the signing flow on a connection without a certificate',
    without: ['access-token/certificate-present'],
  }),
  fault({
    id: 'signing/caller-with-any-certificate',
    breaks: ['SIGN-44'],
    places: [
      'endpoint=token-info certificate=untrusted',
      'endpoint=token-info certificate=other-of-same-ca',
      'endpoint=revoke certificate=untrusted',
      'endpoint=revoke certificate=other-of-same-ca',
    ],
    title: 'Takes an access token of the signing flow as caller of /token-info and /revoke with whatever certificate',
    without: ['token-caller/certificate'],
  }),
  fault({
    id: 'signing/caller-without-certificate',
    breaks: ['SIGN-44'],
    places: ['endpoint=token-info certificate=none', 'endpoint=revoke certificate=none'],
    title: 'Takes an access token of the signing flow as caller of /token-info and /revoke without a certificate',
    without: ['token-caller/certificate-present'],
  }),
]
