import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Bank, BankOptions } from '../bank.js'
import { UsageError } from '../errors.js'
import { files } from '../keys/data-directory.js'
import type { LogEntry } from '../log.js'
import type { Resolved } from '../settings.js'
import { settingFlags, settingsOf } from './settings.js'
import type { Terminal } from './terminal.js'

function welcome(bank: Bank, data?: string): string {
  const people = bank.people.introduced()
  const width = Math.max(...people.map(({ login }) => login.length))
  const readings = Object.entries(bank.config.readings).map((chosen) => chosen.join('='))
  const missingKeys = bank.config.serviceKeys
    ? '\n  (name the private keys of your service there as service.keys: --service-keys replaces the keys that the bank made)'
    : ''
  const ca = data ? `--cacert ${resolve(data, files.authority)} ` : '--insecure '
  return [
    `The bank listens on ${bank.issuer}`,
    `It follows edition ${bank.config.edition} of the specification${readings.length > 0 ? `, with the readings ${readings.join(', ')}` : ''}`,
    '',
    'Who can log in (choose one on the page, or type the login name and its password):',
    ...people.map(
      ({ login, password, reason }) => `  ${login.padEnd(width)}  ${password.padEnd(width + 7)}  ${reason}`,
    ),
    '',
    ...(data ? [`Target file for the harness: ${resolve(data, files.target)}${missingKeys}`] : []),
    ...(bank.control
      ? [`Control door: ${bank.control.url} (for bank-idp clock, faults, people and others: bank-idp --help)`]
      : []),
    `Try: curl ${ca}${bank.issuer}/.well-known/openid-configuration`,
  ].join('\n')
}

async function start({ settings, origin }: Resolved, terminal: Terminal): Promise<void> {
  const { ephemeral, quiet, ...rest } = settings
  const door = rest.control ? 'control' : rest.controlPort === undefined ? undefined : 'controlPort'
  if (ephemeral && door) {
    throw new UsageError(
      `${origin(door)}: the control door keeps its token in the data directory, and --ephemeral has none: leave one of the two out`,
    )
  }
  const options: BankOptions = { ...rest, data: ephemeral ? undefined : rest.data }
  const log = (entry: LogEntry) => terminal.error(JSON.stringify({ time: new Date().toISOString(), ...entry }))
  // Loaded here alone: the commands that speak to a running bank answer at once.
  const { createBank } = await import('../bank.js')
  const bank = await createBank(options, quiet ? undefined : log, origin)
  await bank.listen()
  terminal.print(welcome(bank, options.data))
  await terminal.untilStopped()
  await bank.close()
}

export function startCommand(program: Command, terminal: Terminal): void {
  const command = program.command('start').description('start the bank')
  settingFlags(command).action(() => start(settingsOf(command), terminal))
}
