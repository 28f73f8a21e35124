import { anotherClient } from '../../bank/client-metadata.js'
import type { Client } from '../../bank/registration.js'
import type { Tools } from '../../harness/rule.js'
import { byPost, declaresMethod } from './client-methods.js'

/** Clients that ask for what is another's, by what they are: one like it, and one that proves itself by a client_secret where it can. */
export async function otherClients(tools: Pick<Tools, 'bank'>): Promise<Record<string, Client>> {
  const { bank } = tools
  const bySecret = { ...byPost, ...anotherClient }
  const sendsSecret = (await declaresMethod(tools, 'client_secret_post')) && bank.client.canBe(bySecret)
  return {
    'by another client': await bank.client(anotherClient),
    ...(sendsSecret && { 'by another client, with its client_secret': await bank.client(bySecret) }),
  }
}
