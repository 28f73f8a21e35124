import ipaddr from 'ipaddr.js'
import { type ChosenReadings, defaultEdition, editions } from '../schemas/editions/index.js'
import { checkAgainst, schema } from '../schemas/index.js'
import { isUrl } from '../schemas/is-url.js'
import { hostProblem } from './addresses.js'
import { callbackMessages, isLoginOutcome, type LoginOutcome } from './callback-messages.js'
import { UsageError } from './errors.js'
import { type Lifetimes, lifetimesProblem } from './lifetimes.js'
import { defaultLimits, type Limits, limitsProblem } from './limits.js'
import { type NewPerson, newPersonSchema } from './make-person.js'
import { didYouMean } from './nearest.js'
import { type Network, networks } from './networks.js'
import { type OptionProblem, type Origin, problemsOf, tellProblem } from './option-error.js'
import type { Outage } from './outage.js'
import { choiceOf, readingsProblem, resolvePolicy } from './policy.js'
import { ownReplicaName } from './replica-name.js'
import { storeKeyForm, storeKeyIn } from './store-key.js'

/** A client that is there from the start. Its further members are those of the registration record, by their names on the wire. */
export interface PresetClient {
  client_id: string
  client_secret: string
  redirect_uris: readonly string[]
  [member: string]: unknown
}

/** How a bank is set up. Frozen once validated. */
export interface BankConfig {
  /** The bank's address, <bank_base_url>; an https URL without query, fragment or trailing slash. */
  issuer?: string
  /** Address of the interface to listen on. */
  host: string
  /** 0 takes any free port. */
  port: number
  /** Directory for all that is kept; undefined for a bank that lives in memory. */
  data?: string
  /** What keeps all but keys and certificates, in place of a file of the data directory: postgres://user:password@host:port/database. */
  store?: string
  /** The key of the secrets in the store, 256 bits as base64url; default: one is made, and kept in the data directory. */
  storeKey?: string
  /** The name of this process among those that use the same store. */
  replica: string
  /** Directory of people to add to the bundled ones. */
  people?: string
  /** Clients that are there from the start, whatever was registered. */
  clients: readonly PresetClient[]
  /** People who are there from the start, beside those of the files. */
  morePeople: readonly NewPerson[]
  /** How the next login of a client ends, by client_id. */
  outcomes: Readonly<Record<string, LoginOutcome>>
  /** Ids of faults that are on from the start. */
  faults: readonly string[]
  /** The edition of the specification that the bank follows. */
  edition: string
  /** Readings of the ambiguities that the bank takes, where not the first: {'AMB-15': 'created'}. */
  readings: ChosenReadings
  /** Whether the control door is open, at which interface (that of the loopback unless asked for) and port (0: any free one). */
  control: boolean
  controlHost: string
  controlPort: number
  /** Bearer token of the control door; one is made where none is given, and kept in the data directory. */
  controlToken?: string
  /** Whether the control door has the bench: pages for a browser that show what comes and what there is, with a button for each operation. */
  benchPage: boolean
  /**
   * Whether the bank helps with tests beyond what a bank does: it takes clients whose keys nobody serves, and remembers requests with the
   * secrets in them. It does where the control door is open, and in memory.
   */
  bench: boolean
  /**
   * Whether whom login_hint names at GET /auth signs in, and consents, without a page: for tests, so only where the bank is a
   * {@link BankConfig.bench}, or keeps nothing.
   */
  headless: boolean
  /**
   * Whether others reach the bank. Nothing rules it then, mints its tokens, tells what it was asked or signs people in for them: the control
   * door is shut, and asking for it is a mistake.
   */
  public: boolean
  /** Where metrics are told, to whoever reaches it, as HOST:PORT (port 0: any free one); nowhere when left out. */
  metrics?: string
  /** Days that entries of the audit log are kept. */
  auditRetentionDays: number
  /** The service's key set, which signs RegistrationAuthJWT: an https address or a file. Default: the keys made at the first start. */
  serviceKeys?: string
  /** PEM files of authorities that sign the service's certificates, as a client and as a server, besides the bank's own. */
  serviceAuthorities: readonly string[]
  /** Where the addresses that clients register may lead. */
  fetchNetworks: readonly Network[]
  /**
   * Addresses and networks of reverse proxies that end TLS, and tell the client's certificate in the header Client-Cert (RFC 9440) and its
   * address in X-Forwarded-For.
   */
  trustedProxies: readonly string[]
  /** The service's address, {base_url}: for its statistics, and for events by the other reading of AMB-51. */
  service?: string
  /** By which the service knows the bank at /user-stat-data; host and port of the bank's address when left out. */
  idpId?: string
  /** Seconds for which an event that does not arrive is sent again. */
  retryFor: number
  /** Days after which a key of the bank is replaced by a new one. */
  keyLifetimeDays: number
  /** Outages that are announced from the start. */
  outages: readonly Outage[]
  /** How much the bank takes at once. */
  limits: Limits
  /** Lifetimes of codes and tokens in seconds, where not the least that the specification allows. */
  lifetimes: Partial<Lifetimes>
}

