import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { editions } from '../schemas/editions/index.js'
import type { BankOptions } from './config.js'
import { secondsOf } from './duration.js'
import { UsageError } from './errors.js'
import { defaultLimits } from './limits.js'
import { didYouMean } from './nearest.js'
import { choiceOf } from './policy.js'

/** What a person can set at the command line, in the environment or in a file: the bank's options, and how the command behaves. */
export interface Settings extends BankOptions {
  /** Keep nothing: the bank lives in memory. */
  ephemeral?: boolean
  /** No log lines. */
  quiet?: boolean
  /** Form in which it is told that the bank listens: text or json. */
  print?: string
  /** Path of a file that is there while the bank listens. */
  readyFile?: string
  /** File of {@link BankOptions.controlToken}. */
  controlTokenFile?: string
  /** File of {@link BankOptions.storeKey}. */
  storeKeyFile?: string
}

type Name = Exclude<keyof Settings, 'outages' | 'bench'>

/** How the text of a value is read. */
type FlatKind =
  | 'text'
  | 'secret'
  | 'switch or place'
  | 'number'
  | 'duration'
  | 'boolean'
  | 'list'
  | 'numbers by name'
  | 'readings by ambiguity'

/** What has a structure is given in the file alone, and taken as it is there. */
type Kind = FlatKind | 'structure'

interface Setting {
  kind: Kind
  /** The flag without its dashes, where it is not the name; a list's flag is given once for each element. */
  flag?: string
  /** What stands for the value in the help. */
  value: string
  describe: string
}

