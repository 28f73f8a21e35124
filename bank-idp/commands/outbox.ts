import type { Command } from 'commander'
import { control } from '../control/client.js'
import type { OutboxEntry } from '../store/outbox.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

function line({ jti = 'not sent yet', kind, receiver, events, attempts, next, problem }: OutboxEntry): string {
  const state = next === undefined ? 'given up' : `next at ${next}`
  return [
    `${jti.padEnd(36)} ${kind.padEnd(12)} ${events} to ${receiver}, ${attempts} attempts, ${state}`,
    problem ?? [],
  ]
    .flat()
    .join('\n  ')
}

export function outboxCommands(program: Command, { print }: Terminal): void {
  const commands = program.command('outbox').description('logouts and notifications that the bank sends to clients')
  commands
    .command('list')
    .description('list what is not delivered yet, and what was given up')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => {
      const entries = await control<OutboxEntry[]>(data, '/outbox')
      print(entries.length > 0 ? entries.map(line).join('\n') : 'Everything was delivered.')
    })
  commands
    .command('retry')
    .description('send what was given up again')
    .argument('[jti]', 'only this one (default: all)')
    .option(...dataOption)
    .action(async (jti: string | undefined, { data }: DataFlag) => {
      const { events } = await control<{ events: number }>(data, '/outbox', { retry: jti ?? true })
      print(`${events} events will be sent again.`)
    })
}
