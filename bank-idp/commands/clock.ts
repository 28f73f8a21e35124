import type { Command } from 'commander'
import { control } from '../control/client.js'
import type { ClockAnswer } from '../control/clock.js'
import { type DataFlag, dataOption, duration } from './options.js'
import type { Terminal } from './terminal.js'

export function clockCommands(program: Command, { print }: Terminal): void {
  const tell = ({ now, offset_seconds }: ClockAnswer) => print(`${now} (${offset_seconds} s ahead of the machine)`)
  const clock = program.command('clock').description("the bank's clock")
  clock
    .command('show')
    .description('show the time')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => tell(await control<ClockAnswer>(data, '/clock')))
  clock
    .command('advance')
    .description('move the time forward')
    .argument('<duration>', 'such as 90s, 15m, 2h, 30d or 1y; a bare number is seconds', duration)
    .option(...dataOption)
    .action(async (seconds: number, { data }: DataFlag) => {
      tell(await control<ClockAnswer>(data, '/clock', { advance_seconds: seconds }))
    })
}
