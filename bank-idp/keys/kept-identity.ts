import { keep, readKept, whereItCan } from '../../schemas/kept-file.js'
import { type Certificate, checkPair, machineTime, startOf, stillServes } from './certificates.js'
import { type IdentityInMemory, ownHosts, serviceHosts } from './identity.js'

/** So long banks in memory have the same keys: no longer, so that certificates end about as late as new ones, and nobody comes to rely on them. */
const keptMs = 7 * 24 * 60 * 60 * 1000

function serves(authority: Certificate, certificate: Certificate, hosts: string[]): boolean {
  checkPair(certificate)
  return stillServes(certificate.cert, authority, hosts)
}

/** @throws Error of any kind where there is nothing that can be used */
function readFrom(file: string): IdentityInMemory | undefined {
  const text = readKept(file)?.toString()
  if (text === undefined) return undefined
  const kept = JSON.parse(text) as IdentityInMemory
  const { authority, tls, service } = kept.identity
  checkPair(authority)
  const young = Math.abs(machineTime() - startOf(authority.cert)) < keptMs
  const served = [
    serves(authority, tls, ownHosts),
    serves(authority, service.certificate, serviceHosts),
    serves(authority, service.otherCertificate, serviceHosts),
  ]
  return young && served.every(Boolean) ? kept : undefined
}

/**
 * What was kept in a file, else what is made and kept there for a week. A file that cannot be read, is not the user's alone or does not hold
 * what it should is as none; where none can be written, nothing is kept.
 */
export async function keptOrMade(file: string, make: () => Promise<IdentityInMemory>): Promise<IdentityInMemory> {
  const kept = whereItCan(() => readFrom(file))
  if (kept) return kept
  const made = await make()
  whereItCan(() => keep(file, JSON.stringify(made)))
  return made
}
