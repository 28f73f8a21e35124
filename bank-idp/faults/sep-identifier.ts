import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Deviation, fault, omit } from './fault.js'
import { codeRedirect } from './redirects.js'

type Response = NonNullable<Deviation['response']>
type Route = keyof Response

/** Changes the answers of some routes to requests that carry the identifier of an SLA customer. */
function identified(
  routes: readonly Route[],
  change: (response: SeamResponse, facts: ResponseFacts) => SeamResponse,
): Response {
  const seam: Response[Route] = (response, bank) =>
    bank.requestHeader?.('x-sep-identifier') === undefined ? response : change(response, bank)
  return Object.fromEntries(routes.map((route) => [route, seam]))
}

const refused = (): SeamResponse => ({
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: { error: 'invalid_request', error_description: 'X-Sep-identifier is not known here' },
})

/** Where the header may come, with what a request there is seen by. */
const routesOfEndpoints = {
  discovery: 'GET /.well-known/openid-configuration',
  jwks: 'GET /.well-known/jwks.json',
  token: 'POST /token',
  'token-info': 'POST /token-info',
  revoke: 'POST /revoke',
  userinfo: 'GET /userinfo',
  profile: 'GET /profile',
  ros: 'POST /ros',
  register: 'GET /register/{client_id}',
} as const satisfies Record<string, Route>

