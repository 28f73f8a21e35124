import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { files } from '../../bank-idp/keys/data-directory.js'
import { startCompiledBank } from '../compiled-bank.js'

/**
 * Measures a start of the compiled bank, from the command to the first answer, beside one of Node.js that does nothing:
 * node dist/scripts/benchmarks/start.js [times, default 5]. The first start, which makes keys and certificates, is told apart.
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
  if (megabytes !== undefined) console.log(`memory when idle: ${megabytes} MB`)
} finally {
  rmSync(data, { recursive: true, force: true })
}
