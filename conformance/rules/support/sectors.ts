import type { Bank } from '../../bank/bank.js'
import type { Metadata } from '../../bank/client-metadata.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import type { Tools } from '../../harness/rule.js'
import { type Need, toLogIn, toRegister } from '../../target/needs.js'

/** Redirect URIs on hosts of their own; nobody has to be there, since no redirect to them is followed. */
// The first has a long name: one label may have 63 octets, and all together 253 (RFC 1035 section 2.3.4).
const longLabels = [
  'of-a-division-that-has-a-long-name',
  'of-a-service-provider-that-has-a-longer-name',
  'of-many-words',
]
export const first = `https://first.conformance.${longLabels.join('.')}.example/callback`
export const second = 'https://second.conformance.example/callback'

/** To log in at clients of several sectors, which have to be registered. */
export const toCompare: readonly Need[] = [...toRegister, ...toLogIn, 'redirect']

/** The sub of a person at the client with these changes of the default record. */
export async function subAt(bank: Bank, clientMetadata: Metadata, person = 'full'): Promise<string> {
  return bank.subjectInUserinfo(await bank.token({ clientMetadata, person, scope: 'openid' }))
}

/** Skips where subs do not depend on a sector, since they are then the same for that reason. */
export async function demandPairwise({ bank, skip }: Pick<Tools, 'bank' | 'skip'>): Promise<void> {
  const declared = (await bank.discovery()).declared('subject_types_supported')
  if (declared && !declared.includes('pairwise')) skip('the bank does not declare subject_type pairwise')
}

/** Replaces the record of the client that these changes of the default record gave. */
export async function change(bank: Bank, clientMetadata: Metadata, changes: Metadata): Promise<void> {
  const client = await asOwn(await bank.registration(clientMetadata))
  await bank.replaceRecord(client, replacement(client, changes))
}