export type BankOptions = {
  [Name in Exclude<keyof BankConfig, 'limits' | 'control' | 'controlHost'>]?: BankConfig[Name] | undefined
} & {
  /** Opens the control door: at the loopback interface, or at `HOST:PORT`. */
  control?: boolean | string | undefined
  /** Those that differ from the defaults. */
  limits?: Partial<Limits> | undefined
}

const loopback = ['127.0.0.1', '::1', 'localhost']

function defaults(options: BankOptions): BankConfig {
  const host = options.host ?? '127.0.0.1'
  // Whoever can reach the door rules the bank: on more than loopback it has to be asked for.
  const control = Boolean(
    options.control ??
      (options.benchPage || (!options.public && loopback.includes(host) && options.data !== undefined)),
  )
  return {
    host,
    port: 0,
    replica: ownReplicaName(),
    clients: [],
    morePeople: [],
    outcomes: {},
    faults: [],
    edition: defaultEdition,
    readings: {},
    control,
    bench: control || (options.data === undefined && !options.public),
    controlHost: '127.0.0.1',
    controlPort: 0,
    headless: false,
    public: false,
    benchPage: false,
    // The limitation period of the civil code for rights in writing: ten years at the longest.
    auditRetentionDays: 3650,
    fetchNetworks: networks,
    serviceAuthorities: [],
    trustedProxies: [],
    retryFor: 86_400,
    keyLifetimeDays: 90,
    outages: [],
    lifetimes: {},
    limits: defaultLimits,
  }
}

/** The check of an option that is judged where it is used. */
const judgedElsewhere = () => undefined

/** What no bank has that others reach, and how it is spoken of. */
const ruling = [
  ['benchPage', 'the bench'],
  ['control', 'the control door'],
  ['controlPort', 'a port of the control door'],
  ['bench', 'what helps with tests (bench)'],
  ['headless', 'logins without a page (headless)'],
] as const satisfies readonly (readonly [keyof BankConfig, string])[]

/** What a check finds: a sentence about the whole value, or problems of places in it. */
type Found = string | undefined | readonly OptionProblem[]

