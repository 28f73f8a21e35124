import { Argument, type Command } from 'commander'
import { control } from '../control/client.js'
import { callbackMessages, type Ending } from '../provider/callback-messages.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

interface EndingAnswer {
  client: string
  ending: Ending
}

function line({ client, ending }: EndingAnswer): string {
  const { code, message } = callbackMessages[ending]
  return `${client}  ${ending}: ${code} '${message}'`
}

export function endingCommands(program: Command, { print }: Terminal): void {
  const list = (endings: EndingAnswer[]) => print(endings.map(line).join('\n') || 'every login ends as its person does')
  const commands = program.command('endings').description('how the next login of an application ends, whoever signs in')
  commands
    .command('list')
    .description('list what is set and not spent yet')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => list(await control<EndingAnswer[]>(data, '/endings')))
  commands
    .command('set')
    .description('have the next login of an application end without a code')
    .argument('<client_id>')
    .addArgument(new Argument('<ending>').choices(Object.keys(callbackMessages)))
    .option(...dataOption)
    .action(async (client: string, ending: Ending, { data }: DataFlag) => {
      list(await control<EndingAnswer[]>(data, '/endings', { client, ending }))
    })
  commands
    .command('unset')
    .description('have it end as its person does after all')
    .argument('<client_id>')
    .option(...dataOption)
    .action(async (client: string, { data }: DataFlag) => {
      list(await control<EndingAnswer[]>(data, '/endings', { client, ending: null }))
    })
}
