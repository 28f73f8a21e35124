import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { type Fault, fault } from './fault.js'
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

/** Checks that PUT leaves out, by what they are about. */
const undeclaredByPut = [
  ['algorithms', 'DISC-13', 'algorithms', ['userinfo_signed_response_alg', 'profile_signed_response_alg']],
  ['authentication', 'DISC-22', 'authentication methods', ['token_endpoint_auth_method']],
  ['flows', 'DISC-23', 'response types and grants', ['response_types', 'grant_types']],
] as const

/** Which of several redirect URIs the checks see. */
const unseen = [
  ['third', 'last', 'Looks at the first two redirect URIs alone', (uris: readonly string[]) => uris.slice(0, 2)],
  [
    'middle',
    'last',
    'Looks at the first and the last redirect URI alone',
    (uris: readonly string[]) => uris.filter((_uri, i) => i === 0 || i === uris.length - 1),
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
        if (own !== undefined && Number(parameters.get('max_age')) > Number(own)) parameters.set('max_age', own)
      },
    },
  }),
  ...unseen.map(([which, value, title, seen]) =>
    fault({
      id: `registration/${which}-redirect-uri-unseen`,
      breaks: ['REG-4'],
      places: ['POST', 'PUT'].map((method) => `method=${method} value=${value}`),
      title,
      judgedRecord: { redirect_uris: (uris) => (isList(uris) ? seen(uris) : uris) },
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
