import { resolve } from 'node:path'
import type { Bank } from '../bank.js'
import { files } from '../keys/data-directory.js'

/** In which form `start` tells that the bank listens. */
export const printForms = ['text', 'json'] as const
export type PrintForm = (typeof printForms)[number]

/** What a script needs of a bank that listens; files by their absolute paths, null for a bank that keeps none. */
export interface Announcement {
  issuer: string
  pid: number
  /** Of the specification. */
  edition: string
  /** Where the two differ from the defaults. */
  readings: Record<string, string>
  faults: readonly string[]
  data: string | null
  /** Certificate of the authority that the bank's own is signed by, in PEM. */
  ca: string
  ca_file: string | null
  /** Target file for the harness. */
  target: string | null
  control: { url: string; token_file: string | null } | null
  /** Address of the metrics. */
  metrics: string | null
  people: { login: string; password: string }[]
}

export function announcement(bank: Bank, data?: string): Announcement {
  const pathOf = (file: string) => (data === undefined ? null : resolve(data, file))
  return {
    issuer: bank.issuer,
    pid: process.pid,
    edition: bank.config.edition,
    readings: { ...bank.config.readings },
    faults: bank.config.faults,
    data: data === undefined ? null : resolve(data),
    ca: bank.identity.authority.cert,
    ca_file: pathOf(files.authority),
    target: pathOf(files.target),
    control: bank.control ? { url: bank.control.url, token_file: pathOf(files.controlToken) } : null,
    metrics: bank.metrics ?? null,
    people: bank.people.introduced().map(({ login, password }) => ({ login, password })),
  }
}

/** Where the bench is. A token that somebody gave is theirs to keep: one that the bank made is told. */
function benchLine({ control, config }: Bank): string[] {
  if (control?.page === undefined) return []
  return config.controlToken === undefined
    ? [`Bench: ${control.page} (keep it to yourself: it has the token)`]
    : [`Bench: ${control.page.replace(/token=.*/, 'token=')}, followed by the token that you gave`]
}

/** The same for a person at a terminal. */
export function welcome(bank: Bank, data?: string): string {
  const people = bank.people.introduced()
  const width = Math.max(...people.map(({ login }) => login.length))
  const readings = Object.entries(bank.config.readings).map((chosen) => chosen.join('='))
  const missingKeys = bank.config.serviceKeys
    ? '\n  (name the private keys of your service there as service.keys: --service-keys replaces the keys that the bank made)'
    : ''
  const ca = data ? `--cacert ${resolve(data, files.authority)} ` : '--insecure '
  return [
    `The bank listens on ${bank.issuer}`,
    `It follows edition ${bank.config.edition} of the specification${readings.length > 0 ? `, with the readings ${readings.join(', ')}` : ''}`,
    '',
    'Who can log in (choose one on the page, or type the login name and its password):',
    ...people.map(
      ({ login, password, reason }) => `  ${login.padEnd(width)}  ${password.padEnd(width + 7)}  ${reason}`,
    ),
    '',
    ...(data ? [`Target file for the harness: ${resolve(data, files.target)}${missingKeys}`] : []),
    ...(bank.control
      ? [
          `Control door: ${bank.control.url} (${data ? 'for bank-idp clock, faults, people and others: bank-idp --help' : 'GET /openapi.json there says what it does'})`,
        ]
      : []),
    ...benchLine(bank),
    ...(bank.metrics ? [`Metrics: ${bank.metrics}`] : []),
    `Try: curl ${ca}${bank.issuer}/.well-known/openid-configuration`,
  ].join('\n')
}
