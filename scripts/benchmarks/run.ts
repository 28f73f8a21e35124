import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '../../bank-idp/keys/data-directory.js'
import type { Results } from '../../conformance/harness/results.js'
import { packageFile } from '../../schemas/package-file.js'
import { startCompiledBank } from '../compiled-bank.js'

/**
 * Measures full runs of the compiled harness against one compiled bank: node dist/scripts/benchmarks/run.js [times, default 4]. In the first
 * the bank has only just started; the others find it warm.
 */
const times = Number(process.argv[2] ?? 4)
const data = mkdtempSync(join(tmpdir(), 'run-'))

/** @returns milliseconds as the report has them, and from the command to its end */
async function runOnce(): Promise<{ reported: number; whole: number }> {
  const began = performance.now()
  const args = ['run', '--target', join(data, files.target), '--out', join(data, 'report')]
  const run = spawn(process.execPath, [packageFile('dist/bundled/conformance.js'), ...args], { stdio: 'ignore' })
  const [code] = await once(run, 'exit')
  if (code !== 0) throw new Error(`the run ended with ${code}`)
  const whole = performance.now() - began
  const { milliseconds } = JSON.parse(readFileSync(join(data, 'report', 'report.json'), 'utf8')) as Results
  return { reported: milliseconds, whole }
}

try {
  const bank = await startCompiledBank(data)
  let first: number | undefined
  for (let i = 0; i < times; i += 1) {
    const { reported, whole } = await runOnce()
    first ??= reported
    const ratio = (reported / first).toFixed(2)
    console.log(`run ${i + 1}: ${reported} ms, ${Math.round(whole)} ms with its start and end, ${ratio} of the first`)
  }
  await bank.stop()
} finally {
  rmSync(data, { recursive: true, force: true })
}
