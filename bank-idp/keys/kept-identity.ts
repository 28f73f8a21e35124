import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { type Certificate, checkPair, machineTime, startOf, stillServes } from './certificates.js'
import { type IdentityInMemory, ownHosts, serviceHosts } from './identity.js'

/** So long banks in memory have the same keys: no longer, so that certificates end about as late as new ones, and nobody comes to rely on them. */
const keptMs = 7 * 24 * 60 * 60 * 1000

/** Whether a file is one that nobody else could have written or read. Windows tells no modes: there a home directory is closed to others. */
function isOurs(descriptor: number): boolean {
  const { uid, mode } = fstatSync(descriptor)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0)
}

function serves(authority: Certificate, certificate: Certificate, hosts: string[]): boolean {
  checkPair(certificate)
  return stillServes(certificate.cert, authority, hosts)
}

/** @throws Error of any kind where there is nothing that can be used */
function readFrom(file: string): IdentityInMemory | undefined {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    if (!isOurs(descriptor)) return undefined
    const kept = JSON.parse(readFileSync(descriptor, 'utf8')) as IdentityInMemory
    const { authority, tls, service } = kept.identity
    checkPair(authority)
    const young = Math.abs(machineTime() - startOf(authority.cert)) < keptMs
    const served = [
      serves(authority, tls, ownHosts),
      serves(authority, service.certificate, serviceHosts),
      serves(authority, service.otherCertificate, serviceHosts),
    ]
    return young && served.every(Boolean) ? kept : undefined
  } finally {
    closeSync(descriptor)
  }
}

/** Writes it in one step, for the owner alone. */
function writeTo(file: string, made: IdentityInMemory): void {
  const draft = `${file}.${process.pid}.new`
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(draft, JSON.stringify(made), { mode: 0o600, flag: 'wx' })
    renameSync(draft, file)
  } finally {
    rmSync(draft, { force: true })
  }
}

function whereItCan<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/**
 * What was kept in a file, else what is made and kept there for a week. A file that cannot be read, is not the user's alone or does not hold
 * what it should is as none; where none can be written, nothing is kept.
 */
export async function keptOrMade(file: string, make: () => Promise<IdentityInMemory>): Promise<IdentityInMemory> {
  const kept = whereItCan(() => readFrom(file))
  if (kept) return kept
  const made = await make()
  whereItCan(() => writeTo(file, made))
  return made
}
