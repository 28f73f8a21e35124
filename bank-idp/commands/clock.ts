import type { Command } from 'commander'
import { control } from '../control/client.js'
import type { ClockAnswer, ClockChange } from '../control/operations/clock.js'
import { type DataFlag, dataOption, duration } from './options.js'
import type { Terminal } from './terminal.js'

export function clockCommands(program: Command, { print }: Terminal): void {
  const tell = (what: string, { now, offset_seconds, frozen }: ClockAnswer) => {
    const seconds = Math.abs(Math.round(offset_seconds))
    const where =
      seconds === 0 ? 'that of the machine' : `${seconds} s ${offset_seconds < 0 ? 'behind' : 'ahead of'} the machine's`
    print(`${what}The bank's time is ${now}, ${where}${frozen ? ', and stands still' : ''}.`)
  }
  const change = async (what: string, { data }: DataFlag, body: ClockChange) =>
    tell(`${what} `, await control<ClockAnswer>(data, '/clock', body))
  const clock = program.command('clock').description("the bank's clock, which is that of its whole process")
  clock
    .command('show')
    .description('show the time')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => tell('', await control<ClockAnswer>(data, '/clock')))
  clock
    .command('advance')
    .description("move the time of the bank's whole process forward")
    .argument('<duration>', 'such as 90s, 15m, 2h, 30d or 1y; a bare number is seconds', duration)
    .option(...dataOption)
    .action((seconds: number, flags: DataFlag) =>
      change(`Moved forward by ${seconds} s.`, flags, { advance_seconds: seconds }),
    )
  clock
    .command('back')
    .description("move the time of the bank's whole process back: what was issued since then lies in the future")
    .argument('<duration>', 'such as 15m; a bare number is seconds', duration)
    .option(...dataOption)
    .action((seconds: number, flags: DataFlag) =>
      change(`Moved back by ${seconds} s.`, flags, { back_seconds: seconds }),
    )
  clock
    .command('set')
    .description("set the time of the bank's whole process, forward or back")
    .argument('<time>', 'such as 2030-01-31T12:00:00Z')
    .option(...dataOption)
    .action((set: string, flags: DataFlag) => change('Set.', flags, { set }))
  for (const [name, frozen, description, what] of [
    ['freeze', true, "have the time of the bank's whole process stand still", 'Stopped.'],
    ['run', false, "have the time of the bank's whole process go on from where it stands", 'Going on.'],
  ] as const) {
    clock
      .command(name)
      .description(description)
      .option(...dataOption)
      .action((flags: DataFlag) => change(what, flags, { frozen }))
  }
  clock
    .command('reset')
    .description("give the bank's whole process the machine's time back")
    .option(...dataOption)
    .action((flags: DataFlag) => change('Given back.', flags, { reset: true }))
}
