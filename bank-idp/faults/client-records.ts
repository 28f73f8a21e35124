import { notedRecords, type Records, recordsOfClients } from './client-memory.js'
import { type Fault, fault } from './fault.js'

const route = 'GET /auth'

/** Faults of a bank that takes one client for another, or does not hold a client to what it registered. */
export const clientRecordFaults: readonly Fault[] = [
  fault({
    id: 'authorization/client-id-by-prefix',
    breaks: ['AUTH-5'],
    places: ['value=prefix', 'value=superset', 'value=upper-case'],
    title: 'Finds a client by a client_id that is cut short, goes on, or is written in another case',
    memory: recordsOfClients,
    response: notedRecords,
    request: {
      [route](parameters, _bank, records: Records) {
        const given = parameters.get('client_id') ?? ''
        if (given === '' || records.has(given)) return
        const meant = [...records.keys()].find(
          (one) => one.startsWith(given) || given.startsWith(one) || one.toLowerCase() === given.toLowerCase(),
        )
        if (meant !== undefined) parameters.set('client_id', meant)
      },
    },
  }),
  ...['offline_access', 'data'].map((kind) =>
    fault({
      id: `authorization/scope-${kind.replace('_', '-')}-unregistered-dropped`,
      breaks: ['AUTH-12'],
      places: [`scope=${kind} value=wrong`],
      title: `Ignores ${kind === 'data' ? 'data scopes' : kind} that the client did not register`,
      memory: recordsOfClients,
      response: notedRecords,
      request: {
        [route](parameters, { scopes }, records: Records) {
          const registered = records.get(parameters.get('client_id') ?? '')?.scope?.split(' ')
          const isDropped = (scope: string) =>
            scopes.includes(scope) && (scope === 'offline_access') === (kind === 'offline_access')
          const given = parameters.get('scope')
          if (!registered || given === null) return
          const left = given.split(' ').filter((scope) => registered.includes(scope) || !isDropped(scope))
          parameters.set('scope', left.join(' '))
        },
      },
    }),
  ),
]
