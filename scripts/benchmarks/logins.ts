import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { BankProcess } from '../soak/bank-process.js'
import { type Fields, LiveBank } from '../soak/live-bank.js'
import { ReplicatedBank } from '../soak/replicated-bank.js'
import { costOfLogins, type LoginServer, logIn, processorSeconds, startBareProvider } from './login-cost.js'

/**
 * Measures whole logins (a fresh browser, sign-in, consent, code, tokens) at the compiled bank beside oidc-provider alone, in turn:
 * node dist/scripts/benchmarks/logins.js [logins of a round, default 300] [rounds, default 3] [--store postgres://…] [--replicas 2]. With --store
 * another bank keeps its store in that empty database of PostgreSQL, on this machine; with --replicas there are two more, one of one process and
 * one of so many, each on a PostgreSQL of its own. What counts is the processor time of the server's process, and beside
 * it that of PostgreSQL for the bank; they are read from /proc, so this needs Linux.
 */
const { values, positionals } = parseArgs({
  options: { store: { type: 'string' }, replicas: { type: 'string' } },
  allowPositionals: true,
})
const [logins = 300, rounds = 3] = positionals.map(Number)
/** Of each server, in seconds of processor time for a login, of each round. */
interface Measured extends LoginServer {
  costs: number[]
  /** What PostgreSQL did for a login, where it has one. */
  besides?: Done[]
}

/** What a database did so far. */
interface Done {
  /** Processor seconds of the processes that serve its connections. */
  seconds: number
  transactions: number
  rolledBack: number
}

async function databaseDone(): Promise<Done> {
  const connection = new pg.Client({ connectionString: values.store })
  await connection.connect()
  // What connections counted is told where they had nothing to do for a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const served = await connection.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const counted = await connection.query<{ committed: string; back: string }>(
    'select xact_commit as committed, xact_rollback as back from pg_stat_database where datname = current_database()',
  )
  await connection.end()
  const [{ committed = 0, back = 0 } = {}] = counted.rows
  return {
    seconds: served.rows.reduce((sum, { pid }) => sum + processorSeconds(pid), 0),
    transactions: Number(committed),
    rolledBack: Number(back),
  }
}

/** What it did for each login between two moments. */
function forEach(before: Done, after: Done): Done {
  const members = ['seconds', 'transactions', 'rolledBack'] as const
  return Object.fromEntries(members.map((name) => [name, (after[name] - before[name]) / logins])) as unknown as Done
}

async function measure(server: Measured): Promise<void> {
  const before = server.besides && (await databaseDone())
  server.costs.push(await costOfLogins(server, logins))
  if (before) server.besides?.push(forEach(before, await databaseDone()))
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0
}

function inWords(besides: readonly Done[]): string {
  const of = (name: keyof Done) => median(besides.map((done) => done[name]))
  const [seconds, transactions, rolledBack] = [of('seconds'), of('transactions'), of('rolledBack')]
  return `${(seconds * 1000).toFixed(2)} ms, ${transactions.toFixed(1)} transactions and ${rolledBack.toFixed(2)} that were rolled back`
}

const data = mkdtempSync(join(tmpdir(), 'logins-'))
const bank = await BankProcess.make(data)
await bank.start()
const onPostgres =
  values.store === undefined ? undefined : await BankProcess.make(join(data, 'postgres'), { store: values.store })
await onPostgres?.start()
const counts = values.replicas === undefined ? [] : [1, Number(values.replicas)]
const replicated = await Promise.all(counts.map((count) => ReplicatedBank.start(count, undefined, [])))
const bare = await startBareProvider(bank)
try {
  const approved: Fields = [
    ['action', 'approve'],
    ['scope', 'profile.name'],
    ['scope', 'offline_access'],
  ]
  const servers: Measured[] = [
    {
      name: 'bank-idp',
      pids: [Number(bank.pid)],
      live: await LiveBank.of(bank),
      forms: [{ person: 'jana' }, approved],
      costs: [],
    },
    { ...bare, costs: [] },
    ...(onPostgres
      ? [
          {
            name: 'bank-idp on PostgreSQL',
            pids: [Number(onPostgres.pid)],
            live: await LiveBank.of(onPostgres),
            forms: [{ person: 'jana' }, approved],
            costs: [],
            besides: [],
          },
        ]
      : []),
  ]
  for (const one of replicated) {
    servers.push({
      name: `bank-idp, ${one.pids.length} on PostgreSQL`,
      pids: one.pids,
      live: await LiveBank.of(one),
      forms: [{ person: 'jana' }, approved],
      costs: [],
    })
  }
  for (const server of servers) await logIn(server, 200) // warms the engine up
  for (let i = 0; i < rounds; i += 1) for (const server of servers) await measure(server)
  for (const { name, costs, besides } of servers) {
    const told = costs.map((cost) => (cost * 1000).toFixed(2)).join(', ')
    const database = besides ? `, and of PostgreSQL ${inWords(besides)}` : ''
    console.log(`${name}: ${(median(costs) * 1000).toFixed(2)} ms of processor time for a login (${told})${database}`)
  }
  const costOf = (name: string) => median(servers.find((server) => server.name === name)?.costs ?? [])
  const [ours, theirs] = [costOf('bank-idp'), costOf(bare.name)]
  console.log(`logins for a second of processor time, to those of oidc-provider alone: ${(theirs / ours).toFixed(2)}`)
  if (onPostgres) {
    const there = costOf('bank-idp on PostgreSQL')
    console.log(`the same on PostgreSQL, to those on SQLite: ${(ours / there).toFixed(2)}`)
  }
  const [one = 0, several] = servers.slice(-replicated.length).map(({ costs }) => median(costs))
  if (replicated.length > 0 && several !== undefined)
    console.log(
      `processor time for a login with ${values.replicas} processes, to that with one: ${(several / one).toFixed(2)}`,
    )
  for (const { live } of servers) await live.hangUp()
} finally {
  bare.end()
  await bank.close()
  await onPostgres?.close()
  await Promise.all(replicated.map((one) => one.close()))
  rmSync(data, { recursive: true, force: true })
}
process.exit()
