import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Bank, BankOptions } from '../bank.js'
import { files } from '../keys/data-directory.js'
import type { LogEntry } from '../log.js'
import { collect, dataOption, duration, integer } from './options.js'
import type { Terminal } from './terminal.js'

interface StartFlags {
  port: number
  data: string
  issuer?: string
  host?: string
  ephemeral?: boolean
  fault: string[]
  people?: string
  serviceKeys?: string
  control?: boolean
  controlPort?: number
  service?: string
  idpId?: string
  retryFor?: number
  quiet?: boolean
}

function welcome(bank: Bank, data?: string): string {
  const people = bank.people.introduced()
  const width = Math.max(...people.map(({ login }) => login.length))
  const ca = data ? `--cacert ${resolve(data, files.authority)} ` : '--insecure '
  return [
    `The bank listens on ${bank.issuer}`,
    '',
    'Who can log in (choose one on the page, or type the login name and its password):',
    ...people.map(
      ({ login, password, reason }) => `  ${login.padEnd(width)}  ${password.padEnd(width + 7)}  ${reason}`,
    ),
    '',
    ...(data ? [`Target file for the harness: ${resolve(data, files.target)}`] : []),
    ...(bank.control ? [`Control door: ${bank.control.url} (bank-idp clock | faults | people | outbox | stats)`] : []),
    `Try: curl ${ca}${bank.issuer}/.well-known/openid-configuration`,
  ].join('\n')
}

async function start(flags: StartFlags, terminal: Terminal): Promise<void> {
  const data = flags.ephemeral ? undefined : flags.data
  const options: BankOptions = {
    port: flags.port,
    issuer: flags.issuer,
    host: flags.host,
    data,
    people: flags.people,
    serviceKeys: flags.serviceKeys,
    faults: flags.fault,
    control: flags.control,
    controlPort: flags.controlPort,
    service: flags.service,
    idpId: flags.idpId,
    retryFor: flags.retryFor,
  }
  const log = (entry: LogEntry) => terminal.error(JSON.stringify({ time: new Date().toISOString(), ...entry }))
  // Loaded here alone: the commands that speak to a running bank answer at once.
  const { createBank } = await import('../bank.js')
  const bank = await createBank(options, flags.quiet ? undefined : log)
  await bank.listen()
  terminal.print(welcome(bank, data))
  await terminal.untilStopped()
  await bank.close()
}

export function startCommand(program: Command, terminal: Terminal): void {
  program
    .command('start')
    .description('start the bank')
    .option('--port <number>', 'port to listen on, 0 for any free one', integer, 8443)
    .option('--host <address>', 'interface to listen on (default: 127.0.0.1)')
    .option(...dataOption)
    .option('--issuer <url>', "the bank's address, where it differs from where it listens")
    .option('--ephemeral', 'keep nothing: the bank lives in memory')
    .option('--people <directory>', 'people of your own, to be added to the bundled ones')
    .option(
      '--service-keys <source>',
      "https address or file of the service's JWK set (default: made at the first start)",
    )
    .option('--fault <id>', 'switch a fault on (repeatable; see: bank-idp faults known)', collect, [])
    .option('--control', 'open the control door although the bank listens on more than loopback')
    .option('--no-control', 'keep the control door shut')
    .option('--control-port <number>', 'port of the control door (default: any free one)', integer)
    .option('--service <url>', "the service's address, to ask for statistics")
    .option('--idp-id <id>', 'by which the service knows the bank (default: host and port of its address)')
    .option('--retry-for <duration>', 'how long an event that does not arrive is sent again (default: 1d)', duration)
    .option('--quiet', 'no log lines')
    .action((flags: StartFlags) => start(flags, terminal))
}
