import { readFileSync, rmSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Command } from 'commander'
import { tellReady } from '../../schemas/compile-cache.js'
import { UsageError } from '../errors.js'
import { DataDirectory } from '../keys/data-directory.js'
import type { LogEntry } from '../log.js'
import { ownReplicaName } from '../replica-name.js'
import type { Resolved } from '../settings.js'
import { announcement, type PrintForm, printForms, welcome } from './announcement.js'
import { bankOptions } from './bank-options.js'
import { settingFlags, settingsOf } from './settings.js'
import type { Terminal } from './terminal.js'
import { inSmallYoungHeap } from './young-heap.js'

/** A file that is there while the bank listens, and tells what a script needs. */
class ReadyFile {
  readonly #path: string
  #isWritten = false

  constructor(path: string) {
    this.#path = path
  }

  write(content: string): void {
    // People's passwords are in it, as in the target file.
    new DataDirectory(dirname(this.#path)).write(basename(this.#path), content, { secret: true })
    this.#isWritten = true
  }

  /** What a bank wrote that is gone would mislead; what one wrote that runs is its own. */
  removeStale(): void {
    const { pid } = this.#read()
    if (pid === undefined || !isRunning(pid)) this.#remove()
  }

  /** Takes away what this process wrote. */
  removeOwn(): void {
    if (this.#isWritten) this.#remove()
  }

  #read(): { pid?: number } {
    try {
      const { pid } = JSON.parse(readFileSync(this.#path, 'utf8')) as { pid?: unknown }
      return typeof pid === 'number' ? { pid } : {}
    } catch {
      return {}
    }
  }

  #remove(): void {
    try {
      rmSync(this.#path, { force: true })
    } catch (cause) {
      throw new UsageError(`the ready file ${this.#path} cannot be removed: ${(cause as Error).message}`, { cause })
    }
  }
}

/** In a container a bank has the same number again and again: what has ours is of one that is gone. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function printFormOf({ settings, origin }: Resolved): PrintForm {
  const { print = 'text' } = settings
  const form = printForms.find((known) => known === print)
  if (!form) throw new UsageError(`${origin('print')}: '${print}' is no form: give one of ${printForms.join(', ')}`)
  return form
}

/** A bank that listens. */
interface OpenBank {
  /** Tells whoever waits for it. */
  tell(): void
  close(): Promise<void>
}

async function open(resolved: Resolved, terminal: Terminal): Promise<OpenBank> {
  const { settings, origin } = resolved
  const { quiet, readyFile } = settings
  const options = bankOptions(resolved)
  const form = printFormOf(resolved)
  const ready = readyFile === undefined ? undefined : new ReadyFile(readyFile)
  ready?.removeStale()
  // Where lines of several processes come together, each says whose it is.
  const replica = settings.replica ?? (settings.store === undefined ? undefined : ownReplicaName())
  const log = (entry: LogEntry) => terminal.error(JSON.stringify({ time: new Date().toISOString(), replica, ...entry }))
  // Replicas get theirs from the store.
  if (options.data !== undefined && options.store === undefined) new DataDirectory(options.data).beginKeys()
  // Loaded here alone: the commands that speak to a running bank answer at once.
  const { createBank } = await import('../bank.js')
  const bank = await createBank(options, quiet ? undefined : log, origin)
  await bank.listen()
  return {
    tell() {
      const told = JSON.stringify(announcement(bank, options.data))
      ready?.write(`${told}\n`)
      if (form === 'json') terminal.write(told)
      else terminal.print(welcome(bank, options.data))
    },
    async close() {
      ready?.removeOwn()
      await bank.close()
    },
  }
}

/** Several banks live and end together. */
async function start(all: readonly Resolved[], terminal: Terminal): Promise<void> {
  // From the first moment: whoever gets through to a bank that is still starting is answered before it ends.
  const stopped = terminal.untilStopped()
  const banks: OpenBank[] = []
  try {
    const openAll = async () => {
      for (const resolved of all) banks.push(await open(resolved, terminal))
    }
    // Of a hundred thousand people much is kept: to look for what is forgotten more often takes a tenth of such a start.
    const hasPeople = all.some(({ settings }) => settings.people !== undefined)
    await (hasPeople ? openAll() : inSmallYoungHeap(openAll))
    for (const bank of banks) bank.tell()
    tellReady()
    await stopped
  } finally {
    await Promise.all(banks.map((bank) => bank.close()))
  }
}

export function startCommand(program: Command, terminal: Terminal): void {
  const command = program.command('start').description('start the bank, or several')
  settingFlags(command).action(() => start(settingsOf(command), terminal))
}
