import { LRUCache } from 'lru-cache'
import type { RegistrationRecord } from '../client.js'
import type { Deviation } from './fault.js'

/** The records of clients that registered since a fault was switched on, by client_id. */
export type Records = LRUCache<string, RegistrationRecord>

export const recordsOfClients = (): Records => new LRUCache({ max: 10_000 })

/** For `clients`: keeps what is registered in the memory of a fault. */
export const keptRecords: NonNullable<Deviation<Records>['clients']> = {
  async create(record, { store }, records) {
    const client = await store.create(record)
    records.set(client.clientId, record)
    return client
  },
  async replace(record, { store, clientId }, records) {
    await store.replace(clientId, record)
    records.set(clientId, record)
  },
}
