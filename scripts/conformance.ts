import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '../bank-idp/keys/data-directory.js'
import { main, terminal } from '../conformance/cli.js'
import type { Results } from '../conformance/harness/results.js'
import { exitCodes } from '../conformance/output.js'
import { startCompiledBank } from './compiled-bank.js'
import { allowed } from './proof/allowed.js'

/** On our own bank nothing is skipped, save what is on the list with its reason. */
function unexpectedSkips(reportFile: string): string[] {
  const { results } = JSON.parse(readFileSync(reportFile, 'utf8')) as Results
  return results.filter(({ rule, status }) => status === 'skip' && !allowed.skip[rule]).map(({ rule }) => rule)
}

/** Green means as much as it did when it was measured: rules reach each of their expectations, in every dress. */
function unjudged(reportFile: string): string[] {
  const { results } = JSON.parse(readFileSync(reportFile, 'utf8')) as Results
  return results.flatMap(({ rule, judged, judgedAtBundledBank: known }) =>
    judged === undefined || known === undefined || judged === known
      ? []
      : [`${rule} judged ${judged} things, and ${known} when it was measured: if that is right, run npm run logins`],
  )
}

/** Bytes of a report.json in which nothing needs an explanation. */
const mostBytes = 3_000_000

/** Runs the harness against the bundled bank, as its user would: a bank in a process of its own, described by the file it writes. */
async function run(data: string): Promise<number> {
  const bank = await startCompiledBank(data)
  try {
    const args = process.argv.slice(2)
    const code = await main(['run', '--target', join(data, files.target), ...args], terminal())
    const given = args.indexOf('--out')
    const reportFile = join(given === -1 ? 'report' : (args[given + 1] ?? 'report'), 'report.json')
    if (code !== exitCodes.nothingFailed || !existsSync(reportFile)) return code
    const problems = [
      ...unexpectedSkips(reportFile).map((rule) => `${rule} was skipped, and is not on the list of allowed skips`),
      ...unjudged(reportFile),
    ]
    const { size } = statSync(reportFile)
    if (size > mostBytes && !args.includes('--all-evidence'))
      problems.push(`${reportFile} has ${size} bytes, more than ${mostBytes}`)
    for (const problem of problems) console.error(problem)
    return problems.length > 0 ? exitCodes.harnessFailed : code
  } finally {
    await bank.stop()
  }
}

const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
process.exitCode = await run(data).catch((error: Error) => {
  console.error(error.message)
  return exitCodes.harnessFailed
})
rmSync(data, { recursive: true, force: true })
