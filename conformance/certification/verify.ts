import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { compactVerify, decodeProtectedHeader, type JWK } from 'jose'
import { validate } from '../../schemas/index.js'
import { statuses } from '../harness/result.js'
import type { Report } from '../harness/results.js'
import { UsageError } from '../output.js'
import { fileTrouble } from '../target/file-trouble.js'
import { bundleType, type Manifest, manifestFile, reportFile, signatureFile, verdictsFile } from './bundle.js'
import { canonicalJson } from './canonical-json.js'
import { bundleAlgorithms, embeddedKey, type VerificationKey } from './certifier-key.js'
import { contradictions, differingVerdicts } from './contradictions.js'
import { readReport, reportIn } from './read-report.js'
import type { Verdicts } from './verdicts.js'

/** Bytes of the manifest and its signature, and of a report that is looked into, at most. */
const longest = { manifest: 1_000_000, signature: 100_000, report: 128_000_000 }

/** Files and folders of a bundle at most; a manifest names 200. */
const mostEntries = 250

/** What a bundle was found to be. */
export interface Verification {
  /** What is wrong, one line each; none when the bundle is what was signed. */
  problems: string[]
  /** What was signed, as far as it can be read. */
  manifest?: Manifest
  /** The key that verifies the signature. */
  signer?: VerificationKey
}

/**
 * Checks a bundle without asking anybody: the signature over the manifest, the files against it, and nothing beside them.
 * @param trusted keys of which one must have signed it; when none is given, the key in the signature's header is taken, and whose that
 * is stays open
 * @throws UsageError when there is no such directory, or it holds nothing by which it would be a bundle
 */
export async function verifyBundle(
  directory: string,
  trusted: readonly VerificationKey[] | undefined,
): Promise<Verification> {
  const found = await entriesOf(directory)
  if (!isBundle(directory)) throw new UsageError(`${directory} is not a bundle: conformance run --certify writes one`)
  const problems = [...found.problems]
  if (found.tooMany) return { problems }
  const read = async (name: string, bytes: number) => {
    const size = found.files.get(name)
    if (found.odd.has(name)) return undefined
    if (size === undefined) problems.push(`${name} is missing`)
    else if (size > bytes) problems.push(`${name} is longer than ${bytes} bytes`)
    else return readFile(join(directory, name), 'utf8')
    return undefined
  }
  const text = await read(manifestFile, longest.manifest)
  const jws = await read(signatureFile, longest.signature)
  if (text === undefined || jws === undefined) return { problems }
  const signature = await verifySignature(text, jws, trusted)
  if (signature.problem) problems.push(signature.problem)
  const manifest = manifestIn(text)
  if (!manifest) {
    return {
      problems: signature.problem ? problems : [...problems, `${manifestFile} is not a manifest of this version`],
    }
  }
  problems.push(...(await changedFiles(directory, manifest, found)))
  if (problems.length === 0) problems.push(...(await contradictionsIn(directory, manifest, found.files)))
  return { problems, manifest, ...(signature.signer && { signer: signature.signer }) }
}

/** Whether a directory claims to be a bundle; one that lost the manifest or the signature alone was changed. */
function isBundle(directory: string): boolean {
  return [manifestFile, signatureFile].some((name) => existsSync(join(directory, name)))
}

/** What lies in the directory of a bundle. */
interface Entries {
  /** Sizes of the regular files, by name. */
  files: Map<string, number>
  /** Links and everything else that is no file, each a problem. */
  odd: Set<string>
  folders: Set<string>
  problems: string[]
  tooMany: boolean
}

