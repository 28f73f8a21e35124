import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { openEdition } from '../../schemas/editions/index.js'
import { writeBundle } from '../certification/bundle.js'
import { prepareCertification, undeclaredSkips } from '../certification/certify.js'
import { readReport } from '../certification/read-report.js'
import { reportAt } from '../certification/verify.js'
import { doctor } from '../doctor/doctor.js'
import { type ExamineOptions, examine } from '../examine.js'
import { type Plan, planOf } from '../harness/plan.js'
import type { Status } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import type { Rule } from '../harness/rule.js'
import { SelectionError, select } from '../harness/selection.js'
import { type ExitCode, exitCodes, type Output, UsageError } from '../output.js'
import { bundleLines } from '../reports/bundle.js'
import { consoleReport } from '../reports/console.js'
import { checkLines } from '../reports/doctor.js'
import { htmlReport } from '../reports/html/html.js'
import { jsonReport } from '../reports/json.js'
import { junitReport } from '../reports/junit.js'
import { costLines, planReport } from '../reports/plan.js'
import { liveProgress } from '../reports/progress.js'
import { rules } from '../rules/index.js'
import { clientKeys } from '../service/client-keys.js'
import { loadTarget } from '../target/load-target.js'
import type { Target } from '../target/target.js'
import { loadWaivers } from '../waiver-file.js'
import { makeDirectory, removeMade } from './make-directory.js'

interface RunOptions {
  target: string
  only?: string[]
  skip?: string[]
  rerunFailed?: string
  out: string
  within?: number
  slow?: true
  waivers?: string
  earlier?: string
  certify?: true
  key?: string
  seed?: string
  plan?: true
}

/** The files of a report, by name. */
const forms: Record<string, (results: Results) => string> = {
  'report.json': jsonReport,
  'junit.xml': junitReport,
  'report.html': htmlReport,
}

function minutes(value: string): number {
  const given = Number(value)
  if (!(given > 0 && given <= 10_000)) throw new InvalidArgumentError('give a number of minutes.')
  return given
}

/** conformance run */
export function runCommand(output: Output, ended: (code: ExitCode) => void): Command {
  return new Command('run')
    .description('examine a bank')
    .requiredOption('--target <file>', 'the file that describes the bank')
    .option(
      '--only <pattern...>',
      'only these rules: ids of rules or requirements, with * for any characters; !… excludes',
    )
    .option('--skip <pattern...>', 'all but these rules')
    .option('--rerun-failed <report>', 'only the rules that failed, were blocked or had no result in this report.json')
    .option('--out <dir>', `where ${Object.keys(forms).join(', ')} are written`, 'report')
    .option(
      '--within <minutes>',
      'end the run after this time, with a partial report (default: 30; with --slow 180)',
      minutes,
    )
    .option(
      '--slow',
      'if no control door moves the time of the bank, wait until its tokens have expired: an hour or more',
    )
    .option('--plan', 'print what would run, what would be skipped and how many sign-ins it costs; run nothing')
    .option('--waivers <file>', 'YAML file of known failures, each with an owner and an expiry date')
    .option('--earlier <report>', 'an earlier report.json or bundle of the bank; its keys must still be published')
    .option(
      '--certify',
      'run the whole plan with the attestations, and write a signed bundle to the directory of --out',
    )
    .option('--key <file>', "the certifier's private key, PEM or JWK, for --certify")
    .option('--seed <seed>', 'choose the same names as the run that printed this seed')
    .action(async (options: RunOptions) => ended(await run(options, output)))
}

