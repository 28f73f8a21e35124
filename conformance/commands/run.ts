import { Command, InvalidArgumentError } from 'commander'
import { deadline } from '../../schemas/deadline.js'
import { openEdition } from '../../schemas/editions/index.js'
import { writeBundle } from '../certification/bundle.js'
import { prepareCertification, undeclaredSkips } from '../certification/certify.js'
import { readReport } from '../certification/read-report.js'
import { reportAt } from '../certification/verify.js'
import { doctor } from '../doctor/doctor.js'
import { namesUnknown } from '../doctor/names.js'
import { type ExamineOptions, examine } from '../examine.js'
import { type Plan, planOf } from '../harness/plan.js'
import type { Status } from '../harness/result.js'
import type { Results } from '../harness/results.js'
import type { Rule } from '../harness/rule.js'
import { SelectionError, select } from '../harness/selection.js'
import { changesTheBank, rulesOfShard, type Shard } from '../harness/shard.js'
import { type ExitCode, exitCodes, type Output, UsageError } from '../output.js'
import { bundleLines } from '../reports/bundle.js'
import { consoleReport } from '../reports/console.js'
import { checkLines } from '../reports/doctor.js'
import { costLines, planReport } from '../reports/plan.js'
import { liveProgress } from '../reports/progress.js'
import { rules } from '../rules/index.js'
import { clientKeys } from '../service/client-keys.js'
import { loadTarget } from '../target/load-target.js'
import { withPool } from '../target/pools.js'
import type { Target } from '../target/target.js'
import { loadWaivers } from '../waiver-file.js'
import { makeDirectory, removeMade } from './make-directory.js'
import { exitCodeOf, type TellOptions, telling, tellResults, unusedWaivers } from './tell-results.js'

interface RunOptions extends TellOptions {
  target: string
  only?: string[]
  skip?: string[]
  rerunFailed?: string
  within?: number
  slow?: true
  waivers?: string
  earlier?: string
  certify?: true
  key?: string
  seed?: string
  plan?: true
  jobs?: number
  timeout?: number
  shard?: Shard
  pool?: string
}

/** Reads an option that is a number of something. */
function amount(what: string, most: number): (value: string) => number {
  return (value) => {
    const given = Number(value)
    if (!(given > 0 && given <= most)) throw new InvalidArgumentError(`give a number of ${what}, at most ${most}.`)
    return given
  }
}

function jobs(value: string): number {
  const given = amount('rules', 64)(value)
  if (!Number.isInteger(given)) throw new InvalidArgumentError('give a whole number of rules.')
  return given
}

function shard(value: string): Shard {
  const [, part = 0, of = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(value) ?? []).map(Number)
  if (!(part >= 1 && part <= of)) throw new InvalidArgumentError('give which part of how many, such as 2/5.')
  return { part, of }
}

/** conformance run */
export function runCommand(output: Output, ended: (code: ExitCode) => void): Command {
  return telling(new Command('run').description('examine a bank'))
    .requiredOption('--target <file>', 'the file that describes the bank')
    .option(
      '--only <pattern...>',
      'only these rules: ids of rules or requirements, with * for any characters; !… excludes',
    )
    .option('--skip <pattern...>', 'all but these rules')
    .option('--rerun-failed <report>', 'only the rules that failed, were blocked or had no result in this report.json')
    .option(
      '--shard <part/parts>',
      'only this part of the rules, such as 2/5, for machines that run side by side; conformance merge makes one report of all',
      shard,
    )
    .option('--pool <name>', 'the people of this pool alone, and those of none (people[].pool of the target file)')
    .option(
      '--within <minutes>',
      'end the run after this time, with a partial report (default: 30; with --slow 180)',
      amount('minutes', 10_000),
    )
    .option('--jobs <number>', 'rules side by side, in place of `concurrency` of the target file', jobs)
    .option(
      '--timeout <seconds>',
      'how long one rule may take, the steps included that it shares (default: 30); ten times as long while the bank answers it',
      amount('seconds', 3600),
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
  const { waivers: waiverFile, earlier: earlierReport, certify, key, out, only = [], skip = [], shard } = options
  const selection = await selectionOf(options)
  const target: Target = {
    ...withPool(loadTarget(options.target), options),
    ...(options.slow && { slow: true }),
    ...(options.jobs !== undefined && { concurrency: options.jobs }),
  }
  const selected = select(rules, { skip: [], ...selection })
  const chosen = shard ? rulesOfShard(selected, shard, target) : selected
  const plan = planOf(openEdition(target.edition), chosen, target)
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
  for (const line of namesUnknown(target)) output.err(line)
  for (const line of costLines(plan, target)) output.out(line)
  if (target.control && shard && shard.of > 1 && chosen.some(changesTheBank)) output.out(changesForOthers)

  const results = await examineShown({ ...selection, target, waivers, ...(earlier && { earlier }) }, options, output)
  const whole = certify || shard !== undefined || options.allEvidence === true
  const reports = await tellResults(results, { ...options, allEvidence: whole }, output)

  const problems = [...unusedWaivers(results), ...(certifier ? undeclaredSkips(skippedIn(results), target) : [])]
  for (const problem of problems) output.err(problem)
  const code = exitCodeOf(results, problems)
  if (!certifier) return code
  if (problems.length > 0 || code === exitCodes.harnessFailed || results.counts.error > 0) {
    output.err('No bundle was written: the requirements of a certification are not met.')
    return code === exitCodes.harnessFailed || results.counts.error === 0 ? code : exitCodes.usage
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

const changesForOthers =
  "This part moves the bank's time and has it change people: where the other parts examine the same bank, let it begin when they have ended."

/** Examines the bank, and tells each result as it comes. */
async function examineShown(
  what: ExamineOptions,
  { slow, within = slow ? 180 : 30, seed, shard, timeout, verbose }: RunOptions,
  output: Output,
): Promise<Results> {
  const report = consoleReport(output)
  const progress = output.live && liveProgress(output.live.write, output.live.columns)
  const results = await examine({
    ...what,
    ...(seed !== undefined && { seed }),
    ...(shard && { shard }),
    ...(timeout !== undefined && { boundSeconds: timeout }),
    onNotice: output.err,
    onInvitation: (url) =>
      output.err(`Sign in by hand: open ${url} in your browser, and leave the page open until the run is over.`),
    signal: deadline(within * 60_000, output.signal),
    ...(output.hurry && { hurry: output.hurry }),
    ...(progress && { onBegin: progress.begin, onRequest: progress.request }),
    onProgress(result, done) {
      progress?.clear()
      if (verbose || !uneventful.includes(result.status)) output.out(report.line(result))
      progress?.result(result.status, done)
    },
  })
  progress?.clear()
  return results
}

/** The quick part of the doctor: what is bad there would turn every rule red for a reason that none is about. */
async function isTestable(target: Target, { runs }: Plan, output: Output): Promise<boolean> {
  const registers = runs.some(({ needs }) => needs.includes('trusted') || needs.includes('client'))
  const checks = await doctor(target, { quick: { registers }, signal: output.signal, hurry: output.hurry })
  const bad = checks.filter((check) => check.status === 'bad' && !check.banks)
  for (const check of bad) output.err(checkLines(check, { styled: false }))
  if (bad.length > 0)
    output.err('The bank cannot be examined with this set-up; conformance doctor checks it in more detail.')
  return bad.length === 0
}

/** What is not told as it comes: what is well, and what is told at the end by its cause or its reason. */
const uneventful: readonly Status[] = ['pass', 'attested', 'observed', 'skip', 'blocked']

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
