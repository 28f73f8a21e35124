import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../schemas/package-file.js'
import { freePort } from '../free-port.js'
import type { SoakedBank } from './live-bank.js'

export interface ProcessOptions {
  /** Faults that it has. */
  faults?: readonly string[] | undefined
  /** Address of a PostgreSQL database, in place of a file. */
  store?: string | undefined
  /** File of the key of the store, where it is not in the data directory. */
  key?: string
  /** Its address, where it is not its own port's. */
  issuer?: string
}

/** Signs of what a process said that tell why it ended. */
const lastSigns = 2_000

/** A bank in a process of its own, on a data directory and a port that outlive it. */
export class BankProcess implements SoakedBank {
  readonly data: string
  readonly port: number
  readonly issuer: string
  readonly #options: ProcessOptions
  #child: ChildProcess | undefined
  #said = ''
  #stopped = false

  private constructor(data: string, port: number, options: ProcessOptions) {
    this.data = data
    this.port = port
    this.#options = options
    this.issuer = options.issuer ?? `https://localhost:${port}`
  }

  /** @param data an empty directory */
  static async make(data: string, options: ProcessOptions = {}): Promise<BankProcess> {
    return new BankProcess(data, await freePort(), options)
  }

  /** The flags that say where it keeps what it keeps. */
  get place(): string[] {
    const { store, key } = this.#options
    return [
      ...['--data', this.data],
      ...(store === undefined ? [] : ['--store', store]),
      ...(key === undefined ? [] : ['--store-key-file', key]),
    ]
  }

  /** What its process said last, where that ended by itself. */
  get lastWords(): string | undefined {
    const { exitCode = null, signalCode = null } = this.#child ?? {}
    const how = exitCode ?? signalCode
    return this.#stopped || how === null ? undefined : `ended by itself (${how}): ${this.#said.slice(-lastSigns)}`
  }

  /** Of the process that runs. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** Starts it. @returns once it listens */
  async start(): Promise<void> {
    this.launch()
    const { stdout } = this.#child as ChildProcess
    while (!this.#said.includes('Try: curl')) {
      if (this.#child?.exitCode !== null) throw new Error(`the bank did not start: ${this.#said}`)
      await Promise.race([
        once(stdout as NonNullable<typeof stdout>, 'data'),
        once(this.#child as ChildProcess, 'exit'),
      ])
    }
  }

  /** Starts it, and does not wait. */
  launch(): void {
    const { issuer, faults = [] } = this.#options
    const args = [
      ...['start', '--quiet', '--port', String(this.port), ...this.place],
      ...(issuer === undefined ? [] : ['--issuer', issuer]),
      ...faults.flatMap((id) => ['--fault', id]),
    ]
    this.#said = ''
    this.#stopped = false
    this.#child = spawn(process.execPath, [packageFile('dist/bundled/bank-idp.js'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk) => {
        this.#said += chunk
      })
    }
  }

  /** @returns the status that the process ended with; null when it was killed */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    this.#stopped = true
    const ended = once(child, 'exit')
    child.kill(signal)
    const [code] = (await ended) as [number | null]
    return code
  }

  async close(): Promise<void> {
    await this.stop()
  }

  #read(file: string): string {
    return readFileSync(join(this.data, file), 'utf8')
  }

  get identity(): SoakedBank['identity'] {
    const pair = (name: string) => ({ cert: this.#read(`${name}.pem`), key: this.#read(`${name}-key.pem`) })
    return {
      authority: pair('ca'),
      tls: pair('tls'),
      service: {
        certificate: pair('service/certificate'),
        otherCertificate: pair('service/other-certificate'),
        jwks: JSON.parse(this.#read('service/jwks.json')),
      },
    }
  }

  get control(): NonNullable<SoakedBank['control']> {
    const { url } = JSON.parse(this.#read('control.json')) as { url: string }
    return { url, token: this.#read('control.token') }
  }
}