/** Everything that can be set, by the name it has in a configuration file written in camelCase here. */
export const settings: Record<Name, Setting> = {
  port: { kind: 'number', value: 'number', describe: 'port to listen on, 0 for any free one' },
  host: { kind: 'text', value: 'address', describe: 'interface to listen on' },
  data: { kind: 'text', value: 'directory', describe: 'data directory of the bank' },
  store: {
    kind: 'text',
    value: 'url',
    describe:
      'PostgreSQL database in place of a file of the data directory: postgres://user:password@host:5432/database (who lists processes sees a flag: give a password in the environment)',
  },
  storeKey: {
    kind: 'secret',
    value: 'key',
    describe: 'the key of the secrets in the store, 43 characters of base64url (in the environment alone)',
  },
  storeKeyFile: {
    kind: 'text',
    value: 'file',
    describe: 'file of the key of the secrets in the store (default: one is made, and kept in the data directory)',
  },
  replica: {
    kind: 'text',
    value: 'name',
    describe: 'name of this process among those that use the store (default: host name and process id)',
  },
  ephemeral: { kind: 'boolean', value: 'boolean', describe: 'keep everything in memory' },
  headless: {
    kind: 'boolean',
    value: 'boolean',
    describe: 'for tests: at /auth, whom login_hint names signs in and consents without a page',
  },
  public: {
    kind: 'boolean',
    value: 'boolean',
    describe:
      'others reach the bank: its control door is shut, so nobody rules it or mints tokens, and may not be asked for',
  },
  issuer: { kind: 'text', value: 'url', describe: "the bank's address, if it differs from the one it listens on" },
  people: {
    kind: 'text',
    value: 'directory',
    describe: 'directory of people of your own, in addition to the bundled ones',
  },
  clients: {
    kind: 'structure',
    value: 'list',
    describe: 'clients that are there from the start (in the file alone)',
  },
  morePeople: {
    kind: 'structure',
    value: 'list',
    describe: 'people who are there from the start, beside those of the files (in the file alone)',
  },
  outcomes: {
    kind: 'structure',
    value: 'outcomes by client_id',
    describe: 'how the next login of a client ends (in the file alone)',
  },
  faults: { kind: 'list', flag: 'fault', value: 'id', describe: 'switch a fault on (see: bank-idp faults known)' },
  edition: { kind: 'text', value: 'id', describe: `edition of the specification, one of: ${editions.join(', ')}` },
  readings: {
    kind: 'readings by ambiguity',
    flag: 'reading',
    value: 'ambiguity=reading',
    describe: `take another reading of an ambiguity, such as ${choiceOf('registrationStatus', 'created')}`,
  },
  lifetimes: {
    kind: 'numbers by name',
    flag: 'lifetime',
    value: 'token=seconds',
    describe: 'lifetime of a token, such as AccessToken=7200',
  },
  limits: {
    kind: 'numbers by name',
    flag: 'limit',
    value: 'name=number',
    describe: `how much the bank takes, such as passwordTries=0 (no brake); one of: ${Object.keys(defaultLimits).join(', ')}`,
  },
  trustedProxies: {
    kind: 'list',
    flag: 'trusted-proxy',
    value: 'address',
    describe:
      "reverse proxy that ends TLS, and sends the client's certificate in Client-Cert and the client's address in X-Forwarded-For",
  },
  auditRetentionDays: { kind: 'number', value: 'days', describe: 'how long entries of the audit log are kept' },
  keyLifetimeDays: { kind: 'number', value: 'days', describe: 'age at which a key is replaced by a new one' },
  serviceKeys: {
    kind: 'text',
    value: 'address',
    describe: "the service's key set: an https address or a file (default: the keys made at the first start)",
  },
  serviceAuthorities: {
    kind: 'list',
    flag: 'service-authority',
    value: 'file',
    describe: "PEM file of an authority that signs the service's certificates, besides the bank's own",
  },
  service: {
    kind: 'text',
    value: 'url',
    describe: `the service's address, to ask for statistics (and, with ${choiceOf('eventAddress', 'fixed-address')}, for events)`,
  },
  idpId: {
    kind: 'text',
    value: 'id',
    describe: 'the id by which the service knows the bank (default: host and port of its address)',
  },
  retryFor: {
    kind: 'duration',
    value: 'duration',
    describe: 'how long the bank retries an event that does not arrive',
  },
  fetchNetworks: {
    kind: 'list',
    flag: 'fetch-network',
    value: 'network',
    describe: 'networks in which the bank fetches addresses that clients register: loopback, private, public',
  },
  control: {
    kind: 'switch or place',
    value: 'host:port',
    describe: 'open the control door: at the loopback interface, or where it is told',
  },
  controlPort: { kind: 'number', value: 'number', describe: 'port of the control door, 0 for any free one' },
  controlToken: {
    kind: 'secret',
    value: 'token',
    describe: "the control door's token, 16 characters or more (in the environment alone)",
  },
  controlTokenFile: {
    kind: 'text',
    value: 'file',
    describe: "file of the control door's token (default: one is made, and kept in the data directory)",
  },
  benchPage: {
    kind: 'boolean',
    value: 'boolean',
    describe: 'open the bench: a page of the control door that shows requests, clients, people and faults',
  },
  metrics: {
    kind: 'text',
    value: 'host:port',
    describe: 'tell metrics for Prometheus at http://host:port/metrics, to whoever reaches it',
  },
  quiet: { kind: 'boolean', value: 'boolean', describe: 'write no log lines' },
  print: {
    kind: 'text',
    value: 'form',
    describe: 'text, or json: a line for scripts, with address, authority, people and files',
  },
  readyFile: { kind: 'text', value: 'file', describe: 'file that is there while the bank listens, with the same line' },
}

export const names = Object.keys(settings) as Name[]

/** The settings that the environment can give: what has a structure is given in the file alone. */
const flatNames = names.filter((name) => settings[name].kind !== 'structure')

/** The settings that a flag can give as well: whoever lists the processes of a machine sees their flags. */
export const flagNames = flatNames.filter((name) => settings[name].kind !== 'secret')

