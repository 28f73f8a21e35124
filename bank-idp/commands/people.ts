import type { Command } from 'commander'
import { stringify } from 'yaml'
import { control } from '../control/client.js'
import type { PersonAnswer, PersonEntry } from '../control/operations/people.js'
import { UsageError } from '../errors.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

export function peopleCommands(program: Command, { print }: Terminal): void {
  const people = program.command('people').description('the people who can log in')
  people
    .command('list')
    .description('list the people, and what each is an example of')
    .option(...dataOption)
    .action(async ({ data }: DataFlag) => {
      const all = await control<PersonEntry[]>(data, '/people')
      const width = Math.max(...all.map(({ login }) => login.length))
      print(all.map(({ login, kinds, reason }) => `${login.padEnd(width)}  ${kinds.join(' ')}: ${reason}`).join('\n'))
    })
  people
    .command('show')
    .description('show all that the bank knows of a person')
    .argument('<login>')
    .option(...dataOption)
    .action(async (login: string, { data }: DataFlag) => {
      print(stringify(await control<PersonAnswer>(data, `/people/${encodeURIComponent(login)}`)).trimEnd())
    })
  people
    .command('set')
    .description('change what the bank knows of a person, and notify the clients that asked for it')
    .argument('<login>')
    .argument(
      '<claim=value...>',
      'such as email=new@example.org; lists, objects, true and false as JSON; an empty value removes the claim',
    )
    .option(...dataOption)
    .action(async (login: string, changes: string[], { data }: DataFlag) => {
      const claims = Object.fromEntries(changes.map(claimOf))
      const person = await control<PersonAnswer>(data, `/people/${encodeURIComponent(login)}`, { claims })
      const known: Record<string, unknown> = { ...person.claims }
      print(stringify(Object.fromEntries(Object.keys(claims).map((name) => [name, known[name] ?? null]))).trimEnd())
    })
  for (const [name, blocked, description] of [
    ['block', true, 'block a person as a security risk: end all their logins and tokens, and refuse further logins'],
    ['unblock', false, 'allow a person to log in again; ended logins and tokens stay ended'],
  ] as const) {
    people
      .command(name)
      .description(description)
      .argument('<login>')
      .option(...dataOption)
      .action(async (login: string, { data }: DataFlag) => {
        await control<PersonAnswer>(data, `/people/${encodeURIComponent(login)}`, { blocked })
        print(`${login} is ${blocked ? 'blocked' : 'not blocked'}`)
      })
  }
}

function claimOf(change: string): [string, unknown] {
  const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(change) ?? []
  if (name === undefined) throw new UsageError(`'${change}' is not a change: give claim=value`)
  if (value === '') return [name, null]
  if (!/^([[{]|true$|false$)/.test(value)) return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    throw new UsageError(`${name}: '${value}' is not JSON`)
  }
}
