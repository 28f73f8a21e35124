import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '../keys/data-directory.js'
import { Balancer } from './balancer.js'
import { type RunningBank, startBank } from './command.js'
import { door } from './control-door.js'
import { freePort } from './free-port.js'
import { bankAt } from './known-bank.js'
import { TestService } from './service.js'

/** Several processes of a bank on one store, each with a data directory of its own, behind a proxy. */
export class TestReplicas {
  readonly #issuer: string
  readonly #store: string
  readonly #key: string
  readonly #flags: readonly string[]
  readonly #ports: readonly number[]
  readonly #directories: string[] = []
  readonly #banks: RunningBank[] = []
  #balancer: Balancer | undefined
  #service: TestService | undefined

  private constructor(store: string, port: number, ports: readonly number[], flags: readonly string[]) {
    this.#issuer = `https://localhost:${port}`
    this.#store = store
    this.#ports = ports
    this.#flags = flags
    this.#key = join(mkdtempSync(join(tmpdir(), 'bank-idp-')), 'store.key')
    writeFileSync(this.#key, randomBytes(32).toString('base64url'))
  }

  /** Starts all of them at the same moment. */
  static async start(store: string, count: number, ...flags: string[]): Promise<TestReplicas> {
    const port = await freePort()
    const ports = await Promise.all(Array.from({ length: count }, freePort))
    const replicas = new TestReplicas(store, port, ports, flags)
    await Promise.all(ports.map((_, index) => replicas.begin(index)))
    const known = bankAt(replicas.#issuer, replicas.data(0))
    replicas.#balancer = await Balancer.start(port, ports, known.identity)
    replicas.#service = await TestService.start(known)
    return replicas
  }

  /** The flags by which a further replica is started. */
  flags(data: string, replica: string): string[] {
    const store = ['--store', this.#store, '--store-key-file', this.#key, '--issuer', this.#issuer]
    return ['--data', data, ...store, '--replica', replica, '--trusted-proxy', '127.0.0.1', ...this.#flags]
  }

  /** Starts one, also anew: a data directory is made for it, with nothing in it. */
  async begin(index: number): Promise<void> {
    const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
    this.#directories[index] = data
    const flags = [...this.flags(data, `replica-${index}`), '--port', String(this.#ports[index])]
    this.#banks[index] = await startBank(...flags)
  }

  async kill(index: number): Promise<void> {
    await this.#banks[index]?.stop('SIGKILL')
  }

  get service(): TestService {
    if (!this.#service) throw new Error('the replicas have not been started')
    return this.#service
  }

  data(index: number): string {
    return String(this.#directories[index])
  }

  /** The service at one of them; at each in turn without a number. */
  via(index?: number): TestService {
    this.#balancer?.to(index)
    return this.service
  }

  /** What the control door of one answers. */
  async door<Answer = Record<string, unknown>>(index: number, path: string, body?: object): Promise<Answer> {
    const read = (file: string) => readFileSync(join(this.data(index), file), 'utf8')
    const { url } = JSON.parse(read(files.control)) as { url: string }
    const answer = await door<Answer>({ control: { url, token: read(files.controlToken).trim() } }, path, body)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  async stop(): Promise<void> {
    await this.#service?.stop()
    await this.#balancer?.close()
    await Promise.all(this.#banks.map((bank) => bank.stop()))
  }
}
