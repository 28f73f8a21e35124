import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { files } from '../bank-idp/keys/data-directory.js'
import { main, terminal } from '../conformance/cli.js'
import type { Results } from '../conformance/examine.js'
import { exitCodes } from '../conformance/output.js'
import { packageFile } from '../schemas/package-file.js'
import { allowed } from './proof/allowed.js'

/** Runs the harness against the bundled bank, as its user would: a bank in a process of its own, described by the file it writes. */
const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
const bank = spawn(
  process.execPath,
  [packageFile('dist/bank-idp/cli.js'), 'start', '--quiet', '--port', '0', '--data', data],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const bankEnded = once(bank, 'exit')

/** Resolves once the bank has told where it listens; false when it ended before. */
async function listening(): Promise<boolean> {
  for await (const line of createInterface({ input: bank.stdout })) {
    if (line.startsWith('The bank listens on')) return true
  }
  return false
}

/** On our own bank nothing is skipped, save what is on the list with its reason. */
function unexpectedSkips(reportFile: string): string[] {
  const { results } = JSON.parse(readFileSync(reportFile, 'utf8')) as Results
  return results.filter(({ rule, status }) => status === 'skip' && !allowed.skip[rule]).map(({ rule }) => rule)
}

async function run(): Promise<number> {
  if (!(await listening())) {
    console.error('the bundled bank did not start')
    return exitCodes.harnessFailed
  }
  const args = process.argv.slice(2)
  const code = await main(['run', '--target', join(data, files.target), ...args], terminal())
  const given = args.indexOf('--out')
  const reportFile = join(given === -1 ? 'report' : (args[given + 1] ?? 'report'), 'report.json')
  const skipped = code === exitCodes.nothingFailed && existsSync(reportFile) ? unexpectedSkips(reportFile) : []
  for (const rule of skipped) console.error(`${rule} was skipped, and is not on the list of allowed skips`)
  return skipped.length > 0 ? exitCodes.harnessFailed : code
}

process.exitCode = await run()
bank.kill()
await bankEnded
rmSync(data, { recursive: true, force: true })
