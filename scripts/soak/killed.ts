import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BankProcess } from './bank-process.js'
import type { SoakedBank } from './live-bank.js'
import { ReplicatedBank } from './replicated-bank.js'

export interface KilledOptions {
  /** Faults that the bank has: what they break is to be lost. */
  faults?: readonly string[]
  /** Address of a PostgreSQL database that the bank keeps its store in. */
  store?: string | undefined
  /**
   * Whether the disk of a bank of one process, in a file, forgets, at each kill, all that the bank wrote since it had its first client: that is to be
   * told of every kind of write.
   */
  forgets?: boolean
}

/** Puts the store of one data directory in the place of that of another, on which nobody runs. */
async function putBack(to: string, from: string): Promise<void> {
  for (const name of ['bank.sqlite', 'bank.sqlite-wal', 'bank.sqlite-shm']) {
    await rm(join(to, name), { force: true })
    if (existsSync(join(from, name))) await copyFile(join(from, name), join(to, name))
  }
}

/** What is killed. */
export interface Killed {
  bank: SoakedBank & Pick<BankProcess, 'place'>
  /** Notes what it is to come back to, where it forgets. */
  keep(): Promise<void>
  /** Kills it, and has it serve again when nothing is under way any more. @returns what is left to be started */
  kill(round: number, settled: () => Promise<unknown>): Promise<() => Promise<void>>
  /** Why it serves nobody though nobody killed it. */
  troubles(): string[]
  /** Takes away what it leaves when it has ended. */
  clear(): void
}

/** A bank in one process. @param options.forgets whether its disk forgets, at each kill, what was written since {@link Killed.keep} */
export async function oneProcess({ faults, store, forgets = false }: KilledOptions): Promise<Killed> {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-kills-'))
  const kept = mkdtempSync(join(tmpdir(), 'bank-idp-kept-'))
  const bank = await BankProcess.make(data, { faults, store })
  await bank.start()
  return {
    bank,
    async keep() {
      if (!forgets) return
      await bank.stop()
      await putBack(kept, data)
      await bank.start()
    },
    async kill(_round, settled) {
      await bank.stop('SIGKILL')
      await settled()
      if (forgets) await putBack(data, kept)
      await bank.start()
      return async () => {}
    },
    troubles: () => [bank.lastWords ?? []].flat(),
    clear() {
      for (const directory of [data, kept]) rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** One of several processes is killed while the others go on, and what it had acknowledged is asked of these; or PostgreSQL is, under all of them. */
export async function severalProcesses({ faults = [], store }: KilledOptions, replicas: number): Promise<Killed> {
  const bank = await ReplicatedBank.start(replicas, store, faults)
  const { postgres } = bank
  return {
    bank,
    keep: async () => {},
    async kill(round, settled) {
      if (!postgres || round % 2 === 0) {
        const start = await bank.killOne()
        await settled()
        return start
      }
      await postgres.kill('SIGKILL')
      await settled()
      await postgres.begin()
      return async () => {}
    },
    troubles: () => bank.troubles,
    clear: () => {},
  }
}
