import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestPostgres } from '../../bank-idp/testing/postgres.js'
import { freePort } from '../free-port.js'
import { BankProcess } from './bank-process.js'
import type { SoakedBank } from './live-bank.js'

/** Joins two ends of a connection: each ends with the other. */
function forward(one: Socket, other: Socket): void {
  one.once('error', () => other.destroy()).once('close', () => other.destroy())
  other.once('error', () => one.destroy()).once('close', () => one.destroy())
  one.pipe(other).pipe(one)
}

/** Several processes of a bank on one store, behind a balancer that hands each connection to the next of them that lives. */
export class ReplicatedBank implements SoakedBank {
  readonly issuer: string
  /** What its store is in, where that is its own. */
  readonly postgres: TestPostgres | undefined
  readonly #directory: string
  readonly #banks: readonly BankProcess[]
  readonly #dead = new Set<BankProcess>()
  readonly #open = new Set<Socket>()
  readonly #balancer: Server
  readonly #unreachable: string[] = []
  #turn = 0

  private constructor(
    issuer: string,
    directory: string,
    banks: readonly BankProcess[],
    postgres: TestPostgres | undefined,
  ) {
    this.issuer = issuer
    this.postgres = postgres
    this.#directory = directory
    this.#banks = banks
    this.#balancer = createServer((socket) => {
      this.#open.add(socket)
      socket.once('close', () => this.#open.delete(socket))
      const bank = this.#next()
      const { port } = bank
      // From the address of the caller, by which the bank counts what is tried.
      const onward = connect({ port, host: '127.0.0.1', localAddress: socket.remoteAddress })
      onward.once('error', ({ message, syscall }: NodeJS.ErrnoException) => {
        const isRefused = syscall === 'connect' || syscall === 'bind'
        if (isRefused && !this.#dead.has(bank)) this.#unreachable.push(`port ${port}: ${message}`)
      })
      forward(socket, onward)
    })
  }

  /**
   * Starts all of them at the same moment.
   *
   * @param count of processes
   * @param given address of a PostgreSQL database, in place of a PostgreSQL of their own
   * @param faults that they have
   */
  static async start(count: number, given: string | undefined, faults: readonly string[]): Promise<ReplicatedBank> {
    const postgres = given === undefined ? await TestPostgres.start() : undefined
    const store = given ?? (await postgres?.database())
    const directory = mkdtempSync(join(tmpdir(), 'replicas-'))
    const key = join(directory, 'store.key')
    writeFileSync(key, randomBytes(32).toString('base64url'))
    const port = await freePort()
    const issuer = `https://localhost:${port}`
    const make = (_: unknown, index: number) =>
      BankProcess.make(join(directory, String(index)), { faults, store, key, issuer })
    const banks = await Promise.all(Array.from({ length: count }, make))
    await Promise.all(banks.map((bank) => bank.start()))
    const replicated = new ReplicatedBank(issuer, directory, banks, postgres)
    await new Promise<void>((resolve) => replicated.#balancer.listen(port, '127.0.0.1', resolve))
    return replicated
  }

  get #living(): BankProcess[] {
    return this.#banks.filter((bank) => !this.#dead.has(bank))
  }

  #next(): BankProcess {
    const living = this.#living
    this.#turn += 1
    return living[this.#turn % living.length] as BankProcess
  }

  /** Why a process that should live serves nobody: what it said last, and how connections to it failed. */
  get troubles(): string[] {
    return [...this.#living.flatMap(({ lastWords }) => lastWords ?? []), ...this.#unreachable]
  }

  /** Of the processes that run. */
  get pids(): number[] {
    return this.#living.map(({ pid }) => Number(pid))
  }

  /** Kills the next of them with SIGKILL. @returns how it is started again */
  async killOne(): Promise<() => Promise<void>> {
    const bank = this.#next()
    this.#dead.add(bank)
    await bank.stop('SIGKILL')
    return async () => {
      await bank.start()
      this.#dead.delete(bank)
    }
  }

  get identity(): SoakedBank['identity'] {
    return (this.#banks[0] as BankProcess).identity
  }

  /** The door of one that lives: each speaks for all. */
  get control(): NonNullable<SoakedBank['control']> {
    return this.#next().control
  }

  /** The flags that say where it keeps what it keeps. */
  get place(): string[] {
    return (this.#banks[0] as BankProcess).place
  }

  async close(): Promise<void> {
    this.#balancer.close()
    for (const socket of this.#open) socket.destroy()
    await Promise.all(this.#banks.map((bank) => bank.close()))
    await this.postgres?.stop()
    rmSync(this.#directory, { recursive: true })
  }
}