async function run(options: RunOptions, output: Output): Promise<ExitCode> {
  const { waivers: waiverFile, earlier: earlierReport, certify, key, out, only = [], skip = [] } = options
  const selection = await selectionOf(options)
  const target: Target = { ...loadTarget(options.target), ...(options.slow && { slow: true }) }
  const plan = planOf(openEdition(target.edition), select(rules, { skip: [], ...selection }), target)
  if (options.plan) {
    output.out(planReport(plan, target))
    return exitCodes.nothingFailed
  }
  // Takes a while on other threads: begun while this one gets ready.
  void clientKeys()
  const waivers = waiverFile === undefined ? [] : loadWaivers(waiverFile)
  const earlier = earlierReport === undefined ? undefined : (await reportAt(earlierReport)).keySet
  if (key !== undefined && !certify) throw new UsageError('--key is only for --certify')
  const certifier = certify && (await prepareCertification({ ...options, only, skip }, target, plan))
  const made = await makeDirectory(out, `--out ${out}`)
  if (!(await isTestable(target, plan, output))) {
    await removeMade(made)
    return exitCodes.usage
  }
  for (const line of costLines(plan, target)) output.out(line)

  const results = await examineShown({ ...selection, target, waivers, ...(earlier && { earlier }) }, options, output)
  const reports = Object.fromEntries(Object.entries(forms).map(([name, form]) => [name, form(results)]))
  for (const [name, text] of Object.entries(reports)) await writeFile(join(out, name), text)
  output.out(consoleReport(output).summary(results))
  output.out(`The report is in ${join(out, 'report.html')}; report.json and junit.xml are beside it.`)

  const problems = [
    ...results.waiversUnused.map(({ rule }) => `the waiver of ${rule} is unused: the rule did not fail`),
    ...(certifier ? undeclaredSkips(skippedIn(results), target) : []),
  ]
  for (const problem of problems) output.err(problem)
  const code = exitCode(results, problems)
  if (!certifier) return code
  if (problems.length > 0 || code === exitCodes.harnessFailed || code === exitCodes.usage) {
    output.err('No bundle was written: the requirements of a certification are not met.')
    return code
  }
  const manifest = await writeBundle(out, { results, reports, target, waivers }, certifier)
  for (const line of bundleLines(manifest, certifier)) output.out(line)
  return code
}

/** @throws UsageError, SelectionError */
async function selectionOf({ rerunFailed, only = [], skip = [] }: RunOptions) {
  const wanted = select(rules, { only, skip })
  return rerunFailed === undefined ? { only, skip } : { only: await failedIn(rerunFailed, wanted) }
}

function skippedIn({ results }: Results) {
  return results.filter(({ status }) => status === 'skip')
}

/** Examines the bank, and tells each result as it comes. */
async function examineShown(
  what: ExamineOptions,
  { slow, within = slow ? 180 : 30, seed }: RunOptions,
  output: Output,
): Promise<Results> {
  const report = consoleReport(output)
  const progress = output.live && liveProgress(output.live.write, output.live.columns)
  const results = await examine({
    ...what,
    ...(seed !== undefined && { seed }),
    onInvitation: (url) =>
      output.err(`Sign in by hand: open ${url} in your browser, and leave the page open until the run is over.`),
    signal: AbortSignal.any([output.signal, AbortSignal.timeout(within * 60_000)]),
    ...(progress && { onBegin: progress.begin, onRequest: progress.request }),
    onProgress(result, done) {
      progress?.clear()
      // In a terminal the line of progress counts what passes.
      if (!progress || !uneventful.includes(result.status)) output.out(report.line(result))
      progress?.result(result.status, done)
    },
  })
  progress?.clear()
  return results
}

/** The quick part of the doctor: what is bad there would turn every rule red for a reason that none is about. */
async function isTestable(target: Target, { runs }: Plan, output: Output): Promise<boolean> {
  const registers = runs.some(({ needs }) => needs.includes('trusted') || needs.includes('client'))
  const checks = await doctor(target, { quick: { registers }, signal: output.signal })
  const bad = checks.filter((check) => check.status === 'bad' && !check.banks)
  for (const check of bad) output.err(checkLines(check, { styled: false }))
  if (bad.length > 0)
    output.err('The bank cannot be examined with this set-up; conformance doctor checks it in more detail.')
  return bad.length === 0
}

const uneventful: readonly Status[] = ['pass', 'attested', 'observed', 'skip']

/** A run that was ended early says nothing about the rules it left, nor one whose target file is wrong: they are no success. */
function exitCode({ counts, partial, results }: Results, problems: readonly string[]): ExitCode {
  const errors = results.filter(({ status }) => status === 'error')
  if (partial || errors.some(({ targetAtFault }) => !targetAtFault)) return exitCodes.harnessFailed
  if (errors.length > 0) return exitCodes.usage
  const blocked = results.some(({ status, level }) => status === 'blocked' && level === 'MUST')
  if (counts.fail > 0 || blocked) return exitCodes.bankFailed
  return problems.length > 0 ? exitCodes.usage : exitCodes.nothingFailed
}

const failed: readonly Status[] = ['fail', 'waived', 'blocked', 'error']

/** Those of the rules that are to be run again by an earlier report. @throws UsageError, SelectionError */
async function failedIn(file: string, wanted: readonly Rule[]): Promise<string[]> {
  const report = await readReport(file)
  const ids = [
    ...report.results.filter(({ status }) => failed.includes(status)).map(({ rule }) => rule),
    ...report.notRun,
  ].filter((id) => wanted.some((rule) => rule.id === id))
  if (ids.length === 0) throw new SelectionError(`none of the selected rules failed in ${file}`)
  return ids
}
