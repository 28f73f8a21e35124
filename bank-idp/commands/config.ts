import type { Command } from 'commander'
import { stringify } from 'yaml'
import { configure } from '../config.js'
import { memberOf, names } from '../settings.js'
import { settingFlags, settingsOf } from './settings.js'
import type { Terminal } from './terminal.js'

export function configCommand(program: Command, { print }: Terminal): void {
  const command = program
    .command('config')
    .description('print the settings in force as a configuration file, with the source of each')
  settingFlags(command).action(() => {
    const { settings, origin } = settingsOf(command)
    const { ephemeral = false, quiet = false, ...options } = settings
    const inForce: Record<string, unknown> = { ...configure(options, origin), ephemeral, quiet }
    for (const name of names) {
      const member = memberOf(name)
      const value = inForce[name]
      const source = origin(name) ?? 'default'
      if (value === undefined) print(`# ${member}: not set`)
      else
        print(
          `${stringify({ [member]: value }, { flowCollectionPadding: false, collectionStyle: 'flow' })
            .replace(/^\{|\}\n$/g, '')
            .trim()} # ${source}`,
        )
    }
  })
}
