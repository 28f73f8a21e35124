import { Latest } from '../latest.js'
import type { ResponseFacts, SeamResponse } from '../seams.js'
import { body, type Fault, fault } from './fault.js'

/** What clients registered first, by client_id: the latest ten thousand. */
type First = Latest<Readonly<Record<string, unknown>>>

const first = (): First => new Latest(10_000)

function noted(response: SeamResponse, _facts: unknown, memory: First): SeamResponse {
  const record = Object(response.body)
  if (response.status < 300 && typeof record.client_id === 'string') memory.set(record.client_id, record)
  return response
}

/** The members of a record, and what else a PUT carries. */
const known =
  /^(redirect_uris|response_types|grant_types|application_type|contacts|scope|required_scope|jwks_uri|client_(name|uri|id|secret)|(logo|policy|tos|initiate_login|backchannel_logout|frontchannel_logout|notification|sector_identifier)_uri|(back|front)channel_logout_session_required|post_logout_redirect_uris|subject_type|.*_(alg|enc)|token_endpoint_auth_method|default_max_age|require_auth_time|default_acr_values|request_uris|client_type|client_provider_name|tax_number)$/

function refused(response: SeamResponse): SeamResponse {
  const body = { error: 'invalid_client_metadata', error_description: 'the body must be sent as application/json' }
  return { ...response, status: 400, body }
}

const scopesOf = (scope: unknown) => String(scope ?? '').split(' ')

/** What a bank makes of a record that replaces another. */
export const registrationReplacedFaults: readonly Fault[] = [
  fault({
    id: 'registration/required-scope-of-replaced',
    breaks: ['REG-16'],
    places: ['method=PUT use=after-put'],
    title: 'Takes by PUT a required_scope that is in the scope of the record that it replaces',
    judgedRecord: {
      required_scope(required, { record, replaced }) {
        const known = [...scopesOf(replaced?.scope), ...scopesOf(record.scope)]
        const isKnown = replaced !== undefined && scopesOf(required).every((scope) => known.includes(scope))
        return isKnown ? undefined : required
      },
    },
  }),
  ...Object.entries({
    POST: ['POST /register', 'REG-1'],
    PUT: ['PUT /register/{client_id}', 'REG-11'],
  } as const).flatMap(([method, [route, requirement]]) => [
    fault({
      id: `registration/charset-refused-by-${method.toLowerCase()}`,
      breaks: [requirement],
      places: ['parameter=content-type'],
      title: `Refuses a ${method} whose content type has a charset`,
      response: {
        [route]: (response: SeamResponse, { requestHeader }: ResponseFacts) =>
          /charset/i.test(requestHeader('content-type') ?? '') ? refused(response) : response,
      },
    }),
    fault({
      id: `registration/unknown-member-refused-by-${method.toLowerCase()}`,
      breaks: [requirement],
      places: ['value=unknown'],
      title: `Refuses a ${method} with a member that it does not know`,
      judgedRecord: {
        client_name: (name, { method: asked, record }) =>
          asked === method && !Object.keys(record).every((member) => known.test(member)) ? 42 : name,
      },
    }),
  ]),
  fault({
    id: 'registration/new-scope-not-in-force',
    breaks: ['REG-29'],
    places: ['member=scope'],
    title: 'Lets a client ask for scopes of a PUT that it had registered before, and for no others',
    memory: first,
    response: { 'POST /register': noted },
    request: {
      'GET /auth'(parameters, _bank, memory) {
        const record = memory.get(String(parameters.get('client_id')))
        const asked = scopesOf(parameters.get('scope'))
        if (record && asked.some((scope) => scope.startsWith('profile.') && !scopesOf(record.scope).includes(scope)))
          parameters.set('scope', `${asked.join(' ')} of-no-record`)
      },
    },
  }),
  fault({
    id: 'registration/other-client-id-by-put',
    breaks: ['REG-3'],
    places: ['method=PUT member=client_id'],
    title: 'Names in the answer to PUT the client by its client_id in capitals',
    collateral: {
      'registration/odd-values-echoed': 'the client_id is part of what a PUT sends',
      'registration/record-echoed-put': 'the client_id is part of what a PUT sends',
    },
    response: {
      'PUT /register/{client_id}': body((record) => ({ ...record, client_id: String(record.client_id).toUpperCase() })),
    },
  }),
  fault({
    id: 'request-object/algorithm-of-first-record',
    breaks: ['REG-23'],
    places: ['endpoint=auth use=after-put'],
    title: 'Takes request objects also by the algorithm that a PUT has replaced',
    memory: first,
    response: { 'POST /register': noted },
    judgedObject(object, { clientId, algorithms: [registered] }, memory) {
      const isOfFirst = memory.get(clientId)?.request_object_signing_alg === object.header.alg
      return isOfFirst && registered !== undefined
        ? { ...object, header: { ...object.header, alg: registered } }
        : object
    },
  }),
  fault({
    id: 'authorization/openid-alone-unlimited',
    breaks: ['AUTH-12'],
    places: ['scope=openid value=wrong'],
    title: 'Takes a request of a client that registered openid alone for one of openid, whatever else it asks for',
    memory: first,
    response: { 'POST /register': noted },
    request: {
      'GET /auth'(parameters, _bank, memory) {
        const record = memory.get(String(parameters.get('client_id')))
        if (record?.scope === 'openid' && scopesOf(parameters.get('scope')).includes('openid'))
          parameters.set('scope', 'openid')
      },
    },
  }),
]