/** What is wrong with a value, by option. There are no other options. */
const checks: {
  [Name in keyof Required<BankConfig>]: (value: NonNullable<BankConfig[Name]>, config: BankConfig) => Found
} = {
  host: judgedElsewhere,
  data: judgedElsewhere,
  store: storeProblem,
  storeKey: (value) => (storeKeyIn(value) ? undefined : storeKeyForm),
  replica: (value) =>
    /^[\w.-]{1,50}$/.test(value) ? undefined : 'give 1 to 50 letters, digits, dots, hyphens and underscores',
  people: judgedElsewhere,
  faults: judgedElsewhere,
  control: judgedElsewhere,
  controlHost: judgedElsewhere,
  metrics: (value) => {
    const place = placeIn(value)
    return place ? portProblem(place.port) : `'${value}' is no interface and port: give them such as 127.0.0.1:9464`
  },
  controlToken: (value) =>
    /^[\w.~+/=-]{16,}$/.test(value)
      ? undefined
      : 'the token needs 16 characters or more, of those that a Bearer token has',
  benchPage: (value, { control }) =>
    value && !control
      ? 'the bench is a page of the control door, which is kept shut: leave one of the two out'
      : undefined,
  bench: judgedElsewhere,
  public: (value, config) => {
    const [, asked] = ruling.find(([name]) => value && Boolean(config[name])) ?? []
    return asked && `others reach the bank, and could rule it by ${asked}: leave one of the two out`
  },
  headless: (value, { bench, data }) =>
    value && !bench && data !== undefined
      ? 'whoever knows a login name is let in: only a bank that keeps nothing, or whose control door is open, does that'
      : undefined,
  serviceKeys: judgedElsewhere,
  serviceAuthorities: judgedElsewhere,
  idpId: judgedElsewhere,
  outages: judgedElsewhere,
  clients: clientsProblems,
  morePeople: peopleProblems,
  outcomes: outcomesProblems,
  port: portProblem,
  controlPort: portProblem,
  issuer: addressProblem,
  service: addressProblem,
  retryFor: (value) => (Number.isInteger(value) && value >= 0 ? undefined : `'${value}' is not a number of seconds`),
  lifetimes: lifetimesProblem,
  limits: limitsProblem,
  auditRetentionDays: (value) =>
    Number.isInteger(value) && value >= 1 ? undefined : `'${value}' is not a period: give whole days, 1 or more`,
  trustedProxies: (value) => {
    const wrong = value.find((network) => !ipaddr.isValid(network) && !ipaddr.isValidCIDR(network))
    return wrong && `'${wrong}' is not an address or network: give one such as 10.0.0.7 or 10.0.0.0/24`
  },
  keyLifetimeDays: (value) =>
    Number.isInteger(value) && value >= 1 && value <= 365
      ? undefined
      : `'${value}' is not a lifetime of a key: give whole days from 1 to 365`,
  edition: editionProblem,
  readings: (readings, { edition }) =>
    editionProblem(edition) === undefined ? readingsProblem({ edition, readings }) : undefined,
  fetchNetworks: (value) => {
    const unknown = value.find((network) => !networks.includes(network))
    return unknown && `'${unknown}' is not a network: give one or more of ${networks.join(', ')}`
  },
}

/** Beside the store a bank needs a data directory, for what is on the machine: certificates, the lock, the token of its door. */
function storeProblem(value: string, { data }: BankConfig): string | undefined {
  const { protocol = '', pathname = '' } = URL.canParse(value) ? new URL(value) : {}
  if (!['postgres:', 'postgresql:'].includes(protocol) || pathname.length < 2)
    return 'give the address of a database of PostgreSQL: postgres://user:password@host:5432/database'
  return data === undefined
    ? 'a bank in memory keeps nothing: give a data directory, which has the certificates'
    : undefined
}

/** What a preset client says: a registration record, which is judged as a registration is, with what the bank would issue. */
function presetClients() {
  const name = { type: 'string', minLength: 1 }
  const { properties } = schema('registration-record')
  return {
    type: 'array',
    items: {
      type: 'object',
      required: ['client_id', 'client_secret', 'redirect_uris'],
      additionalProperties: false,
      properties: { client_id: name, client_secret: name, ...properties },
    },
    uniqueItemProperties: ['client_id'],
  }
}

function clientsProblems(value: readonly PresetClient[]): readonly OptionProblem[] {
  // The schemas are read where there is something to judge.
  if (Array.isArray(value) && value.length === 0) return []
  const described = presetClients()
  return problemsOf(checkAgainst(described, value), Object.keys(described.items.properties))
}

function peopleProblems(value: readonly NewPerson[]): readonly OptionProblem[] {
  if (Array.isArray(value) && value.length === 0) return []
  const item = { type: 'object', additionalProperties: false, ...newPersonSchema }
  return problemsOf(checkAgainst({ type: 'array', items: item }, value), Object.keys(newPersonSchema.properties))
}

