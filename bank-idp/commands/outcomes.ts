import { Argument, type Command } from 'commander'
import { callbackMessages, type LoginOutcome } from '../callback-messages.js'
import { control } from '../control/client.js'
import type { OutcomeAnswer } from '../control/operations/outcomes.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

function line({ client, outcome }: OutcomeAnswer): string {
  const { code, message } = callbackMessages[outcome]
  return `${client}  ${outcome}: ${code} '${message}'`
}

export function outcomeCommands(program: Command, { print }: Terminal): void {
  const list = (outcomes: OutcomeAnswer[]) => print(outcomes.map(line).join('\n') || 'no outcome is set')
  const commands = program.command('outcomes').description('set how the next login of a client ends, whoever signs in')
  commands
    .command('list')
    .description('list the outcomes that are set and not used yet')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => list(await control<OutcomeAnswer[]>(data, '/outcomes')))
  commands
    .command('set')
    .description('make the next login of a client end without a code')
    .argument('<client_id>')
    .addArgument(new Argument('<outcome>').choices(Object.keys(callbackMessages)))
    .option(...dataOption)
    .action(async (client: string, outcome: LoginOutcome, { data }: DataFlag) => {
      list(await control<OutcomeAnswer[]>(data, '/outcomes', { client, outcome }))
    })
  commands
    .command('unset')
    .description('remove the outcome that is set for a client')
    .argument('<client_id>')
    .option(...dataOption)
    .action(async (client: string, { data }: DataFlag) => {
      list(await control<OutcomeAnswer[]>(data, '/outcomes', { client, outcome: null }))
    })
}
