import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Agent, fetch } from 'undici'
import { files } from '../../bank-idp/keys/data-directory.js'
import { packageFile } from '../../schemas/package-file.js'
import { startCompiledBank } from '../compiled-bank.js'

/**
 * Measures a start of the compiled bank, from the command to the first answer, beside one of Node.js that does nothing:
 * node dist/scripts/benchmarks/start.js [times, default 5]. The first start, which makes keys and certificates, is told apart. Beside it, what a
 * test waits for: createBank() and listen(), the first and the second of a process.
 */
const times = Number(process.argv[2] ?? 5)
const data = mkdtempSync(join(tmpdir(), 'start-'))

/** @returns milliseconds to the first answer, and the memory of the idle process in megabytes where the system tells it */
async function startOnce(): Promise<{ milliseconds: number; megabytes?: number }> {
  const began = performance.now()
  const bank = await startCompiledBank(data)
  const dispatcher = new Agent({ connect: { ca: readFileSync(join(data, files.authority)) } })
  const answer = await fetch(`${bank.issuer}/healthcheck`, { dispatcher })
  await answer.text()
  const milliseconds = performance.now() - began
  await dispatcher.close()
  const megabytes = residentMegabytes(bank.pid)
  await bank.stop()
  return { milliseconds, megabytes }
}

/** Prints the milliseconds that two banks took, one after the other. */
const twoBanks = `
const began = performance.now()
const { createBank } = await import(${JSON.stringify(pathToFileURL(packageFile('dist/bundled/bank.js')).href)})
const banks = []
let last = began
for (let i = 0; i < 2; i += 1) {
  const bank = await createBank()
  await bank.listen()
  banks.push(bank)
  console.log(performance.now() - last)
  last = performance.now()
}
for (const bank of banks) await bank.close()`

/** @param cache where keys are kept for the next process @returns milliseconds of the first bank, with all that is loaded for it, and of the second */
async function banksOfTest(cache: string): Promise<number[]> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', twoBanks], {
    env: { ...process.env, XDG_CACHE_HOME: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = (await child.stdout.toArray()).join('')
  return said.trim().split('\n').map(Number)
}

function residentMegabytes(pid: number | undefined): number | undefined {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024)
  } catch {
    return undefined
  }
}

async function bareNode(): Promise<number> {
  const began = performance.now()
  await once(spawn(process.execPath, ['-e', '']), 'exit')
  return performance.now() - began
}

function median(numbers: number[]): number {
  return Math.round(numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0)
}

try {
  const first = await startOnce()
  const starts: number[] = []
  const bare: number[] = []
  let megabytes: number | undefined
  for (let i = 0; i < times; i += 1) {
    const start = await startOnce()
    starts.push(start.milliseconds)
    megabytes = start.megabytes
    bare.push(await bareNode())
  }
  console.log(`first start, which makes the keys: ${Math.round(first.milliseconds)} ms`)
  console.log(
    `later starts, median: ${median(starts)} ms, ${(median(starts) / median(bare)).toFixed(1)} times Node.js alone`,
  )
  const cache = join(data, 'cache')
  const [newcomer = 0] = await banksOfTest(cache)
  const inTests: number[][] = []
  for (let i = 0; i < times; i += 1) inTests.push(await banksOfTest(cache))
  const [one, two] = [0, 1].map((which) => median(inTests.map((both) => both[which] ?? 0)))
  console.log(
    `createBank() and listen() in a test: ${one} ms, the next one ${two} ms; ${Math.round(newcomer)} ms where no process before kept keys`,
  )
  if (megabytes !== undefined) console.log(`memory when idle: ${megabytes} MB`)
} finally {
  rmSync(data, { recursive: true, force: true })
}
