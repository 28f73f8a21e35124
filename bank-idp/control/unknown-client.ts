import { BankError } from '../errors.js'
import { didYouMean } from '../nearest.js'
import { clientIds } from '../store/clients.js'
import type { Bench } from './operation.js'

/** Says that no such client is registered, and which one was meant, or where its client_id is told. @param known the client_id of each */
export function unregistered(clientId: string, known: Iterable<string>): string {
  const meant = didYouMean(clientId, [...known])
  return `no client is registered as '${clientId}'${meant || ': give the client_id that POST /register returned and the log shows as client'}`
}

/** Refuses what names a client that is not registered. */
export async function unknownClient({ store }: Pick<Bench, 'store'>, clientId: string): Promise<BankError> {
  return new BankError('not_found', unregistered(clientId, await clientIds(store())))
}
