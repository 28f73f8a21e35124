import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { packageFile } from '../schemas/package-file.js'

/** The compiled bank in a process of its own. */
export interface CompiledBank {
  issuer: string
  pid: number | undefined
  /** Ends it, and resolves once it has. */
  stop(): Promise<void>
}

/**
 * Starts the compiled bank on a free port.
 *
 * @param data its data directory, made when missing
 * @throws Error when it ends before it listens; what it said is on standard error
 */
export async function startCompiledBank(data: string): Promise<CompiledBank> {
  const args = [packageFile('dist/bundled/bank-idp.js'), 'start', '--quiet', '--port', '0', '--data', data]
  const bank = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(bank, 'exit')
  for await (const line of createInterface({ input: bank.stdout })) {
    const issuer = /^The bank listens on (https:\S+)/.exec(line)?.[1]
    if (!issuer) continue
    return {
      issuer,
      pid: bank.pid,
      async stop() {
        bank.kill()
        await ended
      },
    }
  }
  throw new Error('the bundled bank did not start')
}
