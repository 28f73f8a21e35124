import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { files } from '../../bank-idp/keys/data-directory.js'
import { packageFile } from '../../schemas/package-file.js'
import { BankProcess } from '../soak/bank-process.js'
import { type Fields, LiveBank, type SoakedBank } from '../soak/live-bank.js'

/**
 * Measures whole logins (a fresh browser, sign-in, consent, code, tokens) at the compiled bank beside oidc-provider alone, in turn:
 * node dist/scripts/benchmarks/logins.js [logins of a round, default 300] [rounds, default 3]. What counts is the processor time of the
 * server's process; it is read from /proc, so this needs Linux.
 */
const [logins = 300, rounds = 3] = process.argv.slice(2).map(Number)
const atOnce = 4
/** Ticks of the processor time in /proc in a second. */
const ticks = 100

interface Server {
  name: string
  pid: number
  live: LiveBank
  forms: Fields[]
  /** Processor seconds for a login, of each round. */
  costs: number[]
}

function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

async function login({ name, live, forms }: Server): Promise<void> {
  const browser = live.beside()
  const { location, page } = await browser.browse(`/auth?${live.query({ prompt: 'consent' })}`, forms)
  const code = new URL(location || live.url).searchParams.get('code')
  if (code === null) throw new Error(`${name} gave no code: ${location} ${page}`)
  const { status, text } = await browser.redeem(code)
  if (status !== 200) throw new Error(`${name} gave no tokens: ${status} ${text}`)
  await browser.hangUp()
}

async function round(server: Server, number: number): Promise<void> {
  let left = number
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await login(server)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

async function measure(server: Server): Promise<void> {
  const began = processorSeconds(server.pid)
  await round(server, logins)
  server.costs.push((processorSeconds(server.pid) - began) / logins)
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0
}

const data = mkdtempSync(join(tmpdir(), 'logins-'))
const bank = await BankProcess.make(data)
await bank.start()
const bare = spawn(process.execPath, ['--no-warnings', packageFile('dist/scripts/benchmarks/bare-provider.js'), data], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NODE_EXTRA_CA_CERTS: join(data, files.authority) },
})
try {
  const [issuer] = (await once(createInterface({ input: bare.stdout }), 'line')) as [string]
  const beside: SoakedBank = { issuer, identity: bank.identity, control: undefined, close: async () => {} }
  const approved: Fields = [
    ['action', 'approve'],
    ['scope', 'profile.name'],
    ['scope', 'offline_access'],
  ]
  const servers: Server[] = [
    {
      name: 'bank-idp',
      pid: Number(bank.pid),
      live: await LiveBank.of(bank),
      forms: [{ person: 'jana' }, approved],
      costs: [],
    },
    {
      name: 'oidc-provider alone',
      pid: Number(bare.pid),
      live: await LiveBank.of(beside),
      forms: [{ login: 'jana', password: 'any' }, {}],
      costs: [],
    },
  ]
  for (const server of servers) await round(server, 200) // warms the engine up
  for (let i = 0; i < rounds; i += 1) for (const server of servers) await measure(server)
  for (const { name, costs } of servers) {
    const told = costs.map((cost) => (cost * 1000).toFixed(2)).join(', ')
    console.log(`${name}: ${(median(costs) * 1000).toFixed(2)} ms of processor time for a login (${told})`)
  }
  const [ours = 0, theirs = 0] = servers.map(({ costs }) => median(costs))
  console.log(`logins for a second of processor time, to those of oidc-provider alone: ${(theirs / ours).toFixed(2)}`)
  for (const { live } of servers) await live.hangUp()
} finally {
  bare.kill()
  await bank.close()
  rmSync(data, { recursive: true, force: true })
}
process.exit()
