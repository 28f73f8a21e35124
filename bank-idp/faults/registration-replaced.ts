import { Latest } from '../latest.js'
import type { SeamResponse } from '../seams.js'
import { body, type Fault, fault } from './fault.js'

/** What clients registered first, by client_id: the latest ten thousand. */
type First = Latest<Readonly<Record<string, unknown>>>

const first = (): First => new Latest(10_000)

function noted(response: SeamResponse, _facts: unknown, memory: First): SeamResponse {
  const record = Object(response.body)
  if (response.status < 300 && typeof record.client_id === 'string') memory.set(record.client_id, record)
  return response
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
