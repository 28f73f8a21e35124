import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Fault } from '../../bank-idp/faults/fault.js'
import type { Rule } from '../../conformance/harness/rule.js'
import { packageFile } from '../../schemas/package-file.js'

/** Files of the checkout that differ from the last commit, new ones too, by their path from its root. */
export function changedFiles(): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: packageFile('.'), encoding: 'utf8' }).split('\n')
  return [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')].filter(Boolean)
}

/** The faults that a change bears on: those it touches, and those that break the requirement of a rule it touches. */
export function faultsOf(files: readonly string[], faults: readonly Fault[], rules: readonly Rule[]): Fault[] {
  const text = files
    .filter((file) => /^(bank-idp\/faults|conformance\/rules)\/.*\.ts$/.test(file))
    .map((file) => readFileSync(packageFile(file), 'utf8'))
    .join('\n')
  const requirements = rules.filter(({ id }) => text.includes(`'${id}'`)).map(({ requirement }) => requirement)
  return faults.filter(({ id, breaks }) => text.includes(`'${id}'`) || breaks.some((one) => requirements.includes(one)))
}
