#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { packageFile } from '../schemas/package-file.js'
import type { Bank, BankOptions } from './bank.js'
import { control } from './control/client.js'
import { UsageError } from './errors.js'
import { faults } from './faults/index.js'
import { files } from './keys/data-directory.js'
import type { LogEntry } from './log.js'

const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }
const defaultData = '.data'

interface StartFlags {
  port: number
  data: string
  issuer?: string
  host?: string
  ephemeral?: boolean
  fault: string[]
  people?: string
  control?: boolean
  controlPort?: number
  quiet?: boolean
}

function integer(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('give a whole number.')
  return Number(value)
}

function collect(value: string, previous: string[]): string[] {
  return [...previous, value]
}

/** Seconds of a duration such as 90s, 15m, 2h, 30d or 1y (of 365 days); a bare number is seconds. */
function duration(value: string): number {
  const units: Record<string, number> = { '': 1, s: 1, m: 60, h: 3600, d: 86_400, y: 31_536_000 }
  const [, amount, unit] = /^(\d+)([smhdy]?)$/.exec(value) ?? []
  if (amount === undefined || unit === undefined) {
    throw new InvalidArgumentError('give a duration such as 90s, 15m, 2h, 30d or 1y.')
  }
  return Number(amount) * (units[unit] ?? 1)
}

function printLog(entry: LogEntry): void {
  console.error(JSON.stringify({ time: new Date().toISOString(), ...entry }))
}

function welcome(bank: Bank, data?: string): string {
  const people = bank.people.all()
  const width = Math.max(...people.map(({ login }) => login.length))
  const ca = data ? `--cacert ${resolve(data, files.authority)} ` : '--insecure '
  return [
    `The bank listens on ${bank.issuer}`,
    '',
    'Who can log in (password: login name followed by -secret):',
    ...people.map(({ login, reason }) => `  ${login.padEnd(width)}  ${reason}`),
    '',
    ...(data ? [`Target file for the harness: ${resolve(data, files.target)}`] : []),
    ...(bank.control ? [`Control door: ${bank.control.url} (bank-idp clock | faults)`] : []),
    `Try: curl ${ca}${bank.issuer}/.well-known/openid-configuration`,
  ].join('\n')
}

async function start(flags: StartFlags): Promise<void> {
  const data = flags.ephemeral ? undefined : flags.data
  const options: BankOptions = {
    port: flags.port,
    issuer: flags.issuer,
    host: flags.host,
    data,
    people: flags.people,
    faults: flags.fault,
    control: flags.control,
    controlPort: flags.controlPort,
  }
  // Loaded here alone: the commands that speak to a running bank answer at once.
  const { createBank } = await import('./bank.js')
  const bank = await createBank(options, flags.quiet ? undefined : printLog)
  await bank.listen()
  console.log(welcome(bank, data))
  const stop = () => {
    bank.close().then(
      () => process.exit(0),
      (error: Error) => fail(error),
    )
  }
  process.once('SIGINT', stop).once('SIGTERM', stop)
}

interface ClockAnswer {
  now: string
  offset_seconds: number
}

interface FaultAnswer {
  id: string
  title: string
  breaks: string[]
  on: boolean
  clients: string[]
}

function printClock({ now, offset_seconds }: ClockAnswer): void {
  console.log(`${now} (${offset_seconds} s ahead of the machine)`)
}

function printFaults(list: FaultAnswer[]): void {
  for (const { id, title, breaks, on, clients } of list) {
    const state = on ? (clients.length > 0 ? `on for ${clients.join(', ')}` : 'on') : 'off'
    console.log(`${id.padEnd(36)} ${state.padEnd(4)} ${breaks.join(' ').padEnd(9)} ${title}`)
  }
}

const program = new Command('bank-idp').description('A reference bank identity provider.').version(version)

const dataOption = ['--data <directory>', 'data directory of the bank', defaultData] as const

program
  .command('start')
  .description('start the bank')
  .option('--port <number>', 'port to listen on, 0 for any free one', integer, 8443)
  .option('--host <address>', 'interface to listen on (default: 127.0.0.1)')
  .option(...dataOption)
  .option('--issuer <url>', "the bank's address, where it differs from where it listens")
  .option('--ephemeral', 'keep nothing: the bank lives in memory')
  .option('--people <directory>', 'people to use in place of the bundled ones')
  .option('--fault <id>', 'switch a fault on (repeatable; see: bank-idp faults known)', collect, [])
  .option('--control', 'open the control door although the bank listens on more than loopback')
  .option('--no-control', 'keep the control door shut')
  .option('--control-port <number>', 'port of the control door (default: any free one)', integer)
  .option('--quiet', 'no log lines')
  .action(start)

const clock = program.command('clock').description("the bank's clock")
clock
  .command('show')
  .description('tell the time')
  .option(...dataOption)
  .action(async ({ data }: { data: string }) => printClock(await control<ClockAnswer>(data, '/clock')))
clock
  .command('advance')
  .description('move the time forward')
  .argument('<duration>', 'such as 90s, 15m, 2h, 30d or 1y', duration)
  .option(...dataOption)
  .action(async (seconds: number, { data }: { data: string }) => {
    printClock(await control<ClockAnswer>(data, '/clock', { advance_seconds: seconds }))
  })

const faultCommands = program
  .command('faults')
  .description('deviations from the specification, to be switched on and off')
faultCommands
  .command('known')
  .description('list the faults there are; needs no running bank')
  .action(() => printFaults(faults.map(({ id, title, breaks }) => ({ id, title, breaks, on: false, clients: [] }))))
faultCommands
  .command('list')
  .description('list the faults and which are on')
  .option(...dataOption)
  .action(async ({ data }: { data: string }) => printFaults(await control<FaultAnswer[]>(data, '/faults')))
for (const [name, on] of [
  ['on', true],
  ['off', false],
] as const) {
  faultCommands
    .command(name)
    .description(`switch a fault ${name}`)
    .argument('<id>')
    .option('--client <client_id>', 'for this application alone')
    .option(...dataOption)
    .action(async (id: string, { data, client }: { data: string; client?: string }) => {
      const list = await control<FaultAnswer[]>(data, '/faults', { id, on, client })
      printFaults(list.filter((one) => one.id === id))
    })
}

/** Bad use is told in a line and exits with 2; anything else is ours to mend. */
function fail(error: Error): never {
  if (error instanceof UsageError) {
    console.error(`bank-idp: ${error.message}`)
    process.exit(2)
  }
  console.error(error)
  process.exit(1)
}

process.on('unhandledRejection', fail)
program
  .configureOutput({ writeErr: (text) => process.stderr.write(text) })
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
await program.parseAsync().catch(fail)
