import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { packageFile } from '../../schemas/package-file.js'

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

type Child = ChildProcessByStdio<null, Readable, Readable>

const command = [process.execPath, packageFile('dist/bundled/bank-idp.js')]

/** Has no file grow beyond so many blocks of 512 bytes; what would is an error of the write (POSIX ulimit). */
const limited = (blocks: number) => ['sh', '-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, 'sh']

function launch(args: string[], before: string[] = []): { child: Child; output: { stdout: string; stderr: string } } {
  const [program = '', ...rest] = [...before, ...command, ...args]
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk
  })
  return { child, output }
}

/** Runs a command of bank-idp to its end. */
export async function run(...args: string[]): Promise<Outcome> {
  const { child, output } = launch(args)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output }
}

export interface RunningBank {
  issuer: string
  stdout: string
  /** @returns how the process ended */
  stop(signal?: NodeJS.Signals): Promise<Outcome>
}

/** Runs `bank-idp start` until it listens; fails with what it printed when it ends before. */
export function startBank(...args: string[]): Promise<RunningBank> {
  return listening(launch(['start', '--quiet', '--port', '0', ...args]))
}

/** The same, on a disk that is full when a file has reached so many blocks of 512 bytes. */
export function startBankOnSmallDisk(blocks: number, ...args: string[]): Promise<RunningBank> {
  return listening(launch(['start', '--quiet', '--port', '0', ...args], limited(blocks)))
}

async function listening({ child, output }: ReturnType<typeof launch>): Promise<RunningBank> {
  const closed = once(child, 'close') as Promise<[number | null]>
  let ended = false
  closed.then(
    () => {
      ended = true
    },
    () => {},
  )
  while (!output.stdout.includes('Try: curl')) {
    await Promise.race([once(child.stdout, 'data'), closed])
    if (ended) throw new Error(`the bank did not start: ${output.stderr}`)
  }
  return {
    issuer: /https:\/\/\S+/.exec(output.stdout)?.[0] ?? '',
    stdout: output.stdout,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await closed
      return { code, ...output }
    },
  }
}
