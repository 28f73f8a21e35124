import { BankError } from '../errors.js'
import { Latest } from '../latest.js'
import type { JudgedAssertion, RequestFacts, ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault, madeOutToNobody } from './fault.js'

const endpoints = ['token', 'token-info', 'revoke'] as const

/** The client_secret of each client, as it was given at registration. */
type Secrets = Latest<string>

const memory = (): Secrets => new Latest<string>(10_000)

function listen(response: SeamResponse, _bank: unknown, secrets: Secrets): SeamResponse {
  const { client_id, client_secret } = (response.body ?? {}) as Record<string, unknown>
  if (typeof client_id === 'string' && typeof client_secret === 'string') secrets.set(client_id, client_secret)
  return response
}

/** How a client_secret is compared in place of character by character, by the value class that is let through. */
const comparisons: Record<string, readonly [title: string, same: (given: string, right: string) => boolean]> = {
  empty: ['Takes an empty client_secret', (given) => given === ''],
  wrong: ['Takes any client_secret', (given) => given !== ''],
  'upper-case': [
    'Takes a client_secret in another case',
    (given, right) => given.toLowerCase() === right.toLowerCase(),
  ],
  prefix: [
    'Takes the first characters of a client_secret',
    (given, right) => given !== '' && right.startsWith(given.slice(0, 8)) && given.length < right.length,
  ],
  superset: ['Takes a client_secret with more behind it', (given, right) => given.startsWith(right)],
}

const secretFaults = endpoints.flatMap((endpoint) =>
  Object.entries(comparisons).map(([value, [title, same]]) =>
    fault({
      id: `client-authentication/secret-${value}-at-${endpoint}`,
      breaks: ['CLIENT-1'],
      places: [`endpoint=${endpoint} value=${value}`],
      title: `${title} at /${endpoint}`,
      memory,
      response: { 'POST /register': listen },
      request: {
        [`POST /${endpoint}`]: (form: URLSearchParams, _bank: unknown, secrets: Secrets) => {
          const right = secrets.get(form.get('client_id') ?? '')
          const given = form.get('client_secret')
          if (right !== undefined && given !== null && same(given, right)) form.set('client_secret', right)
        },
      },
    }),
  ),
)

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

/** What becomes of client_assertion_type, by the value class that is let through: in words, and which values that are. */
const types: Record<string, readonly [taken: string, isLetThrough: (given: string | null) => boolean]> = {
  missing: ['without', (given) => given === null],
  empty: ['with an empty', (given) => given === ''],
  wrong: ['with any', (given) => given !== null && given !== ''],
}

const typeFaults = endpoints.flatMap((endpoint) =>
  Object.entries(types).map(([value, [taken, isLetThrough]]) =>
    fault({
      id: `client-authentication/assertion-type-${value}-at-${endpoint}`,
      breaks: ['CLIENT-2'],
      places: [`endpoint=${endpoint} value=${value}`],
      title: `Takes a client assertion ${taken} client_assertion_type at /${endpoint}`,
      request: {
        [`POST /${endpoint}`]: (form: URLSearchParams) => {
          if (form.has('client_assertion') && isLetThrough(form.get('client_assertion_type')))
            form.set('client_assertion_type', assertionType)
        },
      },
    }),
  ),
)

/** Other methods than the registered one, by the registered one. */
const methodFaults = (['client_secret_post', 'client_secret_jwt', 'private_key_jwt'] as const).map((method) =>
  fault({
    id: `client-authentication/other-method-of-${method.replaceAll('_', '-')}`,
    breaks: ['REG-37'],
    places: endpoints.map((endpoint) => `endpoint=${endpoint} client-auth=${method}`),
    title: `Takes another method from a client that registered ${method}`,
    without: [`client-authentication/method at ${method}`],
  }),
)

const otherMethodAt = (['token-info', 'revoke'] as const).map((endpoint) =>
  fault({
    id: `client-authentication/any-method-at-${endpoint}`,
    breaks: ['REG-37'],
    places: ['client_secret_post', 'client_secret_jwt', 'private_key_jwt'].map(
      (method) => `endpoint=${endpoint} client-auth=${method}`,
    ),
    title: `Takes any authentication method at /${endpoint}`,
    without: [`client-authentication/method at /${endpoint}`],
  }),
)