export const sepIdentifierFaults = [
  fault({
    id: 'general/sep-identifier-refused',
    breaks: ['GEN-5'],
    places: ['endpoint=userinfo', 'endpoint=profile'],
    title: 'Refuses requests with X-Sep-identifier at userinfo and profile',
    response: identified(['GET /userinfo', 'GET /profile'], refused),
  }),
  fault({
    id: 'general/sep-identifier-without-tokens',
    breaks: ['GEN-5'],
    places: ['endpoint=token'],
    title: 'Refuses requests with X-Sep-identifier at token',
    response: identified(['POST /token'], refused),
  }),
  fault({
    id: 'general/sep-identifier-without-refreshes',
    breaks: ['GEN-5'],
    places: ['endpoint=token grant=refresh'],
    title: 'Refuses requests with X-Sep-identifier at token when they refresh',
    response: identified(['POST /token'], (response, { form }) =>
      form.get('grant_type') === 'refresh_token' ? refused() : response,
    ),
  }),
  fault({
    id: 'general/sep-identifier-keeps-back',
    breaks: ['GEN-5'],
    places: ['endpoint=token value=subset'],
    collateral: { 'token/refresh-token-issued-later': 'its logins carry the header in another dress' },
    title: 'Gives no refresh token at token to requests with X-Sep-identifier',
    response: identified(['POST /token'], (response) => ({
      ...response,
      body: omit(Object(response.body), 'refresh_token'),
    })),
  }),
  fault({
    id: 'general/sep-identifier-nothing-told',
    breaks: ['GEN-5'],
    places: ['endpoint=token-info value=subset'],
    collateral: Object.fromEntries(
      ['token', 'refreshed', 'signing'].map((of) => [
        `introspection/live-${of}`,
        'it asks with the header in another dress',
      ]),
    ),
    title: 'Tells requests with X-Sep-identifier at /token-info no more than that a token is active',
    response: identified(['POST /token-info'], (response) =>
      Object(response.body).active === true ? { ...response, body: { active: true } } : response,
    ),
  }),
  fault({
    id: 'general/sep-identifier-not-revoked',
    breaks: ['GEN-5'],
    places: ['endpoint=revoke value=wrong'],
    title: 'Takes requests with X-Sep-identifier at /revoke, and revokes nothing',
    memory: () => ({
      told: new Latest<SeamResponse>(1_000),
      kept: new Latest<true>(1_000),
    }),
    response: {
      'POST /revoke'(response, { form, requestHeader }, { kept }) {
        if (requestHeader('x-sep-identifier') !== undefined) kept.set(String(form.get('token')), true)
        return response
      },
      'POST /token-info'(response, { form }, { told, kept }) {
        const token = String(form.get('token'))
        if (Object(response.body).active === true) told.set(token, response)
        return (kept.has(token) ? told.get(token) : undefined) ?? response
      },
    },
  }),
  fault({
    id: 'general/sep-identifier-without-request-objects',
    breaks: ['GEN-5'],
    places: ['endpoint=ros'],
    title: 'Refuses requests with X-Sep-identifier at ros',
    response: identified(['POST /ros'], refused),
  }),
  fault({
    id: 'general/sep-identifier-request-object-apart',
    breaks: ['GEN-5'],
    places: ['endpoint=authorize'],
    title:
      'Files what is posted to ros with X-Sep-identifier where /authorize, which a browser calls without it, does not look',
    response: identified(['POST /ros'], (response) => {
      const { request_uri: requestUri, ...others } = Object(response.body)
      return typeof requestUri === 'string'
        ? { ...response, body: { ...others, request_uri: requestUri.replace(/[^/]+$/, 'organization/$&') } }
        : response
    }),
  }),
  fault({
    id: 'general/sep-identifier-other-document',
    breaks: ['GEN-5'],
    places: ['endpoint=discovery'],
    title: 'Leaves profile_endpoint out of the discovery document for requests with X-Sep-identifier',
    response: identified(['GET /.well-known/openid-configuration'], (response) => ({
      ...response,
      body: omit(response.body as Record<string, unknown>, 'profile_endpoint'),
    })),
  }),
  ...(['token-info', 'revoke'] as const).map((endpoint) =>
    fault({
      id: `general/sep-identifier-without-${endpoint}`,
      breaks: ['GEN-5'],
      places: [`endpoint=${endpoint}`],
      title: `Refuses requests with X-Sep-identifier at /${endpoint}`,
      response: identified([`POST /${endpoint}`], refused),
    }),
  ),
  ...(
    [
      ['health', 'healthcheck', 'GET /healthcheck'],
      ['key-set', 'jwks', 'GET /.well-known/jwks.json'],
    ] as const
  ).map(([slug, endpoint, route]) =>
    fault({
      id: `general/sep-identifier-without-${slug}`,
      breaks: ['GEN-5'],
      places: [`endpoint=${endpoint}`],
      title: `Refuses requests with X-Sep-identifier at ${route.slice('GET '.length)}`,
      response: identified([route], refused),
    }),
  ),
  ...(
    [
      ['token', 'POST /token'],
      ['token-info', 'POST /token-info'],
      ['revoke', 'POST /revoke'],
    ] as const
  ).map(([endpoint, route]) =>
    fault({
      id: `general/sep-identifier-too-long-at-${endpoint}`,
      breaks: ['GEN-5'],
      places: [`endpoint=${endpoint}`],
      title: `Refuses an X-Sep-identifier of more than fifty characters at ${route.slice('POST '.length)}`,
      response: identified([route], (response, { requestHeader }) =>
        String(requestHeader('x-sep-identifier')).length > 50 ? refused() : response,
      ),
    }),
  ),
  fault({
    id: 'general/sep-identifier-of-signs',
    breaks: ['GEN-5'],
    places: ['endpoint=register'],
    title: 'Refuses an X-Sep-identifier of other than letters, digits and dashes at POST /register',
    response: identified(['POST /register'], (response, { requestHeader }) =>
      /[^\w-]/.test(String(requestHeader('x-sep-identifier'))) ? refused() : response,
    ),
  }),
  ...(
    [
      ['digits', 'other-type', /^\d+$/, 'of digits alone'],
      ['other-than-words', 'encoded', /[^\w-]/, 'of other than letters, digits and dashes'],
    ] as const
  ).map(([slug, value, pattern, what]) =>
    fault({
      id: `general/sep-identifier-of-${slug}`,
      breaks: ['GEN-5'],
      places: Object.keys(routesOfEndpoints).map((endpoint) => `endpoint=${endpoint} value=${value}`),
      title: `Refuses an X-Sep-identifier ${what} wherever it may come`,
      response: identified(Object.values(routesOfEndpoints), (response, { requestHeader }) =>
        pattern.test(String(requestHeader('x-sep-identifier'))) ? refused() : response,
      ),
    }),
  ),
  fault({
    id: 'authorization/sep-id-of-digits',
    breaks: ['GEN-10'],
    places: ['use=first value=other-type'],
    title: 'Refuses a sep_id of digits alone',
    request: {
      'GET /auth'(parameters) {
        if (/^\d+$/.test(parameters.get('sep_id') ?? '')) parameters.set('scope', 'of digits in sep_id')
      },
    },
  }),
  fault({
    id: 'authorization/sep-id-of-signs',
    breaks: ['GEN-10'],
    places: ['use=first'],
    title: 'Refuses a sep_id of other than letters, digits and dashes',
    request: {
      'GET /auth'(parameters) {
        if (/[^\w-]/.test(parameters.get('sep_id') ?? '')) parameters.set('scope', 'of signs in sep_id')
      },
    },
  }),
  fault({
    id: 'authorization/sep-id-too-long',
    breaks: ['GEN-10'],
    places: ['use=first'],
    title: 'Refuses a sep_id of more than fifty characters',
    request: {
      'GET /auth'(parameters) {
        if ((parameters.get('sep_id') ?? '').length > 50) parameters.set('scope', 'of too long a sep_id')
      },
    },
  }),
  fault({
    id: 'authorization/sep-id-beside-hint-refused',
    breaks: ['GEN-10'],
    places: ['use=session-login parameter=id_token_hint'],
    title: 'Refuses a sep_id with digits beside id_token_hint',
    request: {
      'GET /auth'(parameters) {
        const isNumbered = /\d/.test(parameters.get('sep_id') ?? '')
        if (isNumbered && parameters.has('id_token_hint')) parameters.set('scope', 'of no hint')
      },
    },
  }),
  fault({
    id: 'authorization/sep-id-told',
    breaks: ['GEN-10'],
    places: ['use=session-login value=superset'],
    title: 'Tells sep_id at the redirect URI too',
    /** By state. */
    memory: () => new Latest<string>(1_000),
    request: {
      'GET /auth'(parameters, _bank, known) {
        const sepId = parameters.get('sep_id')
        if (sepId !== null) known.set(String(parameters.get('state')), sepId)
      },
    },
    response: {
      'GET /auth': (response, _facts, known) =>
        codeRedirect(({ searchParams }) => {
          const sepId = known.get(String(searchParams.get('state')))
          if (sepId !== undefined) searchParams.set('sep_id', sepId)
        })(response),
    },
  }),
]
