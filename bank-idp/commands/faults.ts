import type { Command } from 'commander'
import { control } from '../control/client.js'
import { type FaultAnswer, faultsAbout } from '../control/operations/faults.js'
import { UsageError } from '../errors.js'
import { nearest } from '../nearest.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

interface SwitchFlags extends DataFlag {
  client?: string
}

/** @param state nothing where no bank was asked for it */
function line({ id, title, breaks }: Pick<FaultAnswer, 'id' | 'title' | 'breaks'>, state = ''): string {
  return `${id.padEnd(38)} ${state}${breaks.join(' ').padEnd(9)} ${title}`
}

function stateOf({ on, clients }: FaultAnswer): string {
  const state = on ? (clients.length > 0 ? `on for ${clients.join(', ')}` : 'on') : 'off'
  return `${state.padEnd(4)} `
}

/** All faults. Loaded where they are asked for alone: the other commands answer at once. */
const faultsKnown = async () => (await import('../bank.js')).knownFaults()

/** Before any is switched: one that nobody knows leaves the others as they are. @throws {UsageError} naming each that is none */
async function checkKnown(ids: readonly string[]): Promise<void> {
  const known = (await faultsKnown()).map(({ id }) => id)
  const problems = ids
    .filter((id) => !known.includes(id))
    .map((id) => {
      const meant = nearest(id, known)
      return `'${id}'${meant === undefined ? '' : ` (did you mean ${meant}?)`}`
    })
  if (problems.length === 0) return
  throw new UsageError(`no fault is called ${problems.join(', ')}, so nothing was switched: see bank-idp faults known`)
}

export function faultCommands(program: Command, { print, fail }: Terminal): void {
  const list = (faults: FaultAnswer[]) => print(faults.map((fault) => line(fault, stateOf(fault))).join('\n'))
  const commands = program
    .command('faults')
    .description('deviations from the specification that can be switched on and off')
  commands
    .command('known')
    .description('list the faults that there are; needs no running bank')
    .argument('[text]', 'those alone in whose id, title or requirements it stands, such as TOK-2 or refresh')
    .action(async (text = '') => {
      const found = faultsAbout(await faultsKnown(), text)
      if (found.length > 0) return print(found.map((fault) => line(fault)).join('\n'))
      print(`no fault has '${text}' in its id, its title or its requirements`)
      fail()
    })
  commands
    .command('list')
    .description('list the faults that are on at the running bank')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => {
      const on = (await control<FaultAnswer[]>(data, '/faults')).filter((fault) => fault.on)
      if (on.length > 0) list(on)
      else print('no fault is on')
    })
  const turn = async (ids: string[], on: boolean, { data, client }: SwitchFlags) => {
    await checkKnown(ids)
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
