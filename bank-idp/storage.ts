import { randomBytes } from 'node:crypto'
import type { BankConfig } from './config.js'
import { type DataDirectory, files } from './keys/data-directory.js'
import { type Identity, ownHosts } from './keys/identity.js'
import { identityInMemory } from './keys/identity-in-memory.js'
import { SharedFiles } from './keys/shared-files.js'
import type { BankServer } from './server.js'
import { type Database, openDatabase } from './store/database.js'
import { EncryptedValues } from './store/encrypted-values.js'
import { lockDirectory } from './store/lock.js'
import type { Replicas } from './store/membership.js'
import { storeKeyIn } from './store-key.js'
import { ownTurns, type Turns } from './turns.js'

/** The host in the address of a bank that was given none. */
export function hostName(host: string): string {
  return ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host
}

/** What a bank keeps, and holds: in a data directory, which nobody else uses meanwhile, and in a store, which replicas may use. */
export interface Storage {
  identity: Identity
  db: Database
  storeKey: Buffer
  turns: Turns
  /** Where other replicas may use the store. */
  replicas?: Replicas
  /** Takes up certificates that were made anew since, or that somebody put in place of them. */
  renewCertificates(server: BankServer): Promise<void>
  /** Lets go of it, once the store is closed. */
  release(): Promise<void>
}

type Opened = Pick<Storage, 'db' | 'turns' | 'replicas'> & { release(): Promise<void> }

/**
 * Opens what a bank keeps: in its data directory, and in PostgreSQL where it is told to, or for as long as the process lives.
 *
 * @throws {UsageError} when another bank uses it, or it cannot be used
 */
export async function openStorage(config: BankConfig, directory?: DataDirectory): Promise<Storage> {
  const lock = directory && lockDirectory(directory.resolve(files.lock), directory.path)
  let opened: Opened | undefined
  try {
    const storeKey = storeKeyIn(config.storeKey ?? '') ?? directory?.storeKey() ?? EncryptedValues.makeKey()
    opened = await openStore(config, directory)
    const { db, turns, replicas, release } = opened
    const identityOf = identities(config, directory, replicas && { db, encryptedValues: new EncryptedValues(storeKey) })
    const identity = await identityOf()
    return {
      storeKey,
      identity,
      db,
      turns,
      ...(replicas && { replicas }),
      async renewCertificates(server) {
        if (!directory) return
        const { cert } = identity.tls
        Object.assign(identity, await identityOf())
        if (identity.tls.cert !== cert) server.renew()
      },
      release: () => release().finally(() => lock?.release()),
    }
  } catch (error) {
    await opened?.db.destroy()
    await opened?.release()
    lock?.release()
    throw error
  }
}

async function openStore({ store, replica }: BankConfig, directory?: DataDirectory): Promise<Opened> {
  if (store === undefined) {
    const db = await openDatabase(directory ? directory.resolve(files.store) : ':memory:')
    return { db, turns: ownTurns, release: async () => {} }
  }
  // Loaded here alone: a start without it is faster.
  const { openPostgres } = await import('./store/postgres.js')
  const { db, membership, turns, isFirst, release } = await openPostgres(store, replica)
  return { db, turns, replicas: { membership, isFirst }, release }
}

/** Reads or makes the identity of a bank. @param shared the store, where replicas have the same */
function identities(
  config: BankConfig,
  directory?: DataDirectory,
  shared?: { db: Database; encryptedValues: EncryptedValues },
): () => Promise<Identity> {
  const hosts = hostNames(config)
  if (!directory) return () => identityInMemory(hosts)
  if (!shared) return () => directory.identity(hosts)
  const sharesToken = config.control && config.controlToken === undefined
  const sharedFiles = new SharedFiles(shared.db, shared.encryptedValues, directory, sharesToken)
  return () =>
    sharedFiles.with(async () => {
      if (sharesToken && directory.read(files.controlToken) === undefined)
        directory.write(files.controlToken, randomBytes(32).toString('base64url'), { secret: true })
      return directory.identity(hosts)
    })
}

/** Names and addresses under which the bank is reached. */
function hostNames({ issuer, host }: BankConfig): string[] {
  const named = issuer ? [new URL(issuer).hostname] : []
  return [...new Set([...ownHosts, hostName(host), ...named])]
}
