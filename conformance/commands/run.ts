import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { validate } from '../../schemas/index.js'
import { loadTarget, type Target } from '../bank/target.js'
import { doctor } from '../doctor/doctor.js'
import { examine, type Results } from '../examine.js'
import type { Status } from '../harness/result.js'
import type { Rule } from '../harness/rule.js'
import { SelectionError, select } from '../harness/selection.js'
import { type ExitCode, exitCodes, type Output, UsageError } from '../output.js'
import { consoleReport } from '../reports/console.js'
import { checkLines } from '../reports/doctor.js'
import { htmlReport } from '../reports/html/html.js'
import { jsonReport } from '../reports/json.js'
import { junitReport } from '../reports/junit.js'
import { liveProgress } from '../reports/progress.js'
import { rules } from '../rules/index.js'
import { loadWaivers } from '../waiver-file.js'

interface RunOptions {
  target: string
  only?: string[]
  skip?: string[]
  rerunFailed?: string
  out: string
  within: number
  waivers?: string
  seed?: string
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
      'only these rules: ids of rules or requirements, * for any characters, !… for all but',
    )
    .option('--skip <pattern...>', 'all but these rules')
    .option('--rerun-failed <report>', 'only the rules that failed, were blocked or had no result in this report.json')
    .option('--out <dir>', `where ${Object.keys(forms).join(', ')} are written`, 'report')
    .option('--within <minutes>', 'end the run after so long; the report is partial then', minutes, 30)
    .option('--waivers <file>', 'failures that somebody answers for, as YAML')
    .option('--seed <seed>', 'choose the same names as the run that printed this seed')
    .action(async (options: RunOptions) => ended(await run(options, output)))
}

async function run(
  { target: file, out, rerunFailed, within, waivers: waiverFile, only = [], skip = [], seed }: RunOptions,
  output: Output,
): Promise<ExitCode> {
  const wanted = select(rules, { only, skip })
  const selection = rerunFailed === undefined ? { only, skip } : { only: await failedIn(rerunFailed, wanted) }
  const target = loadTarget(file)
  const waivers = waiverFile === undefined ? [] : loadWaivers(waiverFile)
  if (!(await isTestable(target, output))) return exitCodes.usage
  const report = consoleReport(output)
  const progress = output.live && liveProgress(output.live.write, output.live.columns)
  const results = await examine({
    ...selection,
    ...(seed !== undefined && { seed }),
    target,
    waivers,
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
  await mkdir(out, { recursive: true })
  for (const [name, form] of Object.entries(forms)) await writeFile(join(out, name), form(results))
  output.out(report.summary(results))
  output.out(`The report is in ${join(out, 'report.html')}; report.json and junit.xml are beside it.`)
  for (const { rule } of results.waiversUnused) output.err(`the waiver of ${rule} is unused: the rule did not fail`)
  return exitCode(results)
}

/** The quick part of the doctor: what is bad there would turn every rule red for a reason that none is about. */
async function isTestable(target: Target, output: Output): Promise<boolean> {
  const checks = await doctor(target, { quick: true, signal: output.signal })
  const bad = checks.filter(({ status }) => status === 'bad')
  for (const check of bad) output.err(checkLines(check, { styled: false }))
  if (bad.length > 0) output.err('The bank cannot be examined like this; conformance doctor checks the set-up further.')
  return bad.length === 0
}

const uneventful: readonly Status[] = ['pass', 'stated', 'observed', 'skip']

/** A run that was ended early says nothing about the rules it left; it is no success. */
function exitCode({ counts, partial, results, waiversUnused }: Results): ExitCode {
  if (counts.error > 0 || partial) return exitCodes.harnessFailed
  const blocked = results.some(({ status, level }) => status === 'blocked' && level === 'MUST')
  if (counts.fail > 0 || blocked) return exitCodes.bankFailed
  return waiversUnused.length > 0 ? exitCodes.usage : exitCodes.nothingFailed
}

const failed: readonly Status[] = ['fail', 'waived', 'blocked', 'error']

/** Those of the rules that are to be run again by an earlier report. @throws UsageError, SelectionError */
async function failedIn(file: string, wanted: readonly Rule[]): Promise<string[]> {
  const report = await readReport(file)
  const ids = [
    ...report.results.filter(({ status }) => failed.includes(status)).map(({ rule }) => rule),
    ...report.notRun,
  ].filter((id) => wanted.some((rule) => rule.id === id))
  if (ids.length === 0) throw new SelectionError(`of the rules selected, none failed in ${file}`)
  return ids
}

async function readReport(file: string): Promise<Results> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`the report ${file} cannot be read (${error.code})`)
  })
  const report = parsed(text)
  if (validate('report', report).length > 0) throw new UsageError(`${file} is no report.json of this version`)
  return report as Results
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
