import { authenticatedBy, type Metadata, undeclaredMethods } from '../../bank/client-metadata.js'
import type { Client } from '../../bank/registration.js'
import type { Tools } from '../../harness/rule.js'

type Asking = Pick<Tools, 'bank' | 'skip'>

/** Whether the bank declares a method of client authentication, or does not say which it takes. */
export async function declaresMethod({ bank }: Pick<Tools, 'bank'>, method: string): Promise<boolean> {
  return undeclaredMethods(await bank.discovery(), method) === undefined
}

/** Why nothing is looked at of a client of a method, where there is none. */
export function noClientOf(method: string): string {
  return `the bank does not declare ${method}, or the given client is none of it`
}

/** Skips where the bank declares none of these methods, and says which it declares. */
export async function needMethod({ bank, skip }: Asking, ...methods: string[]): Promise<void> {
  const undeclared = undeclaredMethods(await bank.discovery(), ...methods)
  if (undeclared !== undefined) skip(undeclared)
}

/** The client, which has to authenticate by private_key_jwt: others have no assertion to be judged. */
export async function assertingClient(tools: Asking): Promise<Client> {
  const client = await tools.bank.client()
  if (client.metadata.token_endpoint_auth_method === 'private_key_jwt') return client
  await needMethod(tools, 'private_key_jwt')
  return tools.skip('the client does not authenticate by private_key_jwt')
}

/** The algorithm by which a client signs its assertions with a key. */
export function assertionAlgorithm({ metadata }: Pick<Client, 'metadata'>): string {
  return String(metadata.token_endpoint_auth_signing_alg ?? 'PS512')
}

/** Whether a client authenticates by an assertion. */
export function asserts({ metadata }: Pick<Client, 'metadata'>): boolean {
  return String(metadata.token_endpoint_auth_method).endsWith('_jwt')
}

/** The record of a client that authenticates by client_secret_jwt. */
export function bySecretJwt(alg: string): Metadata {
  return { token_endpoint_auth_method: 'client_secret_jwt', token_endpoint_auth_signing_alg: alg }
}

/** The record of a client that authenticates by client_secret_post. */
export const byPost = authenticatedBy('client_secret_post')

/** The records of clients that prove who they are by their client_secret, by the method. */
export const bySecret = { client_secret_post: byPost, client_secret_jwt: bySecretJwt('HS512') }
