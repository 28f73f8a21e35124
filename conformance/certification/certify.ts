import { readdir, readFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import type { Plan } from '../harness/plan.js'
import { matches, unknownPattern } from '../harness/selection.js'
import { UsageError } from '../output.js'
import { rules } from '../rules/index.js'
import { fileTrouble } from '../target/file-trouble.js'
import { missing } from '../target/needs.js'
import type { Target } from '../target/target.js'
import { type CertifierKey, certifierKey } from './certifier-key.js'

/** What a certification is asked for with. */
export interface CertificationOptions {
  /** File of the certifier's private key. */
  key?: string
  /** Where the bundle is written. */
  out: string
  only: readonly string[]
  skip: readonly string[]
  rerunFailed?: string
  shard?: object
}

/**
 * Sees to it that a certification can come out, before the bank is asked anything.
 * @returns the key that signs the bundle
 * @throws UsageError with one line for each demand that is not met
 */
export async function prepareCertification(
  options: CertificationOptions,
  target: Target,
  plan: Plan,
): Promise<CertifierKey> {
  const { key: file, out, only, skip, rerunFailed, shard } = options
  const problems: string[] = []
  for (const [option, given] of [
    ['--only', only.length > 0],
    ['--skip', skip.length > 0],
    ['--rerun-failed', rerunFailed !== undefined],
    ['--shard', shard !== undefined],
  ]) {
    if (given) problems.push(`a certification runs the whole plan: leave ${option} out`)
  }
  let key: CertifierKey | undefined
  if (file === undefined) {
    problems.push('a certification is signed: name the key with --key (conformance make-key makes one)')
  } else {
    key = await readKey(file).catch((error: Error) => {
      problems.push(error.message)
      return undefined
    })
  }
  if (await isFilled(out)) problems.push(`${out} is not empty: name a new directory for the bundle with --out`)
  problems.push(
    ...missingAttestations(target),
    ...unknownPatterns(target),
    ...undeclaredSkips(skippedByPlan(plan), target),
  )
  if (problems.length > 0 || !key) throw new UsageError(problems.join('\n'))
  return key
}

async function readKey(file: string): Promise<CertifierKey> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the key ${file} cannot be read (${fileTrouble(error)})`)
  })
  return certifierKey(text).catch((error: Error) => {
    throw new Error(`the key ${file}: ${error.message}`)
  })
}

async function isFilled(directory: string): Promise<boolean> {
  try {
    return (await readdir(directory)).length > 0
  } catch (error) {
    // A file in the way is told of by who makes the directory.
    return !['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

function missingAttestations(target: Target): string[] {
  const needed = rules.flatMap(({ needs }) => needs.filter((need) => need.startsWith('attestation:')))
  return needed.flatMap((need) => missing(need, target) ?? [])
}

function unknownPatterns({ notExamined = [] }: Target): string[] {
  const patterns = notExamined.flatMap(({ rules: own }) => own)
  const unknown = patterns.flatMap((pattern) => unknownPattern(pattern, rules) ?? [])
  return unknown.map((line) => `target file: not_examined: ${line}`)
}

/** A rule that is skipped, and why. */
interface Skipped {
  rule: string
  requirement: string
  reason?: string
}

/**
 * Skipped rules of which the target file does not say that they cannot be examined: a line for each reason, then what the target file
 * would have to say to be certified without them.
 */
export function undeclaredSkips(skipped: readonly Skipped[], { notExamined = [] }: Target): string[] {
  const patterns = notExamined.flatMap(({ rules: own }) => own)
  const undeclared = new Map<string, string[]>()
  for (const { rule, requirement, reason = 'no reason given' } of skipped) {
    if (patterns.some((pattern) => matches(pattern, { id: rule, requirement }))) continue
    undeclared.set(reason, [...(undeclared.get(reason) ?? []), rule])
  }
  if (undeclared.size === 0) return []
  const named = [...notExamined, ...[...undeclared].map(([reason, own]) => ({ rules: own, reason }))]
  return [
    ...[...undeclared].map(
      ([reason, own]) =>
        `skipped, and not named under not_examined in the target file: ${own.join(', ')}, because ${reason}`,
    ),
    'to be certified without them, the target file names them, with the reason that the bundle is to show:',
    stringify({ not_examined: named }).trimEnd(),
  ]
}

/** Those that a plan skips; missing attestations are demanded on their own, whatever the target file says. */
function skippedByPlan({ rules: planned, skips }: Plan): Skipped[] {
  return planned.flatMap(({ id, requirement }) => {
    const reason = skips.get(id)
    return reason === undefined || requirement.by === 'manual'
      ? []
      : [{ rule: id, requirement: requirement.id, reason }]
  })
}
