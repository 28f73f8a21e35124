import { type Command, Option } from 'commander'
import { control } from '../control/client.js'
import type { ClockAnswer } from '../control/operations/clock.js'
import type { OutageAnswer } from '../control/operations/outages.js'
import { subSystemNames } from '../sub-systems.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

const subSystem = () =>
  new Option('--subsystem <name>', 'the part concerned (default: the whole bank)').choices(subSystemNames)

interface StartFlags extends DataFlag {
  subsystem?: string
  from?: string
  until?: string
  reason?: string
}

function line({ part, from, until, reason }: OutageAnswer): string {
  return `${part.padEnd(20)}  from ${from}  until ${until ?? 'further notice'}  ${reason ?? 'without a reason'}`
}

export function outageCommands(program: Command, { print }: Terminal): void {
  const list = (outages: OutageAnswer[]) => print(outages.map(line).join('\n') || 'no outage is announced')
  /** Changes what is announced, and says what came and what went. */
  const change = async (data: string, path: string, body: object) => {
    const { now } = await control<ClockAnswer>(data, '/clock')
    const before = await control<OutageAnswer[]>(data, '/outages')
    const lines = before.map(line)
    const after = (await control<OutageAnswer[]>(data, path, body)).map(line)
    print(
      [
        ...before
          .filter((one) => !after.includes(line(one)))
          .map((one) => `${Date.parse(one.from) > Date.parse(now) ? 'withdrawn' : 'ended    '}  ${line(one)}`),
        ...after.map((one) => `${lines.includes(one) ? 'unchanged' : 'announced'}  ${one}`),
        ...(after.length === 0 ? ['no outage is announced now'] : []),
      ].join('\n'),
    )
  }
  const commands = program.command('outage').description('announced outages of the bank or of a part of it')
  commands
    .command('start')
    .description('announce an outage: the part concerned answers temporarily_unavailable, and /healthcheck reports it')
    .addOption(subSystem())
    .option('--from <time>', 'when the outage begins, such as 2030-01-31T12:00:00Z (default: now)')
    .option('--until <time>', 'when the outage ends, if known')
    .option('--reason <text>', 'the reason, as clients and people see it')
    .option(...dataOption)
    .action(async ({ data, subsystem, ...flags }: StartFlags) => {
      await change(data, '/outages', { part: subsystem, ...flags })
    })
  commands
    .command('end')
    .description('end the current outage, or withdraw the next announced one')
    .addOption(subSystem())
    .option('--from <time>', 'the outage that begins at this time')
    .option(...dataOption)
    .action(async ({ data, subsystem, from }: StartFlags) => {
      await change(data, '/outages/end', { part: subsystem, from })
    })
  commands
    .command('list')
    .description('list the announced outages')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => list(await control<OutageAnswer[]>(data, '/outages')))
}
