import { Latest } from '../latest.js'
import type { NestedJwt, NestedJwtFacts, ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
import { isDirect, redirectTarget } from './redirects.js'
import { isList } from './registration-members.js'

/** A member that a client registered, by its client_id. */
type Remembered = Latest<string>

const perClient = (): Remembered => new Latest(10_000)

/** For `response`: remembers a member as text where an answer to POST or PUT tells it, and keeps what it was where it tells none. */
function note(member: string, text: (value: unknown) => string) {
  return (response: SeamResponse, _facts: ResponseFacts, remembered: Remembered): SeamResponse => {
    const { client_id: clientId, [member]: value } = Object(response.body) as Record<string, unknown>
    if (response.status < 300 && value !== undefined) remembered.set(String(clientId), text(value))
    return response
  }
}

/** Members of a record that hold at /auth after a PUT that left them out, by the parameter in whose place they hold. */
const outliving = [
  ['default_acr_values', 'acr_values', (value: unknown) => [value].flat().join(' ')],
  ['default_max_age', 'max_age', String],
] as const

/** What is signed and encrypted for clients. */
const replies = ['id_token', 'userinfo', 'profile'] as const

/** Addresses that are kept without their queries. */
const queried = ['logo_uri', 'client_uri', 'initiate_login_uri', 'backchannel_logout_uri', 'notification_uri'] as const

function withoutQuery(address: unknown): unknown {
  return typeof address === 'string' ? address.replace(/\?.*/, '') : address
}

const firstOf = (characters: number) => (value: unknown) =>
  typeof value === 'string' ? value.slice(0, characters) : value

/** 30 days, in seconds. */
const longestAgeSeconds = 2_592_000

function capped(seconds: unknown): unknown {
  return typeof seconds === 'number' ? Math.min(seconds, longestAgeSeconds) : seconds
}

/** Checks that PUT leaves out, by what they are about. */
const undeclaredByPut = [
  ['algorithms', 'DISC-13', 'algorithms', ['userinfo_signed_response_alg', 'profile_signed_response_alg']],
  ['authentication', 'DISC-22', 'authentication methods', ['token_endpoint_auth_method']],
  ['flows', 'DISC-23', 'response types and grants', ['response_types', 'grant_types']],
] as const

/** Which of several redirect URIs may be other than https. */
const anyScheme = [
  ['third', 'Looks at the scheme of the first two redirect URIs alone', (i: number) => i > 1],
  [
    'middle',
    'Looks at the scheme of the first and the last redirect URI alone',
    (i: number, last: number) => i > 0 && i < last,
  ],
] as const

/** What may be refused at /auth and registered later: the parameter, the member, by what a refusal is told, and a value that is registered by nobody. */
const refusals = [
  ['redirect_uri', 'redirect_uris', ({ status }: SeamResponse) => status === 400, 'https://nobody.example/'],
  [
    'scope',
    'scope',
    (response: SeamResponse) => redirectTarget(response)?.searchParams.get('error') === 'invalid_scope',
    'openid scope.of.nobody',
  ],
] as const

/** What goes wrong with other than the first of several, with nothing in place of something, and once a PUT left a member out. */
export const registrationLaterFaults: readonly Fault[] = [
  ...outliving.map(([member, parameter, text]) =>
    fault({
      id: `registration/${member.replaceAll('_', '-')}-outlive-put`,
      breaks: ['REG-11'],
      places: [`use=after-put member=${member}`],
      title: `Goes by the ${member} of before at /auth once a PUT left them out`,
      memory: perClient,
      response: { 'POST /register': note(member, text), 'PUT /register/{client_id}': note(member, text) },
      request: {
        'GET /auth'(parameters, _bank, remembered) {
          const before = remembered.get(parameters.get('client_id') ?? '')
          if (before !== undefined && !parameters.has(parameter)) parameters.set(parameter, before)
        },
      },
    }),
  ),
  ...refusals.map(([parameter, member, isRefused, unregistered]) =>
    fault({
      id: `registration/refused-${parameter.replace('_', '-')}-remembered`,
      breaks: ['REG-29'],
      places: [`use=after-refusal member=${member}`],
      title: `Goes on to refuse a ${parameter} that it refused once, though a PUT registered it since`,
      memory: perClient,
      request: {
        'GET /auth'(parameters, _bank, refused) {
          const asked = parameters.get(parameter) ?? ''
          if (refused.has(`${parameters.get('client_id')} ${asked}`)) parameters.set(parameter, unregistered)
        },
      },
      response: {
        'GET /auth'(response: SeamResponse, { query }: ResponseFacts, refused) {
          if (isDirect({ query }) && isRefused(response))
            refused.set(`${query.get('client_id')} ${query.get(parameter)}`, '')
          return response
        },
      },
    }),
  ),
  ...replies.map((reply) =>
    fault({
      id: `registration/${reply.replace('_', '-')}-encrypted-as-at-first`,
      breaks: ['REG-11'],
      places: [`use=after-put member=${reply}_encrypted_response_alg`],
      title: `Goes on to encrypt ${reply} for a client that it was encrypted for once`,
      memory: () => new Latest<NonNullable<NestedJwt['encryption']>>(10_000),
      nestedJwt: {
        [reply](
          planned: NestedJwt,
          { clientId = '' }: NestedJwtFacts,
          known: Latest<NonNullable<NestedJwt['encryption']>>,
        ) {
          if (planned.encryption) known.set(clientId, planned.encryption)
          const encryption = known.get(clientId)
          return encryption ? { ...planned, encryption } : planned
        },
      },
    }),
  ),
  fault({
    id: 'registration/default-max-age-first',
    breaks: ['REG-19'],
    places: ['parameter=max_age'],
    title: 'Goes by default_max_age where it is smaller than the max_age that a request names',
    memory: perClient,
    response: {
      'POST /register': note('default_max_age', String),
      'PUT /register/{client_id}': note('default_max_age', String),
    },
    request: {
      'GET /auth'(parameters, _bank, remembered) {
        const own = remembered.get(parameters.get('client_id') ?? '')
        // One of another form, or out of range, is refused all the same.
        const named = Number(/^[1-9]\d*$/.exec(parameters.get('max_age') ?? '')?.[0])
        const isOne = parameters.getAll('max_age').length === 1
        if (isOne && own !== undefined && named > Number(own) && named < longestAgeSeconds)
          parameters.set('max_age', own)
      },
    },
  }),
  ...anyScheme.map(([which, title, lets]) =>
    fault({
      id: `registration/${which}-redirect-uri-unseen`,
      breaks: ['REG-4'],
      places: ['POST', 'PUT'].map((method) => `method=${method} value=last`),
      title,
      judgedRecord: {
        redirect_uris: (uris) =>
          isList(uris) ? uris.filter((uri, i) => uri.startsWith('https:') || !lets(i, uris.length - 1)) : uris,
      },
    }),
  ),
  fault({
    id: 'registration/later-queries-dropped',
    breaks: ['REG-2'],
    places: ['POST', 'PUT', 'GET'].map((method) => `method=${method} member=redirect_uris value=encoded`),
    title: 'Leaves the query out of each redirect URI but the first in the records that it answers',
    answeredRecord: {
      redirect_uris: (uris) => (isList(uris) ? uris.map((uri, i) => (i > 0 ? uri.replace(/\?.*/, '') : uri)) : uris),
    },
  }),
  ...undeclaredByPut.map(([slug, requirement, what, members]) =>
    fault({
      id: `registration/put-undeclared-${slug}`,
      breaks: ['REG-15', requirement],
      places: ['endpoint=register method=PUT', ...members.map((member) => `method=PUT member=${member}`)],
      title: `Does not look by PUT whether ${what} are declared`,
      without: [`registration/declared-${slug} at PUT`],
    }),
  ),
  fault({
    id: 'registration/put-without-authorization',
    breaks: ['REG-25'],
    places: ['method=PUT'],
    title: 'Takes the scope authorization by POST alone',
    judgedRecord: {
      scope: (value, { method }) =>
        method === 'PUT' && typeof value === 'string' ? value.replace(/\bauthorization\b/, 'of-signing') : value,
    },
  }),
  ...(
    [
      ['max-age-capped', 'default_max_age', 'long', 'Keeps a default_max_age of 30 days at the most', capped],
      [
        'redirect-uris-cut',
        'redirect_uris',
        'long',
        'Keeps 255 characters of each redirect URI at the most',
        (value: unknown) => (isList(value) ? value.map((uri) => uri.slice(0, 255)) : value),
      ],
      [
        'eleventh-redirect-uri-lost',
        'redirect_uris',
        'last',
        'Keeps ten redirect URIs at the most',
        (value: unknown) => (isList(value) ? value.slice(0, 10) : value),
      ],
      ['logo-uri-cut', 'logo_uri', 'long', 'Keeps 255 characters of logo_uri at the most', firstOf(255)],
      [
        'tags-of-contacts-lost',
        'contacts',
        'suffix',
        'Keeps contacts without their tags',
        (value: unknown) => (isList(value) ? value.map((contact) => contact.replace(/\+[^@]*/, '')) : value),
      ],
      [
        'third-contact-lost',
        'contacts',
        'last',
        'Keeps two contacts at the most',
        (value: unknown) => (isList(value) ? value.slice(0, 2) : value),
      ],
      ...queried.map(
        (member) =>
          [
            `${member.replaceAll('_', '-')}-without-query`,
            member,
            'encoded',
            `Keeps ${member} without its query`,
            withoutQuery,
          ] as const,
      ),
    ] as const
  ).map(([slug, member, value, title, kept]) =>
    fault({
      id: `registration/${slug}`,
      breaks: ['REG-2'],
      places: ['POST', 'PUT', 'GET'].map((method) => `method=${method} member=${member} value=${value}`),
      title,
      keptRecord: { [member]: kept },
    }),
  ),
  fault({
    id: 'registration/refusal-as-html',
    breaks: ['REG-14'],
    places: ['method=PUT'],
    title: 'Answers a PUT whose body is no record with JSON as HTML',
    response: {
      'PUT /register/{client_id}': (response) =>
        response.status === 400 && /^the body /.test(String(Object(response.body).error_description))
          ? { ...response, headers: { ...response.headers, 'content-type': 'text/html' } }
          : response,
    },
  }),
  fault({
    id: 'registration/sep-identifier-refused',
    breaks: ['GEN-5'],
    places: ['endpoint=register'],
    title: 'Refuses to register a client where X-Sep-identifier is sent',
    collateral: { 'registration/create': 'in another dress a client is registered with the header' },
    response: {
      'POST /register': (response, { requestHeader }) =>
        requestHeader('x-sep-identifier') === undefined
          ? response
          : {
              status: 400,
              headers: { 'content-type': 'application/json' },
              body: { error: 'invalid_request', error_description: 'X-Sep-identifier is not known here' },
            },
    },
  }),
  fault({
    id: 'registration/no-body-undescribed',
    breaks: ['REG-14'],
    places: ['POST', 'PUT'].map((method) => `method=${method}`),
    title: 'Has no error_description for a call without a body',
    response: Object.fromEntries(
      (['POST /register', 'PUT /register/{client_id}'] as const).map((route) => [
        route,
        (response: SeamResponse, { requestHeader }: ResponseFacts) =>
          response.status === 400 && (requestHeader('content-length') ?? '0') === '0'
            ? { ...response, body: { error: Object(response.body).error } }
            : response,
      ]),
    ),
  }),
  fault({
    id: 'registration/put-answered-as-text',
    breaks: ['REG-11'],
    places: ['member=client_name'],
    title: 'Answers a PUT with the record as plain text',
    response: {
      'PUT /register/{client_id}': (response) =>
        response.status === 200
          ? { ...response, headers: { ...response.headers, 'content-type': 'text/plain' } }
          : response,
    },
  }),
]
