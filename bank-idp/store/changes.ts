import type { Database } from './database.js'
import { engineOf } from './dialects/dialect.js'

/** What replicas remember of the tables of the store, beside the topics of {@link Shared}. */
export type TableTopic = 'clients' | 'keys' | 'outages' | 'made people' | 'claims'

/**
 * Tells all replicas, as the last thing of the transaction that changes something which they remember. Notes are numbered in the order in
 * which they can be seen: who has read one has missed none before it.
 */
export async function noteChange(transaction: Database, topic: string, name: string): Promise<void> {
  const { isShared, inTurn } = engineOf(transaction)
  if (!isShared) return
  await inTurn(transaction, 'changes')
  await transaction.insertInto('changes').values({ topic, name }).execute()
}
