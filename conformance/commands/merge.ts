import { Command } from 'commander'
import { MergeError, merge } from '../harness/merge.js'
import { type ExitCode, type Output, UsageError } from '../output.js'
import { readWholeReport } from '../reports/whole-report.js'
import { rules } from '../rules/index.js'
import { makeDirectory } from './make-directory.js'
import { exitCodeOf, type TellOptions, telling, tellResults, unusedWaivers } from './tell-results.js'

/** conformance merge */
export function mergeCommand(output: Output, ended: (code: ExitCode) => void): Command {
  return telling(new Command('merge').description('make one report of the parts of a run (run --shard)'))
    .argument('<reports...>', 'the report.json of each part')
    .action(async (files: readonly string[], options: TellOptions) => ended(await mergeFiles(files, options, output)))
}

async function mergeFiles(files: readonly string[], options: TellOptions, output: Output): Promise<ExitCode> {
  const parts = await Promise.all(files.map(async (name) => ({ name, results: await readWholeReport(name) })))
  const results = merged(parts)
  await makeDirectory(options.out, `--out ${options.out}`)
  await tellResults(results, options, output)
  const problems = unusedWaivers(results)
  for (const problem of problems) output.err(problem)
  return exitCodeOf(results, problems)
}

function merged(parts: Parameters<typeof merge>[0]): ReturnType<typeof merge> {
  try {
    return merge(parts, rules)
  } catch (error) {
    throw error instanceof MergeError ? new UsageError(error.message) : error
  }
}
