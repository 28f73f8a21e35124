import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFile } from '../../schemas/package-file.js'
import { freePort } from '../free-port.js'
import type { SoakedBank } from './live-bank.js'

/** A bank in a process of its own, on a data directory and a port that outlive it. */
export class BankProcess implements SoakedBank {
  readonly data: string
  readonly port: number
  readonly issuer: string
  readonly #faults: readonly string[]
  readonly #store: string | undefined
  readonly #flags: readonly string[]
  #child: ChildProcess | undefined
  #said = ''

  private constructor(
    data: string,
    port: number,
    faults: readonly string[],
    store: string | undefined,
    flags: readonly string[],
  ) {
    this.data = data
    this.port = port
    this.#faults = faults
    this.#store = store
    this.#flags = flags
    this.issuer = `https://localhost:${port}`
  }

  /**
   * @param data an empty directory
   * @param faults that it has
   * @param store address of a PostgreSQL database, in place of a file
   * @param flags by which else it is started
   */
  static async make(
    data: string,
    faults: readonly string[] = [],
    store?: string,
    flags: readonly string[] = [],
  ): Promise<BankProcess> {
    return new BankProcess(data, await freePort(), faults, store, flags)
  }

  /** The flags that say where it keeps what it keeps. */
  get place(): string[] {
    return ['--data', this.data, ...(this.#store === undefined ? [] : ['--store', this.#store])]
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
    const args = [
      'start',
      '--quiet',
      '--port',
      String(this.port),
      ...this.place,
      ...this.#faults.flatMap((id) => ['--fault', id]),
      ...this.#flags,
    ]
    this.#said = ''
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
