import type { Command } from 'commander'
import { stringify } from 'yaml'
import { configure } from '../config.js'
import { memberOf, names, type Resolved } from '../settings.js'
import { bankOptions } from './bank-options.js'
import { settingFlags, settingsOf } from './settings.js'
import type { Terminal } from './terminal.js'

export function configCommand(program: Command, { print }: Terminal): void {
  const command = program
    .command('config')
    .description('print the settings in force as a configuration file, with the source of each')
  settingFlags(command).action(() => {
    for (const resolved of settingsOf(command)) tell(resolved, print)
  })
}

function tell(resolved: Resolved, print: Terminal['print']): void {
  const { settings, origin } = resolved
  const { ephemeral = false, quiet = false, print: form, readyFile, controlTokenFile, storeKeyFile } = settings
  const config = configure(bankOptions(resolved), origin)
  const inForce: Record<string, unknown> = {
    ...config,
    control: settings.control ?? config.control,
    ephemeral,
    quiet,
    print: form,
    readyFile,
    controlTokenFile,
    storeKeyFile,
  }
  // What a secret is part of is no setting that could be used again without it.
  const secrets: Record<string, unknown> = {
    clients: config.clients.map((client) => ({ ...client, client_secret: '***' })),
    controlToken: config.controlToken && '***',
    storeKey: config.storeKey && '***',
    store: config.store && withoutPassword(config.store),
  }
  for (const name of names) {
    const member = memberOf(name)
    const source = origin(name) ?? 'default'
    const value = secrets[name] ?? inForce[name]
    const isSecret = secrets[name] !== undefined && (!Array.isArray(value) || value.length > 0)
    if (value === undefined) print(`# ${member}: not set`)
    else print(`${isSecret ? '# ' : ''}${inOneLine({ [member]: value })} # ${source}`)
  }
}

/** @returns undefined where there is none to hide */
function withoutPassword(address: string): string | undefined {
  const url = new URL(address)
  if (url.password === '') return undefined
  url.password = '***'
  return url.href
}

function inOneLine(member: Record<string, unknown>): string {
  return stringify(member, { flowCollectionPadding: false, collectionStyle: 'flow', lineWidth: 0 })
    .replace(/^\{|\}\n$/g, '')
    .trim()
}
