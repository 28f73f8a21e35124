import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { legible } from '../schemas/legible.js'
import { packageFile } from '../schemas/package-file.js'
import { auditCommands } from './commands/audit.js'
import { clockCommands } from './commands/clock.js'
import { configCommand } from './commands/config.js'
import { deviceCommands } from './commands/devices.js'
import { faultCommands } from './commands/faults.js'
import { keyCommands } from './commands/keys.js'
import { outageCommands } from './commands/outages.js'
import { outboxCommands } from './commands/outbox.js'
import { outcomeCommands } from './commands/outcomes.js'
import { peopleCommands } from './commands/people.js'
import { startCommand } from './commands/start.js'
import { statsCommand } from './commands/stats.js'
import type { Terminal } from './commands/terminal.js'
import { waitCommand } from './commands/wait.js'
import { UsageError } from './errors.js'

const { version } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { version: string }

/** What a command that did its work ends with. */
let exitStatus = 0

/** A text of the bank's own has no carriage return: one lets what follows stand in the place of what came before. */
const forPerson = (text: string) => legible(text).replaceAll('\r', '[U+000D]')

const terminal: Terminal = {
  print: (text) => console.log(forPerson(text)),
  write: (text) => console.log(text),
  error: (text) => console.error(forPerson(text)),
  fail: () => {
    exitStatus = 1
  },
  untilStopped: () => Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]).then(() => {}),
}

const program = new Command('bank-idp')
  .description('A reference bank identity provider.')
  .version(version)
  .exitOverride()
startCommand(program, terminal)
waitCommand(program, terminal)
configCommand(program, terminal)
clockCommands(program, terminal)
faultCommands(program, terminal)
outcomeCommands(program, terminal)
auditCommands(program, terminal)
outboxCommands(program, terminal)
statsCommand(program, terminal)
keyCommands(program, terminal)
outageCommands(program, terminal)
peopleCommands(program, terminal)
deviceCommands(program, terminal)

/** Bad use is told in a line and ends with 2; anything else is ours to fix. */
function exitCode(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UsageError) {
    terminal.error(`bank-idp: ${error.message}`)
    return 2
  }
  terminal.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
  return 1
}

// Without await, which no file of CommonJS has at its top.
program
  .parseAsync()
  .then(() => exitStatus, exitCode)
  .then((code) => {
    process.exitCode = code
  })
