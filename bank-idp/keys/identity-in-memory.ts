import { join } from 'node:path'
import { cacheDirectory } from '../../schemas/cache-directory.js'
import { makeCertificate } from './certificates.js'
import { type Identity, type IdentityInMemory, makeIdentity, ownHosts } from './identity.js'
import { makeBankKeys } from './jwk.js'
import { keptOrMade } from './kept-identity.js'

async function makeIdentityInMemory(): Promise<IdentityInMemory> {
  const identity = await makeIdentity(ownHosts)
  return { identity, bankKeys: await makeBankKeys(identity.authority) }
}

let shared: Promise<IdentityInMemory> | undefined

/** That of all banks in memory of a process, and of those after it for a week, since each RSA key costs a seventh of a second. */
export function sharedIdentity(): Promise<IdentityInMemory> {
  shared ??= keptOrMade(join(cacheDirectory(), 'in-memory-1.json'), makeIdentityInMemory)
  return shared
}

/** That of a bank in memory; one that is reached under a further name has a certificate of its own, by the same authority. */
export async function identityInMemory(hosts: string[]): Promise<Identity> {
  const { identity } = await sharedIdentity()
  if (hosts.every((host) => ownHosts.includes(host))) return identity
  return {
    ...identity,
    tls: await makeCertificate(identity.authority, { commonName: 'bank-idp', hosts, usages: ['server'] }),
  }
}
