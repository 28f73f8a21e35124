import type { BankFacts, ResponseFacts, Route, SeamResponse } from '../seams.js'
import { body, type Fault, fault, omit } from './fault.js'

/** What is read again later says something else than the first time. */
interface Row {
  id: string
  breaks: string
  place?: string
  title: string
  route: Route
  change(members: Record<string, unknown>): unknown
}

const rows: readonly Row[] = [
  {
    id: 'discovery/later-without-claim-types',
    breaks: 'DISC-7',
    title: 'Leaves claim_types_supported out of the discovery document',
    route: 'GET /.well-known/openid-configuration',
    change: (members) => omit(members, 'claim_types_supported'),
  },
  {
    id: 'discovery/later-claims-text',
    breaks: 'DISC-11',
    title: 'Gives claims_supported as text',
    route: 'GET /.well-known/openid-configuration',
    change: ({ claims_supported, ...members }) => ({
      ...members,
      claims_supported: Array.isArray(claims_supported) ? claims_supported.join(' ') : claims_supported,
    }),
  },
  {
    id: 'key-set/later-without-use',
    breaks: 'JWKS-2',
    title: 'Leaves use out of the last key of the key set',
    route: 'GET /.well-known/jwks.json',
    change: ({ keys, ...members }) => ({
      ...members,
      keys: Array.isArray(keys) ? [...keys.slice(0, -1), omit(keys.at(-1), 'use')] : keys,
    }),
  },
  {
    id: 'health/later-interval-text',
    breaks: 'HEALTH-5',
    title: 'Gives poll_interval as text',
    route: 'GET /healthcheck',
    change: (members) => ({ ...members, poll_interval: String(members.poll_interval) }),
  },
  {
    id: 'health/later-details-text',
    breaks: 'HEALTH-9',
    title: 'Says in one word how each sub-system is',
    route: 'GET /healthcheck',
    change: (members) => ({
      ...members,
      details: Object.fromEntries(Object.keys(Object(members.details)).map((name) => [name, 'OK'])),
    }),
  },
  {
    id: 'discovery/later-device-codes-without-end',
    breaks: 'DISC-19',
    place: 'grant=device use=second-call',
    title: 'Does not tell how long device codes are good for',
    route: 'POST /device_authorization',
    change: (members) => omit(members, 'expires_in'),
  },
]

export const readAgainFaults: readonly Fault[] = rows.map(
  ({ id, breaks, place = 'use=second-call', title, route, change }) =>
    fault({
      id,
      breaks: [breaks],
      places: [place],
      title: `${title}, each time but the first`,
      memory: () => ({ wasRead: false }),
      response: {
        [route]: (response: SeamResponse, bank: BankFacts & ResponseFacts, memory: { wasRead: boolean }) => {
          const isFirst = !memory.wasRead
          memory.wasRead = true
          return isFirst ? response : body(change)(response, bank)
        },
      },
    }),
)
