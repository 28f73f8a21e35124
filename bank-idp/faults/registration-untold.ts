import { randomBytes } from 'node:crypto'
import { Latest } from '../latest.js'
import type { RecordFacts } from '../seams.js'
import { type Fault, fault } from './fault.js'

/** Whose record did not name a field when it was last judged, by jwks_uri, which no two clients share. */
type LeftOut = Latest<boolean>

/** A field that goes on holding, with what belongs to it, though a PUT left it out and the answers say so. */
interface Row {
  field: string
  beside?: string
  /** What the answers say of it instead, where that is not that there is none. */
  told?: string
  breaks: string
  place: string
}

const inEffect = (field: string) => ({ field, breaks: 'REG-11', place: `use=after-put member=${field}` })

const rows: readonly Row[] = [
  ...['id_token', 'userinfo', 'profile'].map((reply) => ({
    ...inEffect(`${reply}_encrypted_response_alg`),
    beside: `${reply}_encrypted_response_enc`,
  })),
  ...(
    [
      ['id_token', 'token'],
      ['userinfo', 'userinfo'],
      ['profile', 'profile'],
    ] as const
  ).map(([reply, endpoint]) => ({
    field: `${reply}_signed_response_alg`,
    told: 'PS512',
    breaks: 'REG-11',
    place: `endpoint=${endpoint} use=after-put member=${reply}_signed_response_alg`,
  })),
  inEffect('token_endpoint_auth_signing_alg'),
  inEffect('request_object_signing_alg'),
  { ...inEffect('request_object_encryption_alg'), beside: 'request_object_encryption_enc' },
  { field: 'backchannel_logout_uri', breaks: 'LOGOUT-1', place: 'use=after-put' },
]

/** For `keptRecord`: the value that was replaced, where the field was left out. */
function asBefore(field: string) {
  return (value: unknown, { record, replaced }: RecordFacts, leftOut: LeftOut) =>
    leftOut.get(String(record.jwks_uri)) ? (replaced?.[field] ?? value) : value
}

/** For `answeredRecord`: of a field that was left out what is told instead, or nothing. */
function untold(told?: string) {
  return (value: unknown, { record }: RecordFacts, leftOut: LeftOut) =>
    leftOut.get(String(record.jwks_uri)) ? told : value
}

const keptUntold = rows.map(({ field, beside, told, breaks, place }) => {
  const fields = [field, ...(beside === undefined ? [] : [beside])]
  return fault({
    id: `registration/put-keeps-untold-${field.replaceAll('_', '-')}`,
    breaks: [breaks],
    places: [place],
    title: `Goes on with the ${field} that a PUT left out, and answers that ${told ? `it is ${told}` : 'it is gone'}`,
    memory: (): LeftOut => new Latest(10_000),
    judgedRecord: {
      [field](value, { record }, leftOut) {
        leftOut.set(String(record.jwks_uri), value === undefined)
        return value
      },
    },
    keptRecord: Object.fromEntries(fields.map((name) => [name, asBefore(name)])),
    answeredRecord: Object.fromEntries(fields.map((name) => [name, untold(told)])),
  })
})

/** A PUT that does more than its answers tell, or less. */
export const registrationUntoldFaults: readonly Fault[] = [
  ...keptUntold,
  fault({
    id: 'registration/put-renews-secret-untold',
    breaks: ['CLIENT-1'],
    places: ['endpoint=token-info use=after-put value=missing'],
    title: 'Issues another client_secret with each PUT, and answers with the one before',
    /** The secret of each client that has another by now, by client_id. */
    memory: () => new Latest<string>(10_000),
    clients: {
      async find(clientId, { store }, renewed) {
        const client = await store.find(clientId)
        const clientSecret = renewed.get(clientId)
        return client && clientSecret !== undefined ? { ...client, clientSecret } : client
      },
      async replace(record, { store, clientId }, renewed) {
        renewed.set(clientId, randomBytes(64).toString('base64url'))
        await store.replace(clientId, record)
      },
    },
  }),
  fault({
    id: 'registration/put-tells-other-secret',
    breaks: ['REG-21', 'REG-35'],
    places: ['use=after-put member=client_secret'],
    title: 'Tells a client that a PUT has authenticate by secret in place of its key another one than it goes by',
    collateral: { 'registration/change-of-method': 'the client proves who it is with what the PUT told' },
    /** Who authenticated by its key before it was last replaced, by client_id. */
    memory: () => new Latest<boolean>(10_000),
    judgedRecord: {
      client_id(value, { replaced }, byKey) {
        byKey.set(String(value), replaced?.token_endpoint_auth_method === 'private_key_jwt')
        return value
      },
    },
    answeredRecord: {
      client_secret(value, { method, record }, byKey) {
        const isAnother = byKey.get(String(record.client_id)) && record.token_endpoint_auth_method !== 'private_key_jwt'
        return method === 'PUT' && isAnother ? randomBytes(64).toString('base64url') : value
      },
    },
  }),
]
