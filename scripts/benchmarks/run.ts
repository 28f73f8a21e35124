import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '../../bank-idp/keys/data-directory.js'
import { planOf } from '../../conformance/harness/plan.js'
import type { Results } from '../../conformance/harness/results.js'
import { rules } from '../../conformance/rules/index.js'
import { loadTarget } from '../../conformance/target/load-target.js'
import { openEdition } from '../../schemas/editions/index.js'
import { packageFile } from '../../schemas/package-file.js'
import { BankProcess } from '../soak/bank-process.js'
import { costOfLogins, logIn, processorSeconds, processorSecondsOfEnded, startBareProvider } from './login-cost.js'

/**
 * Measures full runs of the compiled harness against one compiled bank: node dist/scripts/benchmarks/run.js [times, default 4]. In the first
 * the bank has only just started; the others find it warm. What a run costs is told in logins at oidc-provider alone too, which are measured
 * before each: that says the same on a machine of another speed. Processor time is read from /proc, so this needs Linux.
 */
const times = Number(process.argv[2] ?? 4)
/** Logins at the provider before each run. */
const logins = 300
const data = mkdtempSync(join(tmpdir(), 'run-'))
const target = join(data, files.target)

/** Seconds: as the report has them, from the command to its end, and of processor time. */
interface Spent {
  reported: number
  whole: number
  harness: number
  bank: number
}

async function runOnce(bank: number): Promise<Spent> {
  const [began, ended, served] = [performance.now(), processorSecondsOfEnded(), processorSeconds(bank)]
  const args = ['run', '--target', target, '--out', join(data, 'report')]
  const run = spawn(process.execPath, [packageFile('dist/bundled/conformance.js'), ...args], { stdio: 'ignore' })
  const [code] = await once(run, 'exit')
  if (code !== 0) throw new Error(`the run ended with ${code}`)
  const whole = (performance.now() - began) / 1000
  const { milliseconds } = JSON.parse(readFileSync(join(data, 'report', 'report.json'), 'utf8')) as Results
  return {
    reported: milliseconds / 1000,
    whole,
    harness: processorSecondsOfEnded() - ended,
    bank: processorSeconds(bank) - served,
  }
}

try {
  const bank = await BankProcess.make(data)
  await bank.start()
  const provider = await startBareProvider(bank)
  const { exchanges } = planOf(openEdition(), rules, loadTarget(target)).cost
  await logIn(provider, logins) // warms the engine up
  for (let i = 1; i <= times; i += 1) {
    const login = await costOfLogins(provider, logins)
    const { reported, whole, harness, bank: served } = await runOnce(Number(bank.pid))
    const cost = harness + served
    const inLogins = cost / login
    console.log(
      `run ${i}: ${reported.toFixed(1)} s, ${whole.toFixed(1)} s with its start and end; ${cost.toFixed(1)} s of processor time ` +
        `(harness ${harness.toFixed(1)}, bank ${served.toFixed(1)}), as ${Math.round(inLogins)} logins at the provider alone ` +
        `(${(login * 1000).toFixed(2)} ms each) would; ${exchanges} requests, ${(inLogins / exchanges).toFixed(2)} logins each`,
    )
  }
  provider.end()
  await bank.close()
} finally {
  rmSync(data, { recursive: true, force: true })
}
process.exit()
