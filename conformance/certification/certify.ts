import { readdir, readFile } from 'node:fs/promises'
import type { Target } from '../bank/target.js'
import type { Results } from '../examine.js'
import { missing } from '../harness/needs.js'
import { matches, SelectionError, select } from '../harness/selection.js'
import { UsageError } from '../output.js'
import { rules } from '../rules/index.js'
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
}

/**
 * Sees to it that a certification can come out, before the bank is asked anything.
 * @returns the key that signs the bundle
 * @throws UsageError with one line for each demand that is not met
 */
export async function prepareCertification(options: CertificationOptions, target: Target): Promise<CertifierKey> {
  const { key: file, out, only, skip, rerunFailed } = options
  const problems: string[] = []
  for (const [option, given] of [
    ['--only', only.length > 0],
    ['--skip', skip.length > 0],
    ['--rerun-failed', rerunFailed !== undefined],
  ]) {
    if (given) problems.push(`a certification takes the whole plan: leave ${option} out`)
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
  problems.push(...missingStatements(target), ...unknownPatterns(target))
  if (problems.length > 0 || !key) throw new UsageError(problems.join('\n'))
  return key
}

async function readKey(file: string): Promise<CertifierKey> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the key ${file} cannot be read (${error.code})`)
  })
  return certifierKey(text).catch((error: Error) => {
    throw new Error(`the key ${file}: ${error.message}`)
  })
}

async function isFilled(directory: string): Promise<boolean> {
  try {
    return (await readdir(directory)).length > 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

function missingStatements(target: Target): string[] {
  const needed = rules.flatMap(({ needs }) => needs.filter((need) => need.startsWith('statement:')))
  return needed.flatMap((need) => missing(need, target) ?? [])
}

function unknownPatterns({ notExamined = [] }: Target): string[] {
  return notExamined.flatMap(({ rules: patterns }) =>
    patterns.flatMap((pattern) => {
      try {
        select(rules, { only: [pattern], skip: [] })
        return []
      } catch (error) {
        if (error instanceof SelectionError) return [`target file: not_examined: ${error.message}`]
        throw error
      }
    }),
  )
}

/** The rules that were skipped though the target file does not say that they cannot be examined, a line each. */
export function undeclaredSkips({ results }: Results, { notExamined = [] }: Target): string[] {
  const patterns = notExamined.flatMap(({ rules: own }) => own)
  return results
    .filter(({ status }) => status === 'skip')
    .filter(({ rule, requirement }) => !patterns.some((pattern) => matches(pattern, { id: rule, requirement })))
    .map(
      ({ rule, reason }) =>
        `${rule} was skipped because ${reason}, and not_examined of the target file does not name it`,
    )
}
