import type { BankConfig } from './config.js'
import { type DataDirectory, files } from './keys/data-directory.js'
import { type Identity, identityInMemory, ownHosts } from './keys/identity.js'
import type { Log } from './log.js'
import type { BankServer } from './server.js'
import { type Database, openDatabase } from './store/database.js'
import { EncryptedValues } from './store/encrypted-values.js'
import { lockDirectory } from './store/lock.js'
import type { PostgresStore } from './store/postgres.js'

/** The host in the address of a bank that was given none. */
export function hostName(host: string): string {
  return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host
}

/** What a bank keeps, and holds: nobody else uses it meanwhile. */
export interface Storage {
  identity: Identity
  db: Database
  storeKey: Buffer
  /** Lets go of it, once the store is closed. */
  release(): Promise<void>
}

/**
 * Opens what a bank keeps: in its data directory, and in PostgreSQL where it is told to, or for as long as the process lives.
 *
 * @throws {UsageError} when another bank uses it, or it cannot be used
 */
export async function openStorage(config: BankConfig, log: Log, directory?: DataDirectory): Promise<Storage> {
  const lock = directory && lockDirectory(directory.resolve(files.lock), directory.path)
  try {
    const storeKey = directory?.storeKey() ?? EncryptedValues.makeKey()
    const hosts = hostNames(config)
    const identity = directory ? await directory.identity(hosts) : await identityInMemory(hosts)
    const { db, release } = await openStore(config, log, directory)
    return { storeKey, identity, db, release: () => release().finally(() => lock?.release()) }
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function openStore({ store }: BankConfig, log: Log, directory?: DataDirectory): Promise<PostgresStore> {
  if (store === undefined) {
    const db = await openDatabase(directory ? directory.resolve(files.store) : ':memory:')
    return { db, release: async () => {} }
  }
  // Loaded here alone: a start without it is faster.
  const { openPostgres } = await import('./store/postgres.js')
  return openPostgres(store, (message) => log({ event: 'error', message }))
}

/** Names and addresses under which the bank is reached. */
function hostNames({ issuer, host }: BankConfig): string[] {
  const named = issuer ? [new URL(issuer).hostname] : []
  return [...new Set([...ownHosts, hostName(host), ...named])]
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
