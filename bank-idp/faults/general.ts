import type { NestedJwt, ResponseFacts, Route, SeamResponse } from '../seams.js'
import { body, fault } from './fault.js'

const document = 'GET /.well-known/openid-configuration'

/** Names another issuer in what is signed. */
function issuedBy(change: (issuer: string) => string) {
  return ({ claims, ...nestedJwt }: NestedJwt): NestedJwt => ({
    ...nestedJwt,
    claims: { ...claims, iss: change(String(claims.iss)) },
  })
}

function nothingThere(): SeamResponse {
  return {
    status: 404,
    headers: { 'content-type': 'application/json' },
    body: { error: 'not_found', error_description: 'there is nothing at this path' },
  }
}

/** Of a request that says neither who asks nor what is wanted. */
function unasked({ requestHeader }: ResponseFacts): boolean {
  return requestHeader('authorization') === undefined && (requestHeader('accept') ?? '*/*') === '*/*'
}

export const generalFaults = [
  fault({
    id: 'general/id-token-of-other-issuer',
    breaks: ['DISC-14'],
    places: ['token=id-of-code'],
    title: 'The id_token names its issuer with a slash at the end',
    collateral: {
      'authorization/id-token-hint-of-another': 'the bank does not take an id_token of another issuer as a hint',
      'authorization/optional-parameters': 'the bank does not take an id_token of another issuer as a hint',
      'token/id-token-claims': 'iss is among the claims of TOK-34',
      'token/refreshed-id-token-claims': 'the issuer of every id_token is compared',
      'token/signing-id-token-claims': 'the issuer of every id_token is compared',
      'token/hybrid-id-token': 'the issuer of every id_token is compared',
    },
    nestedJwt: { id_token: issuedBy((issuer) => `${issuer}/`) },
  }),
  fault({
    id: 'general/user-data-of-other-issuer-by-es512',
    breaks: ['DISC-14', 'DATA-9'],
    places: ['token=userinfo alg=ES512', 'token=profile alg=ES512'],
    title: 'User data that is signed with ES512 names its issuer with a slash at the end',
    nestedJwt: Object.fromEntries(
      (['userinfo', 'profile'] as const).map((kind) => [
        kind,
        (planned: NestedJwt) =>
          planned.signing !== 'none' && planned.signing.alg === 'ES512'
            ? { ...planned, claims: { ...planned.claims, iss: `${planned.claims.iss}/` } }
            : planned,
      ]),
    ),
  }),
  fault({
    id: 'general/userinfo-elsewhere',
    breaks: ['GEN-7'],
    places: ['endpoint=userinfo'],
    title: 'Declares userinfo at /openid/userinfo, and answers there too',
    paths: { '/openid/userinfo': '/userinfo' },
    response: {
      [document]: body((members, { issuer }) => ({ ...members, userinfo_endpoint: `${issuer}/openid/userinfo` })),
    },
  }),
  ...(
    [
      ['version', 'v1'],
      ['number', '1.2'],
    ] as const
  ).map(([slug, segment]) =>
    fault({
      id: `general/${slug}-in-path`,
      breaks: ['GEN-8'],
      title: `Declares userinfo at /${segment}/userinfo, and answers there too`,
      collateral: { 'general/paths': 'a path with a version is not the path of the table either (GEN-7)' },
      paths: { [`/${segment}/userinfo`]: '/userinfo' },
      response: {
        [document]: body((members, { issuer }) => ({ ...members, userinfo_endpoint: `${issuer}/${segment}/userinfo` })),
      },
    }),
  ),
  fault({
    id: 'general/revocation-elsewhere',
    breaks: ['GEN-7'],
    places: ['endpoint=revoke'],
    title: 'Answers POST /revoke with 404, as a bank whose revocation is at a path of its own',
    collateral: {
      'revocation/access-token': 'nothing is revoked',
      'signing/holder-of-key-at-revoke': 'nothing is revoked',
    },
    response: { 'POST /revoke': nothingThere },
  }),
  ...(
    [
      ['register', 'POST /register', { 'registration/create': 'nobody is registered' }],
      ['healthcheck', 'GET /healthcheck', { 'health/record': 'there is no health record' }],
      ['ros', 'POST /ros', { 'signing/request-object': 'no request object is taken' }],
      ['authorize', 'GET /authorize', { 'signing/authorize': 'nothing is authorized' }],
    ] as const
  ).map(([endpoint, route, collateral]) =>
    fault({
      id: `general/${endpoint}-elsewhere`,
      breaks: ['GEN-7'],
      places: [`endpoint=${endpoint}`],
      title: `Answers ${route} with 404, as a bank that has it at a path of its own`,
      collateral,
      response: { [route]: nothingThere },
    }),
  ),
  ...(
    [
      ['authorization_endpoint', 'auth', 'GET /auth', ({ query }) => query.size === 0],
      ['token_endpoint', 'token', 'POST /token', ({ form }) => form.size === 0],
      ['introspection_endpoint', 'token-info', 'POST /token-info', ({ form }) => form.size === 0],
      ['userinfo_endpoint', 'userinfo', 'GET /userinfo', unasked],
      ['profile_endpoint', 'profile', 'GET /profile', unasked],
      ['jwks_uri', 'jwks', 'GET /.well-known/jwks.json', unasked],
    ] as const satisfies readonly (readonly [string, string, Route, (facts: ResponseFacts) => boolean])[]
  ).map(([member, endpoint, route, isHidden]) =>
    fault({
      id: `general/${endpoint}-hidden`,
      breaks: ['GEN-7', 'DISC-12'],
      places: [`endpoint=${endpoint}`, `member=${member}`],
      title: `Answers ${route} with 404 to who asks for nothing there`,
      response: {
        [route]: (response: SeamResponse, facts: ResponseFacts) => (isHidden(facts) ? nothingThere() : response),
      },
    }),
  ),
  ...(
    [
      ['auth', 'authorization_endpoint', '/auth'],
      ['token', 'token_endpoint', '/token'],
      ['token-info', 'introspection_endpoint', '/token-info'],
      ['profile', 'profile_endpoint', '/profile'],
      ['jwks', 'jwks_uri', '/.well-known/jwks.json'],
    ] as const
  ).map(([endpoint, member, path]) =>
    fault({
      id: `general/${endpoint}-elsewhere`,
      breaks: ['GEN-7'],
      places: [`endpoint=${endpoint}`],
      title: `Declares ${member} at /openid${path}, and answers there too`,
      paths: { [`/openid${path}`]: path },
      response: { [document]: body((members, { issuer }) => ({ ...members, [member]: `${issuer}/openid${path}` })) },
    }),
  ),
  ...(['userinfo', 'profile'] as const).map((kind) =>
    fault({
      id: `general/${kind}-of-other-issuer`,
      breaks: ['DISC-14'],
      places: [`token=${kind}`],
      title: `${kind} names its issuer with a slash at the end`,
      collateral: kind === 'userinfo' ? { 'user-data/subject': 'iss of userinfo is asked there too (DATA-9)' } : {},
      nestedJwt: { [kind]: issuedBy((issuer) => `${issuer}/`) },
    }),
  ),
]
