import type { BankConfig } from './config.js'
import { type DataDirectory, files } from './keys/data-directory.js'
import { type Identity, sharedIdentity } from './keys/identity.js'
import type { BankServer } from './server.js'
import { type Database, openDatabase } from './store/database.js'
import { EncryptedValues } from './store/encrypted-values.js'

/** The host in the address of a bank that was given none. */
export function hostName(host: string): string {
  return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host
}

/** What a bank keeps: in its data directory, or for as long as the process lives. */
export async function openStorage(
  config: BankConfig,
  directory?: DataDirectory,
): Promise<{ identity: Identity; db: Database; storeKey: Buffer }> {
  return {
    storeKey: directory?.storeKey() ?? EncryptedValues.makeKey(),
    identity: directory ? await directory.identity(hostNames(config)) : (await sharedIdentity()).identity,
    db: await openDatabase(directory ? directory.resolve(files.store) : ':memory:'),
  }
}

/** Names and addresses under which the bank is reached. */
function hostNames({ issuer, host }: BankConfig): string[] {
  const named = issuer ? [new URL(issuer).hostname] : []
  return [...new Set(['localhost', '127.0.0.1', hostName(host), ...named])]
}

/** Takes up certificates that were made anew since, or that somebody put in place of them. */
export async function renewCertificates(
  config: BankConfig,
  identity: Identity,
  server: BankServer,
  directory?: DataDirectory,
): Promise<void> {
  if (!directory) return
  const { cert } = identity.tls
  Object.assign(identity, await directory.identity(hostNames(config)))
  if (identity.tls.cert !== cert) server.renew()
}