/** What a caller sends that proves nothing, by the place. */
const unproven: Record<string, readonly [slug: string, title: string, sends: (form: URLSearchParams) => boolean]> = {
  'caller=nobody value=missing': ['nobody', 'a request of nobody', (form) => !form.has('client_id')],
  'caller=nobody parameter=client_id': [
    'name',
    'a client_id without credentials',
    (form) => form.has('client_id') && !form.has('client_secret') && !form.has('client_assertion'),
  ],
  'caller=nobody parameter=client_secret value=empty': [
    'empty-secret',
    'an empty client_secret',
    (form) => form.get('client_secret') === '',
  ],
  'caller=nobody parameter=client_assertion value=empty': [
    'empty-assertion',
    'an empty client_assertion',
    (form) => form.get('client_assertion') === '',
  ],
}

/** Who proves nothing, at the endpoints where a client asks about a token. */
const unprovenFaults = (
  [
    ['token-info', 'INTR-10'],
    ['revoke', 'REV-8'],
  ] as const
).flatMap(([endpoint, requirement]) =>
  Object.entries(unproven).map(([place, [slug, title, sends]]) =>
    fault({
      id: `client-authentication/${slug}-suffices-at-${endpoint}`,
      breaks: [requirement],
      places: [place],
      title: `Takes at /${endpoint} ${title} for client authentication`,
      ...(slug === 'empty-secret' && {
        collateral: { 'client-authentication/wrong-secret': 'an empty client_secret is none' },
      }),
      without: [`client-authentication/present at /${endpoint}`],
      request: {
        [`POST /${endpoint}`]: (form: URLSearchParams) => {
          const proven = ['client_secret', 'client_assertion'].some((name) => form.get(name))
          if (!proven && !sends(form))
            throw new BankError('invalid_client', 'client authentication is required', { status: 401 })
        },
      },
    }),
  ),
)

const unsupportedMedia: SeamResponse = {
  status: 415,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: { error: 'invalid_request', error_description: 'the media type is not supported' },
}

const ofTable = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti']

/** What is minded in a client assertion that means nothing. */
const mindedAssertions: readonly (readonly [
  slug: string,
  place: string,
  title: string,
  isMinded: (assertion: JudgedAssertion) => boolean,
])[] = [
  ['typ-missing', 'part=typ value=missing', 'Takes no assertion without typ', ({ header }) => header.typ === undefined],
  [
    'further-claim',
    'claim=further',
    'Takes no assertion with a claim that it does not know',
    ({ claims }) => Object.keys(claims).some((name) => !ofTable.includes(name)),
  ],
]

