import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { files } from '../../bank-idp/keys/data-directory.js'
import { packageFile } from '../../schemas/package-file.js'
import type { BankProcess } from '../soak/bank-process.js'
import { type Fields, LiveBank } from '../soak/live-bank.js'

/** Logins at once at each process: what comes at the same moment costs less. */
const atOnce = 4
/** Ticks of the processor time in /proc in a second. */
const ticks = 100

/** A server at which people log in. */
export interface LoginServer {
  name: string
  pids: number[]
  live: LiveBank
  forms: Fields[]
}

/** Fields of /proc/{pid}/stat from the third on (proc(5)), which begins after the name of the program. */
function statOf(pid: number | 'self'): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
}

/** Processor time of a process so far, in seconds. */
export function processorSeconds(pid: number): number {
  const { 11: user = 0, 12: system = 0 } = statOf(pid)
  return (user + system) / ticks
}

/** Processor time of the processes that this one started and that have ended, in seconds. */
export function processorSecondsOfEnded(): number {
  const { 13: user = 0, 14: system = 0 } = statOf('self')
  return (user + system) / ticks
}

async function login({ name, live, forms }: LoginServer): Promise<void> {
  const browser = live.beside()
  const { location, page } = await browser.browse(`/auth?${live.query({ prompt: 'consent' })}`, forms)
  const code = new URL(location || live.url).searchParams.get('code')
  if (code === null) throw new Error(`${name} gave no code: ${location} ${page}`)
  const { status, text } = await browser.redeem(code)
  if (status !== 200) throw new Error(`${name} gave no tokens: ${status} ${text}`)
  await browser.hangUp()
}

/** Whole logins: a fresh browser, sign-in, consent, code, tokens. */
export async function logIn(server: LoginServer, times: number): Promise<void> {
  let left = times
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await login(server)
    }
  }
  await Promise.all(Array.from({ length: atOnce * server.pids.length }, worker))
}

/** Processor time that the server spends on each of so many logins, in seconds. */
export async function costOfLogins(server: LoginServer, times: number): Promise<number> {
  const spent = () => server.pids.reduce((sum, pid) => sum + processorSeconds(pid), 0)
  const began = spent()
  await logIn(server, times)
  return (spent() - began) / times
}

/** oidc-provider alone, in a process of its own, with the certificate of a bank. @returns it, and what ends it */
export async function startBareProvider({ data, identity }: BankProcess): Promise<LoginServer & { end(): void }> {
  const bare = spawn(
    process.execPath,
    ['--no-warnings', packageFile('dist/scripts/benchmarks/bare-provider.js'), data],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_EXTRA_CA_CERTS: join(data, files.authority) } },
  )
  const [issuer] = (await once(createInterface({ input: bare.stdout }), 'line')) as [string]
  return {
    name: 'oidc-provider alone',
    pids: [Number(bare.pid)],
    live: await LiveBank.of({ issuer, identity, control: undefined, close: async () => {} }),
    forms: [{ login: 'jana', password: 'any' }, {}],
    end: () => void bare.kill(),
  }
}
