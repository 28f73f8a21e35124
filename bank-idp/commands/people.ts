import { type Command, Option } from 'commander'
import { stringify } from 'yaml'
import { callbackMessages } from '../callback-messages.js'
import { control } from '../control/client.js'
import type { PersonAnswer, PersonEntry } from '../control/operations/people.js'
import { UsageError } from '../errors.js'
import type { NextLogin } from '../next-logins.js'
import { type DataFlag, dataOption } from './options.js'
import type { Terminal } from './terminal.js'

interface CreateFlags extends DataFlag {
  like?: string
  password?: string
}

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
  people
    .command('create')
    .description('make a person who can log in')
    .argument('<login>', 'lower-case letters, digits and hyphens')
    .argument('[claim=value...]', 'such as email=new@example.org, as of people set')
    .option('--like <login>', 'whose claims and level they have, as far as nothing else is said')
    .option('--password <password>', 'default: the login name and -secret')
    .option(...dataOption)
    .action(async (login: string, given: string[], { data, like, password }: CreateFlags) => {
      const claims = Object.fromEntries(given.map(claimOf))
      const made = await control<PersonAnswer>(data, '/people', { login, claims, like, password })
      print(`${made.login} can log in, with the password ${made.password}`)
    })
  people
    .command('delete')
    .description('remove a person, and end all their logins and tokens')
    .argument('<login>')
    .option(...dataOption)
    .action(async (login: string, { data }: DataFlag) => {
      await control<object>(data, `/people/${encodeURIComponent(login)}/delete`, {})
      print(`nobody has the login name ${login} any more`)
    })
  people
    .command('next')
    .description(
      'have the next login of a person tell other claims, or end without a code; with neither, as all others',
    )
    .argument('<login>')
    .argument('[claim=value...]', 'as of people set')
    .addOption(new Option('--outcome <outcome>', 'how it ends').choices(Object.keys(callbackMessages)))
    .option(...dataOption)
    .action(async (login: string, given: string[], { data, outcome }: DataFlag & { outcome?: string }) => {
      const claims = given.length > 0 ? Object.fromEntries(given.map(claimOf)) : undefined
      const path = `/people/${encodeURIComponent(login)}/next-login`
      const next = await control<NextLogin>(data, path, { claims, outcome })
      const differs = [
        ...(next.claims ? [`tells ${JSON.stringify(next.claims)}`] : []),
        ...(next.outcome ? [`ends as ${next.outcome}`] : []),
      ]
      print(`the next login of ${login} ${differs.join(' and ') || 'is as all others'}`)
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
        print(
          blocked
            ? `${login} is blocked: the logins and tokens of ${login} ended, and there are no others until people unblock ${login}`
            : `${login} is not blocked, and may log in`,
        )
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