async function entriesOf(directory: string): Promise<Entries> {
  const files = new Map<string, number>()
  const odd = new Set<string>()
  const folders = new Set<string>()
  const problems: string[] = []
  let entries = 0
  async function look(folder: string, depth: number): Promise<void> {
    const names = await readdir(join(directory, folder)).catch((error: NodeJS.ErrnoException) => {
      if (folder === '' && error.code === 'ENOTDIR')
        throw new UsageError(`${directory} is a file: name the directory of the bundle`)
      if (folder === '') throw new UsageError(`the bundle ${directory} cannot be read (${fileTrouble(error)})`)
      problems.push(`${folder} cannot be read (${fileTrouble(error)})`)
      return []
    })
    for (const one of names.sort()) {
      entries += 1
      if (entries > mostEntries) return
      const name = folder === '' ? one : `${folder}/${one}`
      const stats = await lstat(join(directory, name))
      if (stats.isFile()) files.set(name, stats.size)
      else if (stats.isDirectory() && depth === 0) {
        folders.add(name)
        await look(name, 1)
      } else {
        odd.add(name)
        problems.push(`${formatName(name)} is not a file that a bundle can contain`)
      }
    }
  }
  await look('', 0)
  if (entries <= mostEntries) return { files, odd, folders, problems, tooMany: false }
  return { files, odd, folders, problems: [`the bundle contains more than ${mostEntries} files`], tooMany: true }
}

/** A name as it can be written to a terminal. */
function formatName(name: string): string {
  return /^[\w./-]{1,200}$/.test(name) ? name : JSON.stringify(name.slice(0, 200))
}

function manifestIn(text: string): Manifest | undefined {
  try {
    const manifest = JSON.parse(text)
    return validate('manifest', manifest).length === 0 ? manifest : undefined
  } catch {
    return undefined
  }
}

async function verifySignature(
  text: string,
  detached: string,
  trusted: readonly VerificationKey[] | undefined,
): Promise<{ problem?: string; signer?: VerificationKey }> {
  const [header, nothing, signature, ...more] = detached.trim().split('.')
  const { alg, typ, jwk } = headerOf(detached)
  if (!header || nothing !== '' || !signature || more.length > 0 || alg === undefined)
    return { problem: `${signatureFile} is not a detached JWS` }
  const algorithm = bundleAlgorithms.find((one) => one === alg)
  if (!algorithm)
    return {
      problem: `${signatureFile} has the algorithm ${formatName(String(alg))}, which is not one of ${bundleAlgorithms.join(', ')}`,
    }
  if (typ !== bundleType)
    return { problem: `${signatureFile} is the signature of something else: its typ is not ${bundleType}` }
  const own = await ownKey(jwk)
  const keys = (trusted ?? (own ? [own] : [])).filter((key) => key.alg === algorithm)
  const jws = `${header}.${Buffer.from(text).toString('base64url')}.${signature}`
  const verifies = (key: VerificationKey) =>
    compactVerify(jws, key.key, { algorithms: [algorithm] }).then(
      () => true,
      () => false,
    )
  for (const key of keys) if (await verifies(key)) return { signer: key }
  if (trusted && own && (await verifies(own)))
    return { problem: `the bundle was signed by key ${own.thumbprint}, which is not one of the given keys` }
  return { problem: `${manifestFile} is not what was signed: the signature in ${signatureFile} is not valid` }
}

function headerOf(jws: string): { alg?: unknown; typ?: unknown; jwk?: JWK } {
  try {
    return decodeProtectedHeader(jws) as { alg?: unknown; typ?: unknown; jwk?: JWK }
  } catch {
    return {}
  }
}

async function ownKey(jwk: JWK | undefined): Promise<VerificationKey | undefined> {
  try {
    return jwk && (await embeddedKey(jwk))
  } catch {
    return undefined
  }
}

