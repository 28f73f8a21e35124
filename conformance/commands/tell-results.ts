import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { RuleResult } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import { type ExitCode, exitCodes, type Output } from '../output.js'
import { consoleReport } from '../reports/console.js'
import { githubAnnotations, githubSummary } from '../reports/github.js'
import { htmlReport } from '../reports/html/html.js'
import { jsonReport } from '../reports/json.js'
import { junitReport } from '../reports/junit.js'
import { sarifReport } from '../reports/sarif.js'

/** How results are told. */
export interface TellOptions {
  /** The directory of the report's files. */
  out: string
  verbose?: boolean
  github?: boolean
  sarif?: boolean
  /** Default: false. */
  allEvidence?: boolean
}

/** The files of every report. */
const reportFiles = ['report.json', 'junit.xml', 'report.html']

/** A command that tells results, with the options that say how. */
export function telling(command: Command): Command {
  return command
    .option('--out <dir>', `where ${reportFiles.join(', ')} are written`, 'report')
    .option('--verbose', 'tell every result, reading, note and skip, and the exchanges of what failed')
    .option('--all-evidence', 'write all evidence to report.json, not only that of results which it explains')
    .option('--sarif', 'write report.sarif too, for code scanning')
    .option(
      '--github',
      'annotate the run of GitHub Actions and write its job summary (default: where GITHUB_ACTIONS is true)',
    )
}

/**
 * Writes the report, and tells what is in it.
 * @param options.out a directory that is there
 * @returns the files of the report, by name
 */
export async function tellResults(
  results: Results,
  { out, verbose = false, github = process.env.GITHUB_ACTIONS === 'true', ...forms }: TellOptions,
  output: Output,
): Promise<Record<string, string>> {
  const reports = formsOf(results, forms)
  for (const [name, text] of Object.entries(reports)) await writeFile(join(out, name), text)
  if (github) await tellGithub(results, output)
  output.out(consoleReport({ ...output, verbose }).summary(results))
  output.out(`The report is in ${join(out, 'report.html')}; report.json and junit.xml are beside it.`)
  return reports
}

/** The files of a report, by name. */
function formsOf(results: Results, { allEvidence = false, sarif }: Omit<TellOptions, 'out'>): Record<string, string> {
  return {
    'report.json': jsonReport(results, { whole: allEvidence }),
    'junit.xml': junitReport(results),
    'report.html': htmlReport(results),
    ...(sarif && { 'report.sarif': sarifReport(results) }),
  }
}

/** Annotates what GitHub Actions shows of the run, and writes the summary of its job where it names a file for it. */
async function tellGithub(results: Results, output: Output): Promise<void> {
  for (const line of githubAnnotations(results)) output.tell(line)
  const summary = process.env.GITHUB_STEP_SUMMARY
  if (summary) await appendFile(summary, githubSummary(results))
}

/** The waivers that are to be taken away, a line each. */
export function unusedWaivers({ waiversUnused }: Results): string[] {
  return waiversUnused.map(({ rule }) => `the waiver of ${rule} is unused: the rule did not fail`)
}

/** A run that was ended early says nothing about the rules it left: it is no success. */
export function exitCodeOf({ counts, partial, results }: Results, problems: readonly string[]): ExitCode {
  const errors = results.filter(({ status }) => status === 'error')
  if (partial || errors.some(({ targetAtFault }) => !targetAtFault)) return exitCodes.harnessFailed
  const blocked = results.some(({ status, level }) => status === 'blocked' && level === 'MUST')
  if (counts.fail > 0 || blocked) return exitCodes.bankFailed
  // Where some rules were judged, those that the target file keeps from it are as if they were not reached.
  if (errors.length > 0) return results.some(isJudged) ? exitCodes.bankFailed : exitCodes.usage
  return problems.length > 0 ? exitCodes.usage : exitCodes.nothingFailed
}

function isJudged({ status }: RuleResult): boolean {
  return status !== 'error' && status !== 'skip' && status !== 'blocked'
}
