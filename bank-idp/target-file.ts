import type { BankContext } from './context.js'
import { files } from './keys/data-directory.js'
import type { People } from './people.js'
import { yamlText } from './yaml-text.js'

/** How a person gets through our pages: CSS selectors of the forms, their fields and their buttons. */
export const loginPages = {
  'sign-in': {
    when: 'form#sign-in',
    fill: { 'input[name=login]': '{login}', 'input[name=password]': '{password}' },
    actions: { submit: 'button[value=sign-in]', decline: 'button[value=decline]' },
  },
  'log-out': {
    when: 'form#log-out',
    fill: {},
    actions: { submit: 'button[value=log-out]' },
  },
  'second-factor': {
    when: 'form#second-factor',
    fill: {},
    actions: { submit: 'button[value=confirm]', cancel: 'button[value=cancel]' },
  },
  'device-code': {
    when: 'form#device-code',
    fill: {},
    actions: { submit: 'form#device-code button' },
  },
  'device-confirm': {
    when: 'form#device-confirm',
    fill: {},
    actions: { submit: 'button[name=confirm]', stop: 'button[name=abort]' },
  },
  account: {
    when: 'form#account',
    fill: {},
    actions: { submit: 'button[name=account]', cancel: 'button[value=cancel]' },
  },
  consent: {
    when: 'form#consent',
    fill: {},
    scope: 'input[name=scope][value="{scope}"]',
    actions: { submit: 'button[value=approve]', refuse: 'button[value=refuse]' },
  },
  identify: {
    when: 'form#identify',
    fill: { 'input[name=password]': '{password}' },
    actions: { submit: 'button[value=confirm]', decline: 'button[value=decline]' },
  },
  sign: {
    when: 'form#sign',
    fill: {},
    actions: { submit: 'button[value=authorize]', refuse: 'button[value=refuse]' },
  },
}

/** What cannot be examined at this bank, and why. */
export const notExamined = [
  {
    rules: ['health/outage-told'],
    reason: 'only an outage shows this, and an outage would stop all other rules',
  },
]

/** The people as a target file names them. */
export function targetPeople(people: People) {
  return people.introduced().map(({ login, password, kinds, claims }) => ({ login, password, kinds, claims }))
}

/**
 * The target file by which a conformance harness finds its way to this bank: where it is, who the service is, who can log in and how
 * its pages are filled in.
 */
export function targetFile(
  { edition, issuer, idpId }: BankContext['config'],
  people: People,
  controlUrl?: string,
): string {
  const serviceCertificate = { cert: files.serviceCertificate, key: files.serviceCertificateKey }
  const target = {
    edition,
    issuer,
    ca: files.authority,
    idp_id: idpId,
    ...(controlUrl && { control: { url: controlUrl, token_file: files.controlToken } }),
    // It is for one harness alone.
    concurrency: 16,
    service: {
      keys: files.serviceKeys,
      client_certificate: serviceCertificate,
      other_client_certificate: { cert: files.otherCertificate, key: files.otherCertificateKey },
      server: { listen: '127.0.0.1:0', url: 'https://localhost:{port}', ...serviceCertificate },
    },
    people: targetPeople(people),
    login: { pages: loginPages },
    attestations: files.attestations,
    not_examined: notExamined,
  }
  return `# The bank writes this file at each start and at each change of a person, for the conformance harness: conformance run --target <this file>\n${yamlText(target)}`
}