function outcomesProblems(value: BankConfig['outcomes']): Found {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'give an outcome for each client, such as { my-app: not-eligible }'
  const known = Object.keys(callbackMessages)
  return Object.entries(value)
    .filter(([, outcome]) => !isLoginOutcome(outcome))
    .map(([client, outcome]) => ({
      place: `.${client}`,
      problem: `'${outcome}' is no outcome${didYouMean(String(outcome), known) || `: give one of ${known.join(', ')}`}`,
    }))
}

function editionProblem(value: string): string | undefined {
  return editions.includes(value)
    ? undefined
    : `there is no edition '${value}' of the specification: the known ones are ${editions.join(', ')}`
}

function addressProblem(value: string): string | undefined {
  if (!isUrl(value)) return `'${value}' is not an address: give an https URL such as https://localhost:8443`
  const { protocol, search, hash, username } = new URL(value)
  if (protocol !== 'https:') return `'${value}' is not https (specification: every endpoint is reached over https)`
  if (search || hash || username) return `'${value}' must not have a user, a query or a fragment`
  if (value.endsWith('/')) return `'${value}' must not end in a slash`
  const host = hostProblem(value)
  return host && `'${value}' ${host}`
}

function portProblem(value: number): string | undefined {
  return Number.isInteger(value) && value >= 0 && value <= 65_535
    ? undefined
    : `'${value}' is not a port: give a number from 0 to 65535`
}

/** A place as HOST:PORT; undefined for what is none. IPv6 addresses stand in brackets (RFC 3986 section 3.2.2). */
export function placeIn(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([^:\s]+)):(\d{1,5})$/i.exec(text) ?? []
  const host = bracketed ?? plain
  return host === undefined ? undefined : { host, port: Number(port) }
}

/** Where the control door is asked to be; empty for what is no place. */
function doorAt(text: string): Pick<BankConfig, 'control' | 'controlHost' | 'controlPort'> | object {
  const place = placeIn(text)
  return place === undefined ? {} : { control: true, controlHost: place.host, controlPort: place.port }
}

/**
 * Fills in the defaults and checks every value.
 *
 * @param origin how the person named an option that was given, such as `--port`
 * @throws {UsageError} naming each bad option and what to give instead
 */
export function configure(options: BankOptions, origin: Origin = () => undefined): Readonly<BankConfig> {
  const { control, ...others } = options
  const door = typeof control === 'string' ? doorAt(control) : control === undefined ? {} : { control }
  const given = Object.fromEntries(Object.entries({ ...others, ...door }).filter(([, value]) => value !== undefined))
  // The port of the door was given as a part of its place.
  const named: Origin = (name) => origin(name) ?? (name in door ? origin('control') : undefined)
  const config: BankConfig = {
    ...defaults(options),
    ...given,
    limits: { ...defaultLimits, ...options.limits },
  }
  const names = Object.keys(checks)
  const problems = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => `option ${name} does not exist${didYouMean(name, names) || `; the options are ${names.join(', ')}`}`)
  if (typeof control === 'string' && !('control' in door)) {
    problems.push(
      `${origin('control') ?? 'option control'}: '${control}' is no interface and port: give them such as 127.0.0.1:9000`,
    )
  }
  for (const [name, check] of Object.entries(checks)) {
    const value = config[name as keyof BankConfig]
    if (value === undefined) continue
    const found = (check as (value: unknown, config: BankConfig) => Found)(value, config) ?? []
    const told = typeof found === 'string' ? [{ place: '', problem: found }] : found
    problems.push(...told.map((one) => tellProblem(name, one, named)))
  }
  const policy = editionProblem(config.edition) === undefined ? resolvePolicy(config) : undefined
  if (policy?.eventAddress === 'fixed-address' && config.service === undefined) {
    const reading = choiceOf('eventAddress', policy.eventAddress)
    problems.push(`reading ${reading} sends events to the service's own address: give it as option service`)
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return Object.freeze(config)
}
