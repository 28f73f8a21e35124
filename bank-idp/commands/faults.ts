import type { Command } from 'commander'
import { control } from '../control/client.js'
import type { FaultAnswer } from '../control/faults.js'
import { faults as known } from '../faults/index.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

function line({ id, title, breaks, on, clients }: FaultAnswer): string {
  const state = on ? (clients.length > 0 ? `on for ${clients.join(', ')}` : 'on') : 'off'
  return `${id.padEnd(38)} ${state.padEnd(4)} ${breaks.join(' ').padEnd(9)} ${title}`
}

export function faultCommands(program: Command, { print }: Terminal): void {
  const list = (faults: FaultAnswer[]) => print(faults.map(line).join('\n'))
  const commands = program.command('faults').description('deviations from the specification, to be switched on and off')
  commands
    .command('known')
    .description('list the faults there are; needs no running bank')
    .action(() => list(known.map(({ id, title, breaks }) => ({ id, title, breaks, on: false, clients: [] }))))
  commands
    .command('list')
    .description('list the faults and which are on')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => list(await control<FaultAnswer[]>(data, '/faults')))
  for (const [name, on] of [
    ['on', true],
    ['off', false],
  ] as const) {
    commands
      .command(name)
      .description(`switch a fault ${name}`)
      .argument('<id>')
      .option('--client <client_id>', 'for this application alone')
      .option(...dataOption)
      .action(async (id: string, { data, client }: DataFlag & { client?: string }) => {
        const faults = await control<FaultAnswer[]>(data, '/faults', { id, on, client })
        list(faults.filter((one) => one.id === id))
      })
  }
}
