import { randomUUID } from 'node:crypto'
import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'
import { type Fault, fault, omit } from './fault.js'
import { claimsOfIdToken } from './id-token-claims.js'
import { codeRedirect, errorRedirect } from './redirects.js'

/** What a bank does wrong in a place that is mostly passed through on the way to another. */

/** For `response`: leaves the description out of an error that is told by its code and words. */
function undescribed(isMeant: (error: string, description: string) => boolean) {
  return (response: SeamResponse): SeamResponse => {
    const { body } = response
    if (typeof body !== 'object' || body === null) return response
    const error: Record<string, unknown> = { ...body }
    if (!isMeant(String(error.error), String(error.error_description))) return response
    return { ...response, body: omit(error, 'error_description') }
  }
}

/** For `response`: another value of a parameter where registration is refused to a request whose state has spaces. */
function ofRegistration(parameter: string, value: string) {
  return errorRedirect(({ searchParams }, error) => {
    if (error === 'registration_not_supported' && searchParams.get('state')?.includes(' '))
      searchParams.set(parameter, value)
  })
}

export const passedThroughFaults: readonly Fault[] = [
  fault({
    id: 'authorization/state-normalized',
    breaks: ['AUTH-1'],
    places: ['use=first value=equivalent', 'use=session-login value=equivalent'],
    title: 'Gives state back in another Unicode form',
    response: {
      'GET /auth': codeRedirect(({ searchParams }) =>
        searchParams.set('state', (searchParams.get('state') ?? '').normalize('NFKC')),
      ),
    },
  }),
  fault({
    id: 'token/nonce-normalized',
    breaks: ['TOK-34'],
    places: ['token=id-of-code claim=nonce value=equivalent'],
    title: 'Gives nonce back in another Unicode form',
    request: {
      'GET /auth': (parameters) => {
        const nonce = parameters.get('nonce')
        if (nonce !== null) parameters.set('nonce', nonce.normalize('NFKC'))
      },
    },
  }),
  fault({
    id: 'authorization/state-with-a-tag-refused',
    breaks: ['AUTH-1'],
    places: ['use=first value=encoded'],
    title: 'Fails where state reads as if a tag of HTML were in it',
    response: {
      'GET /auth': (response, { query }) =>
        // The longer ones are of requests that end in an error.
        /^(?=.{1,60}$).*<[a-z]/.test(query.get('state') ?? '')
          ? { status: 500, headers: { 'content-type': 'text/plain' }, body: 'A dangerous request was detected.' }
          : response,
    },
  }),
  fault({
    id: 'errors/unregistered-type-undescribed',
    breaks: ['GEN-3'],
    places: ['endpoint=auth error=unregistered-response_type'],
    title: 'Gives no description to the error of a response_type other than code and token',
    response: {
      'GET /auth': (response, { query }) =>
        query.get('response_type') === 'id_token'
          ? undescribed((error) => error === 'unsupported_response_type')(response)
          : response,
    },
  }),
  fault({
    id: 'errors/unregistered-type-in-own-words',
    breaks: ['GEN-3'],
    places: ['endpoint=auth error=unregistered-response_type'],
    title: 'Answers a response_type other than code and token with an error of its own making',
    collateral: { 'authorization/response-type-unsupported': 'the error of a response_type has its row in the table' },
    response: {
      'GET /auth': (response, { query }) =>
        query.get('response_type') === 'id_token' && Object(response.body).error === 'unsupported_response_type'
          ? { ...response, body: { ...Object(response.body), error: 'response_type_not_allowed' } }
          : response,
    },
  }),
  fault({
    id: 'errors/refresh-client-undescribed',
    breaks: ['GEN-3'],
    places: ['endpoint=token grant=refresh error=invalid_client'],
    title: 'Gives no description to the error of a client that does not authenticate beside a refresh token',
    response: {
      'POST /token': (response, { form }) =>
        form.get('grant_type') === 'refresh_token'
          ? undescribed((error) => error === 'invalid_client')({
              ...response,
              status: response.status === 401 ? 400 : response.status,
            })
          : response,
    },
  }),
  fault({
    id: 'errors/registration-state-decoded',
    breaks: ['GEN-4'],
    places: ['when=before-person error=registration_not_supported value=encoded'],
    title: 'Takes a plus in the state for a space where it refuses the parameter registration',
    response: {
      'GET /auth': errorRedirect(({ searchParams }, error) => {
        if (error === 'registration_not_supported')
          searchParams.set('state', String(searchParams.get('state')).replaceAll('+', ' '))
      }),
    },
  }),
  fault({
    id: 'errors/registration-in-own-words',
    breaks: ['GEN-4'],
    places: ['when=before-person error=registration_not_supported value=encoded'],
    title: 'Answers the parameter registration by an error of its own making where the state has spaces',
    collateral: {
      'authorization/registration-in-session': 'the error of registration has its row in the table',
      'authorization/registration-parameter': 'the error of registration has its row in the table',
      'authorization/registration-parameter-in-session': 'the error of registration has its row in the table',
    },
    response: { 'GET /auth': ofRegistration('error', 'registration_refused') },
  }),
  fault({
    id: 'errors/registration-of-another-issuer',
    breaks: ['GEN-4'],
    places: ['when=before-person error=registration_not_supported value=encoded'],
    title: 'Names another issuer with the error of the parameter registration where the state has spaces',
    response: { 'GET /auth': ofRegistration('iss', 'https://another.example') },
  }),
  fault({
    id: 'authorization/offline-state-lower-case',
    breaks: ['AUTH-1'],
    places: ['scope=offline_access'],
    title: 'Brings the state back in lower case where offline_access is asked for',
    memory: () => new Latest<true>(10_000),
    request: {
      'GET /auth'(parameters, _bank, asked) {
        const state = parameters.get('state')
        if (state !== null && (parameters.get('scope') ?? '').split(' ').includes('offline_access'))
          asked.set(state, true)
      },
    },
    response: {
      'GET /auth': (response, _bank, asked) =>
        codeRedirect(({ searchParams }) => {
          const state = String(searchParams.get('state'))
          if (asked.has(state)) searchParams.set('state', state.toLowerCase())
        })(response),
    },
  }),
  ...(
    [
      ['zero', '0', 'lower-bound', 'Takes a max_age of 0 for none, and leaves auth_time out of the id_token'],
      ['a-day', '86400', 'long', 'Leaves auth_time out of the id_token where max_age is a day'],
    ] as const
  ).map(([slug, age, value, title]) =>
    fault({
      id: `authorization/auth-time-of-${slug}-left-out`,
      breaks: ['AUTH-50'],
      places: [`value=${value}`],
      title,
      memory: () => new Latest<true>(10_000),
      request: {
        'GET /auth'(parameters, _bank, asked) {
          const nonce = parameters.get('nonce')
          if (nonce !== null && parameters.get('max_age') === age) asked.set(nonce, true)
        },
      },
      nestedJwt: {
        id_token: (nestedJwt, _bank, asked) =>
          asked.has(String(nestedJwt.claims.nonce))
            ? claimsOfIdToken(({ auth_time: _, ...claims }) => claims).id_token(nestedJwt)
            : nestedJwt,
      },
    }),
  ),
  fault({
    id: 'authorization/hint-of-refresh-refused',
    breaks: ['AUTH-44'],
    places: ['token=id-of-refresh parameter=id_token_hint'],
    title: 'Takes as id_token_hint only what it issued for a code',
    memory: () => new Latest<true>(10_000),
    response: {
      'POST /token'(response, { form }, refreshed) {
        const { body } = response
        if (form.get('grant_type') === 'refresh_token' && typeof body === 'object' && body !== null)
          refreshed.set(String({ id_token: undefined, ...body }.id_token), true)
        return response
      },
    },
    request: {
      'GET /auth'(parameters, _bank, refreshed) {
        if (refreshed.has(String(parameters.get('id_token_hint')))) parameters.set('id_token_hint', 'of a refresh')
      },
    },
  }),
  fault({
    id: 'authorization/registration-beside-reference',
    breaks: ['AUTH-20'],
    places: ['parameter=request_uri'],
    title: 'Does not look at the parameter registration beside a request_uri',
    request: {
      'GET /auth': (parameters) => {
        if (parameters.has('request_uri')) parameters.delete('registration')
      },
    },
  }),
  fault({
    id: 'client-assertion/replay-after-put',
    breaks: ['TOK-15'],
    places: ['endpoint=token-info use=after-put'],
    title: 'Forgets which client assertions it saw of a client when a PUT replaces its record',
    memory: () => ({ seen: new Latest<number>(10_000), replaced: new Latest<number>(10_000) }),
    response: {
      'PUT /register/{client_id}'(response, _bank, { replaced }) {
        const { body } = response
        const clientId = typeof body === 'object' && body !== null ? String({ client_id: '', ...body }.client_id) : ''
        if (response.status < 300) replaced.set(clientId, (replaced.get(clientId) ?? 0) + 1)
        return response
      },
    },
    judgedAssertion(assertion, { clientId }, { seen, replaced }) {
      const times = replaced.get(clientId) ?? 0
      const key = `${clientId} ${String(assertion.claims.jti)}`
      const before = seen.get(key)
      seen.set(key, times)
      if (before === undefined || before === times) return assertion
      return { ...assertion, claims: { ...assertion.claims, jti: randomUUID() } }
    },
  }),
]
