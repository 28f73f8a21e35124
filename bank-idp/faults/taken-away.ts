import type { RegistrationRecord } from '../client.js'
import { Latest } from '../latest.js'
import { parseSpaceDelimited } from '../parse-space-delimited.js'
import type { Fault } from './fault.js'
import { type FaultRow, rememberingFaultsOf } from './fault-table.js'

/** What PUTs took away from a client's record, and what the last of them left. */
interface TakenAway {
  before: readonly string[]
  left: readonly string[]
}

interface Row extends FaultRow {
  /** The values of the member that the row is about. */
  valuesOf(record: RegistrationRecord): readonly string[]
  /** Has a request that asks for what was taken away ask for something that is left. */
  repair(parameters: URLSearchParams, isTakenAway: (value: string) => boolean, left: readonly string[]): void
}

/** Puts what is taken instead in the place of a parameter that was taken away; undefined leaves it out. */
const instead =
  (name: string, other: (left: readonly string[]) => string | undefined): Row['repair'] =>
  (parameters, isTakenAway, left) => {
    const given = parameters.get(name)
    if (given === null || !isTakenAway(given)) return
    const taken = other(left)
    if (taken === undefined) parameters.delete(name)
    else parameters.set(name, taken)
  }

const collateral = { 'registration/change-holds': 'REG-29 says of every change that it holds for the next request' }

const rows: readonly Row[] = [
  {
    id: 'authorization/redirect-uri-taken-away-served',
    requirement: 'AUTH-3',
    title: 'Takes a redirect_uri that a PUT took away for the one that is left',
    valuesOf: ({ redirect_uris }) => redirect_uris,
    repair: instead('redirect_uri', ([left]) => left),
  },
  {
    id: 'authorization/response-type-taken-away-served',
    requirement: 'AUTH-7',
    title: 'Takes a response_type that a PUT took away for the one that is left',
    valuesOf: ({ response_types }) => response_types,
    repair: instead('response_type', ([left]) => left),
  },
  {
    id: 'authorization/scope-taken-away-served',
    requirement: 'AUTH-12',
    title: 'Leaves out of a request the scopes that a PUT took away, and serves it',
    valuesOf: ({ scope }) => parseSpaceDelimited(scope),
    repair(parameters, isTakenAway) {
      const scopes = parseSpaceDelimited(parameters.get('scope') ?? '')
      if (scopes.some(isTakenAway)) parameters.set('scope', scopes.filter((scope) => !isTakenAway(scope)).join(' '))
    },
  },
  {
    id: 'authorization/request-uri-taken-away-served',
    requirement: 'AUTH-21',
    title: 'Leaves out of a request the request_uri that a PUT took away, and serves it',
    valuesOf: ({ request_uris }) => [request_uris ?? []].flat().map(String),
    repair: instead('request_uri', () => undefined),
  },
]

/** What a bank goes on serving at /auth though a PUT took it out of the record. */
export const takenAwayFaults: readonly Fault[] = rememberingFaultsOf(
  rows.map((row) => ({ ...row, places: ['use=after-put'], collateral })),
  () => new Latest<TakenAway>(10_000),
  ({ valuesOf, repair }) => ({
    clients: {
      async replace(record, { store, clientId }, known) {
        const replaced = await store.find(clientId)
        const earlier = known.get(clientId)?.before ?? []
        const before = [...earlier, ...(replaced ? valuesOf(replaced.record) : [])]
        known.set(clientId, { before, left: valuesOf(record) })
        await store.replace(clientId, record)
      },
    },
    request: {
      'GET /auth'(parameters, _bank, known) {
        const { before = [], left = [] } = known.get(String(parameters.get('client_id'))) ?? {}
        repair(parameters, (value) => before.includes(value) && !left.includes(value), left)
      },
    },
  }),
)
