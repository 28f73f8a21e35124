import { type Command, Option } from 'commander'
import { flagNames, flagOf, type Resolved, resolveSettings, type Settings, settings } from '../settings.js'

/** What a person gets who sets nothing. */
const defaults: Pick<Settings, 'port' | 'data'> = { port: 8443, data: '.data' }

/** Adds a flag for each setting, and --config. */
export function settingFlags(command: Command): Command {
  for (const name of flagNames) {
    const { kind, value, describe } = settings[name]
    const otherwise = name === 'port' || name === 'data' ? ` (default: ${defaults[name]})` : ''
    const flag = flagOf(name)
    if (kind === 'boolean') {
      command.addOption(new Option(`--${flag}`, describe))
      continue
    }
    if (kind === 'switch or place') {
      command.addOption(new Option(`--${flag} [${value}]`, describe))
      command.addOption(new Option(`--no-${flag}`, 'keep the control door shut'))
      continue
    }
    const repeatable = kind === 'list' || kind === 'numbers by name' || kind === 'readings by ambiguity'
    const option = new Option(`--${flag} <${value}>`, repeatable ? `${describe} (repeatable)` : describe + otherwise)
    command.addOption(option.argParser((text: string, before?: string[]) => [...(before ?? []), text]))
  }
  const config = new Option(
    '--config <file>',
    'YAML file of settings, with these names and _ for -; a bank for each (repeatable)',
  )
  return command.addOption(config.argParser((file: string, before?: string[]) => [...(before ?? []), file]))
}

/** The settings of a command, once for each of its files: what its flags say, then the environment, then the file. */
export function settingsOf(command: Command): Resolved[] {
  const given = command.opts<Record<string, string[] | boolean | string | undefined>>()
  const flags = Object.fromEntries(
    flagNames.flatMap((name) => {
      const attribute = flagOf(name).replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase())
      const value = given[attribute]
      if (value === undefined || command.getOptionValueSource(attribute) === 'default') return []
      return [[name, Array.isArray(value) ? value : [String(value)]]]
    }),
  )
  const sources = { flags, environment: process.env }
  if (!Array.isArray(given.config)) return [resolveSettings(sources, defaults)]
  return given.config.map((file) => resolveSettings({ ...sources, file }, defaults))
}