async function changedFiles(
  directory: string,
  manifest: Manifest,
  { files: present, odd, folders }: Entries,
): Promise<string[]> {
  const listed = new Set([manifestFile, signatureFile, ...manifest.files.map(({ name }) => name)])
  const problems = [...present.keys()]
    .filter((name) => !listed.has(name))
    .map((name) => `${formatName(name)} was added`)
  for (const folder of folders) {
    const within = (name: string) => name.startsWith(`${folder}/`)
    if (![...present.keys(), ...listed].some(within)) problems.push(`${formatName(folder)} was added`)
  }
  for (const name of [verdictsFile, reportFile].filter((one) => !listed.has(one)))
    problems.push(`${manifestFile} does not name ${name}`)
  for (const { name, sha256: expected, bytes } of manifest.files) {
    const size = present.get(name)
    if (odd.has(name)) continue
    if (size === undefined) problems.push(`${name} was removed`)
    else if (size !== bytes || (await hashOf(join(directory, name))) !== expected)
      problems.push([`${name} was changed`, ...(await changedVerdicts(directory, name, present))].join(': '))
  }
  const { edition = manifest.edition } = verdictsIn(await textOf(directory, verdictsFile, present)) ?? {}
  if (edition !== manifest.edition)
    problems.push(
      `${manifestFile} names edition ${manifest.edition}, and ${verdictsFile} edition ${formatName(edition)}`,
    )
  if (manifest.files.find(({ name }) => name === verdictsFile)?.sha256 !== manifest.verdicts)
    problems.push(`${manifestFile} has another digest of ${verdictsFile} under verdicts than under files`)
  return problems
}

/** What the files of a bundle, which are those that were signed, say differently of one run. */
async function contradictionsIn(
  directory: string,
  manifest: Manifest,
  present: ReadonlyMap<string, number>,
): Promise<string[]> {
  const verdicts = verdictsIn(await textOf(directory, verdictsFile, present))
  const report = reportIn(await textOf(directory, reportFile, present))
  if (!verdicts) return [`${verdictsFile} cannot be read as verdicts`]
  return report ? contradictions({ manifest, verdicts, report }) : [`${reportFile} cannot be read as a report`]
}

/** @returns undefined when the file cannot be read */
async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

/** A file by which others are judged; '' when it is not there, or too long to be looked into. */
async function textOf(directory: string, name: string, present: ReadonlyMap<string, number>): Promise<string> {
  const size = present.get(name) ?? Number.POSITIVE_INFINITY
  return size > longest.report ? '' : readFile(join(directory, name), 'utf8')
}

/** Of the two files that tell the verdicts, those that they tell differently now. */
async function changedVerdicts(
  directory: string,
  name: string,
  present: ReadonlyMap<string, number>,
): Promise<string[]> {
  if (name !== verdictsFile && name !== reportFile) return []
  const report = reportIn(await textOf(directory, reportFile, present))
  const verdicts = verdictsIn(await textOf(directory, verdictsFile, present))
  if (!report || !verdicts) return ['it can no longer be read as a report']
  const differing = differingVerdicts(verdicts, report)
  return [differing.length === 0 ? 'the verdicts on the rules are the same' : differing.join('; ')]
}

function verdictsIn(text: string): Verdicts | undefined {
  try {
    const verdicts = JSON.parse(text) as Verdicts
    const plain =
      typeof verdicts.edition === 'string' &&
      verdicts.results.every(({ rule, status }) => /^[a-z0-9/-]{1,200}$/.test(rule) && statuses.includes(status))
    // What nests too deeply to be written again is none either.
    return plain && canonicalJson(verdicts) !== '' ? verdicts : undefined
  } catch {
    return undefined
  }
}

/**
 * The report at a path: a report.json, or that of a bundle, which has to be what was signed.
 * @throws UsageError when it cannot be read, is no report, or the bundle was changed
 */
export async function reportAt(path: string): Promise<Report> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${fileTrouble(error)})`)
  })
  if (!stats.isDirectory()) return readReport(path)
  const report = join(path, reportFile)
  if (!isBundle(path) && existsSync(report)) throw new UsageError(`${path} is not a bundle; did you mean ${report}?`)
  const { problems } = await verifyBundle(path, undefined)
  if (problems.length > 0) throw new UsageError(problems.map((problem) => `${path}: ${problem}`).join('\n'))
  return readReport(report)
}
