import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
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

/** Runs the harness against the bundled bank, as its user would: a bank in a process of its own, described by the file it writes. */
async function run(data: string): Promise<number> {
  const bank = await startCompiledBank(data)
  try {
    const args = process.argv.slice(2)
    const code = await main(['run', '--target', join(data, files.target), ...args], terminal())
    const given = args.indexOf('--out')
    const reportFile = join(given === -1 ? 'report' : (args[given + 1] ?? 'report'), 'report.json')
    const skipped = code === exitCodes.nothingFailed && existsSync(reportFile) ? unexpectedSkips(reportFile) : []
    for (const rule of skipped) console.error(`${rule} was skipped, and is not on the list of allowed skips`)
    return skipped.length > 0 ? exitCodes.harnessFailed : code
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
