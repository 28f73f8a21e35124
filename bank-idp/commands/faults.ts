import type { Command } from 'commander'
import { knownFaults } from '../bank.js'
import { control } from '../control/client.js'
import type { FaultAnswer } from '../control/operations/faults.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

interface SwitchFlags extends DataFlag {
  client?: string
}

function line({ id, title, breaks, on, clients }: FaultAnswer): string {
  const state = on ? (clients.length > 0 ? `on for ${clients.join(', ')}` : 'on') : 'off'
  return `${id.padEnd(38)} ${state.padEnd(4)} ${breaks.join(' ').padEnd(9)} ${title}`
}

export function faultCommands(program: Command, { print }: Terminal): void {
  const list = (faults: FaultAnswer[]) => print(faults.map(line).join('\n'))
  const commands = program
    .command('faults')
    .description('deviations from the specification that can be switched on and off')
  commands
    .command('known')
    .description('list all faults; needs no running bank')
    .action(() => list(knownFaults.map(({ id, title, breaks }) => ({ id, title, breaks, on: false, clients: [] }))))
  commands
    .command('list')
    .description('list all faults, and which are on at the running bank')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => list(await control<FaultAnswer[]>(data, '/faults')))
  const turn = async (ids: string[], on: boolean, { data, client }: SwitchFlags) => {
    for (const id of ids) await control<FaultAnswer[]>(data, '/faults', { id, on, client })
    const faults = await control<FaultAnswer[]>(data, '/faults')
    list(faults.filter(({ id }) => ids.includes(id)))
  }
  commands
    .command('on')
    .description('switch faults on')
    .argument('<id...>')
    .option('--client <client_id>', 'for this client only')
    .option(...dataOption)
    .action((ids: string[], flags: SwitchFlags) => turn(ids, true, flags))
  commands
    .command('off')
    .description('switch faults off: those named, or all')
    .argument('[id...]')
    .option('--client <client_id>', 'for this client only')
    .option(...dataOption)
    .action(async (named: string[], flags: SwitchFlags) => {
      const known = named.length > 0 ? [] : await control<FaultAnswer[]>(flags.data, '/faults')
      const ids = named.length > 0 ? named : known.filter(({ on }) => on).map(({ id }) => id)
      if (ids.length === 0) print('no fault was on')
      else await turn(ids, false, flags)
    })
}