export const clientCredentialFaults: readonly Fault[] = [
  ...secretFaults,
  ...typeFaults,
  ...methodFaults,
  ...otherMethodAt,
  ...unprovenFaults,
  fault({
    id: 'client-authentication/none-suffices-at-token',
    breaks: ['DISC-22', 'SIGN-16'],
    places: ['endpoint=token member=none'],
    title: 'Takes a client_id for a client, without its credentials, at /token',
    collateral: {
      'client-authentication/wrong-secret': 'an empty client_secret is none',
      'client-authentication/wrong-secret-at-refresh': 'an empty client_secret is none',
      'token/refresh-refusal-form': 'a refresh of a client_id alone is refused',
    },
    without: ['client-authentication/present at /token'],
  }),
  ...endpoints.map((endpoint) =>
    fault({
      id: `client-authentication/secret-between-blanks-at-${endpoint}`,
      breaks: ['CLIENT-1'],
      places: [`endpoint=${endpoint} member=blanks`],
      title: `Drops the blanks around a client_secret at /${endpoint}`,
      request: {
        [`POST /${endpoint}`](form: URLSearchParams) {
          const given = form.get('client_secret')
          if (given !== null) form.set('client_secret', given.trim())
        },
      },
    }),
  ),
  ...endpoints.flatMap((endpoint) => [
    fault({
      id: `client-authentication/content-type-minded-at-${endpoint}`,
      breaks: ['REG-36'],
      places: [`endpoint=${endpoint} parameter=content-type`],
      title: `Takes no form with a charset at /${endpoint}`,
      response: {
        [`POST /${endpoint}`]: (response: SeamResponse, { requestHeader }: ResponseFacts) =>
          /charset/i.test(requestHeader('content-type') ?? '') ? unsupportedMedia : response,
      },
    }),
    ...mindedAssertions.map(([slug, place, title, isMinded]) =>
      fault({
        id: `client-authentication/${slug}-minded-at-${endpoint}`,
        breaks: ['REG-36'],
        places: [`endpoint=${endpoint} ${place}`],
        title: `${title} at /${endpoint}`,
        judgedAssertion: (assertion, { endpoint: called }) =>
          called === `/${endpoint}` && isMinded(assertion) ? madeOutToNobody(assertion) : assertion,
      }),
    ),
  ]),
  ...endpoints.map((endpoint) =>
    fault({
      id: `client-authentication/secret-in-query-at-${endpoint}`,
      breaks: ['REG-37'],
      places: [`endpoint=${endpoint} client-auth=client_secret_post parameter=query`],
      title: `Reads a client_secret in the query of the address at /${endpoint}`,
      request: {
        [`POST /${endpoint}`](form: URLSearchParams, { query }: RequestFacts) {
          const secret = query?.get('client_secret') ?? null
          if (secret !== null && !form.has('client_secret')) form.set('client_secret', secret)
        },
      },
    }),
  ),
  fault({
    id: 'client-authentication/token-by-get',
    breaks: ['REG-37'],
    places: ['endpoint=token client-auth=client_secret_post parameter=query'],
    title: 'Gives tokens at /token by GET, to a client whose client_secret is in the address',
    response: {
      'GET /token': (response: SeamResponse, { query }: ResponseFacts): SeamResponse =>
        query.has('client_secret') && query.has('code')
          ? {
              status: 200,
              headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
              body: { access_token: crypto.randomUUID(), token_type: 'Bearer', expires_in: 300 },
            }
          : response,
    },
  }),
  ...(['token-info', 'revoke'] as const).map((endpoint) =>
    fault({
      id: `client-authentication/basic-taken-at-${endpoint}`,
      breaks: ['REG-37'],
      places: [`endpoint=${endpoint} client-auth=client_secret_post member=client_secret_basic`],
      title: `Takes HTTP Basic at /${endpoint} from a client that registered client_secret_post`,
      response: {
        [`POST /${endpoint}`]: (response: SeamResponse, { requestHeader }: ResponseFacts): SeamResponse =>
          requestHeader('authorization')?.startsWith('Basic ')
            ? { status: 200, headers: { 'content-type': 'application/json' }, body: { active: false } }
            : response,
      },
    }),
  ),
  fault({
    id: 'client-authentication/basic-taken-at-refresh',
    breaks: ['REG-37'],
    places: ['endpoint=token client-auth=client_secret_post grant=refresh member=client_secret_basic'],
    title: 'Takes HTTP Basic beside a refresh token from a client that registered client_secret_post',
    response: {
      'POST /token': (response: SeamResponse, { form, requestHeader }: ResponseFacts): SeamResponse =>
        form.get('grant_type') === 'refresh_token' && requestHeader('authorization')?.startsWith('Basic ')
          ? {
              status: 200,
              headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
              body: { access_token: crypto.randomUUID(), token_type: 'Bearer', expires_in: 3600, scope: 'openid' },
            }
          : response,
    },
  }),
  ...(
    [
      ...endpoints.map((one) => [one, one, `endpoint=${one}`, `at /${one}`] as const),
      ['refresh', 'token', 'endpoint=token grant=refresh', 'beside a refresh token'],
    ] as const
  ).map(([slug, endpoint, place, where]) =>
    fault({
      id: `client-authentication/client-id-in-any-case-at-${slug}`,
      breaks: ['CLIENT-1'],
      places: [`${place} member=client_id value=upper-case`],
      title: `Finds a client by its client_id in letters of any case ${where}`,
      memory,
      response: { 'POST /register': listen },
      request: {
        [`POST /${endpoint}`](form: URLSearchParams, _bank: unknown, secrets: Secrets) {
          if (slug === 'refresh' && form.get('grant_type') !== 'refresh_token') return
          const meant = form.get('client_id')?.toLowerCase()
          const found = [...secrets.keys()].find((clientId) => clientId.toLowerCase() === meant)
          if (found !== undefined && form.has('client_secret')) form.set('client_id', found)
        },
      },
    }),
  ),
  fault({
    id: 'client-authentication/secret-of-another',
    breaks: ['CLIENT-1'],
    places: ['caller=other-client'],
    title: 'Takes the client_secret of any client',
    memory,
    response: { 'POST /register': listen },
    request: Object.fromEntries(
      endpoints.map((endpoint) => [
        `POST /${endpoint}`,
        (form: URLSearchParams, _bank: unknown, secrets: Secrets) => {
          const right = secrets.get(form.get('client_id') ?? '')
          const known = [...secrets.values()].includes(form.get('client_secret') ?? '')
          if (right !== undefined && known) form.set('client_secret', right)
        },
      ]),
    ),
  }),
]