/** The name in kebab-case, as a flag. */
export function flagOf(name: Name): string {
  return settings[name].flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The name in snake_case, as in a configuration file. */
export function memberOf(name: Name): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The name as in the environment. */
function variableOf(name: Name): string {
  return `BANK_IDP_${memberOf(name).toUpperCase()}`
}

/** Where settings come from, the first before the others. */
export interface Sources {
  /** By name, the texts given to each flag. */
  flags: Partial<Record<Name, string[]>>
  environment: Record<string, string | undefined>
  /** Path of a YAML file. */
  file?: string
}

export interface Resolved {
  settings: Settings
  /** How the person named each setting that was given, such as `--port`; undefined for a default. */
  origin(name: string): string | undefined
}

const configVariable = 'BANK_IDP_CONFIG'

/**
 * Puts settings together: a flag wins over the environment, the environment over the file, the file over the default.
 *
 * @param defaults in place of those of the bank
 * @throws {UsageError} naming each setting that does not exist or cannot be read, where it was given and what to give instead
 */
export function resolveSettings({ flags, environment, file }: Sources, defaults: Settings = {}): Resolved {
  const path = file ?? environment[configVariable]
  const inFile = path === undefined ? {} : readFile(path)
  const origins = new Map<string, string>()
  const problems = unknownNames(environment, inFile, path)
  const resolved: Record<string, unknown> = { ...defaults }
  for (const name of names) {
    if (settings[name].kind !== 'structure' || inFile[memberOf(name)] === undefined) continue
    origins.set(name, `${path}: ${memberOf(name)}`)
    resolved[name] = inFile[memberOf(name)]
  }
  for (const name of flatNames) {
    const shape = shapeProblem(name, inFile[memberOf(name)])
    if (shape !== undefined) {
      problems.push(`${path}: ${memberOf(name)}${shape}`)
      continue
    }
    const candidates: [string, string[] | undefined][] = [
      [`--${flagOf(name)}`, flags[name]],
      [variableOf(name), asTexts(environment[variableOf(name)])],
      [`${path}: ${memberOf(name)}`, settings[name].kind === 'secret' ? undefined : asTexts(inFile[memberOf(name)])],
    ]
    const [origin, texts] = candidates.find(([, given]) => given !== undefined) ?? []
    if (origin === undefined || texts === undefined) continue
    origins.set(name, origin)
    try {
      resolved[name] = readers[settings[name].kind as FlatKind](texts)
    } catch (error) {
      problems.push(`${origin}: ${(error as Error).message}`)
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return { settings: resolved as Settings, origin: (name) => origins.get(name) }
}

function readFile(path: string): Record<string, unknown> {
  try {
    const content: unknown = parse(readFileSync(path, 'utf8'), { logLevel: 'error' }) ?? {}
    if (typeof content === 'object' && !Array.isArray(content)) return content as Record<string, unknown>
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n')
    throw new UsageError(`the configuration file ${path} cannot be read: ${reason.replace(/:$/, '')}`, { cause: error })
  }
  throw new UsageError(`the configuration file ${path} must hold settings as YAML, such as port: 8443`)
}

/** Of a setting that there is not: which one was meant, or all that there are. */
function toldOf(name: string, known: readonly string[]): string {
  return `${name} is not a setting${didYouMean(name, known) || `; the settings are ${known.join(', ')}`}`
}

function unknownNames(environment: Sources['environment'], inFile: Record<string, unknown>, path?: string): string[] {
  const variables = [configVariable, ...flatNames.map(variableOf)]
  const secrets = names.filter((name) => settings[name].kind === 'secret')
  const members = names.filter((name) => !secrets.includes(name)).map(memberOf)
  return [
    ...Object.keys(environment)
      .filter((variable) => variable.startsWith('BANK_IDP_') && !variables.includes(variable))
      .map((variable) => toldOf(variable, variables)),
    ...Object.keys(inFile)
      .filter((member) => !members.includes(member))
      .map((member) => {
        const secret = secrets.find((name) => memberOf(name) === member)
        if (secret === undefined) return `${path}: ${toldOf(member, members)}`
        return `${path}: ${member} is not a setting of a file: give it as ${variableOf(secret)}`
      }),
  ]
}

/** The kinds that have several elements. */
const several: Partial<Record<Kind, { names: boolean; form: string }>> = {
  list: { names: false, form: 'a list' },
  'numbers by name': { names: true, form: 'a number for each name, such as { AccessToken: 7200 }' },
  'readings by ambiguity': { names: true, form: 'a reading for each ambiguity, such as { AMB-15: created }' },
}

/** What is wrong with the shape of a value in a file, after its name: a list in the place of a text, an element that is no text. */
function shapeProblem(name: Name, value: unknown): string | undefined {
  const { kind } = settings[name]
  const { names = false, form = 'one value' } = several[kind] ?? {}
  if (typeof value !== 'object' || value === null) return undefined
  const isList = Array.isArray(value)
  // A list of AMB-15=created is taken as flags are.
  if (isList ? form === 'one value' : !names) {
    const elsewhere = name === 'people' ? ' (people who are described in this file are more_people)' : ''
    return `: give ${form}, not ${isList ? 'a list' : 'an object'}${elsewhere}`
  }
  const wrong = Object.entries(value).find(([, one]) => one === null || typeof one === 'object')
  return wrong && `${isList ? `[${wrong[0]}]` : `.${wrong[0]}`}: give one value`
}

/** A value of a file or of the environment as the texts that flags would have given. */
function asTexts(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== 'object') return [String(value)]
  return Object.entries(value).map(([name, one]) => `${name}=${one}`)
}

const elements = (texts: string[]) => texts.flatMap((text) => text.split(',').map((one) => one.trim())).filter(Boolean)

/** The elements of a list of pairs. @throws Error that shows the form */
function pairs(texts: string[], value: RegExp, form: string): [name: string, value: string][] {
  const pair = new RegExp(`^([^=]+)=(${value.source})$`)
  return elements(texts).map((text) => {
    const [, name, given] = pair.exec(text) ?? []
    if (name === undefined || given === undefined) throw new Error(`'${text}' is not of the form ${form}`)
    return [name, given]
  })
}

function asBoolean(texts: string[]): boolean | undefined {
  const known: Record<string, boolean> = { true: true, yes: true, 1: true, false: false, no: false, 0: false }
  return known[last(texts).toLowerCase()]
}

const last = (texts: string[]) => texts.at(-1) ?? ''

/** How each kind of value is read from texts. @throws Error saying what to give instead */
const readers: Record<FlatKind, (texts: string[]) => unknown> = {
  text(texts) {
    if (last(texts) === '') throw new Error('give a value, or leave it out')
    return last(texts)
  },
  secret: (texts) => last(texts),
  'switch or place'(texts) {
    const text = last(texts)
    const value = text.includes(':') ? text : asBoolean(texts)
    if (value === undefined) {
      const place = /^\d{2,}$/.test(text) ? `127.0.0.1:${text}` : '127.0.0.1:9000'
      throw new Error(`'${text}' is neither true nor false, nor a place such as ${place}`)
    }
    return value
  },
  number(texts) {
    if (!/^\d+$/.test(last(texts))) throw new Error(`'${last(texts)}' is not a whole number`)
    return Number(last(texts))
  },
  duration: (texts) => secondsOf(last(texts)),
  boolean(texts) {
    const value = asBoolean(texts)
    if (value === undefined) throw new Error(`'${last(texts)}' is neither true nor false`)
    return value
  },
  list: elements,
  'numbers by name': (texts) =>
    Object.fromEntries(pairs(texts, /\d+/, 'name=number').map(([name, number]) => [name, Number(number)])),
  'readings by ambiguity': (texts) => Object.fromEntries(pairs(texts, /.+/, 'ambiguity=reading')),
}
