import { stringify } from 'yaml'
import type { HttpResponse } from '../http/http.js'
import { printable } from '../output.js'
import { fillIn } from '../target/load-target.js'
import type { Answers } from './answers.js'

/** Where everything lies, below the directory that is set up. */
export const files = {
  target: 'target.yaml',
  forTheBank: 'FOR-THE-BANK.md',
  ca: 'ca.pem',
  keys: 'service/jwks.json',
  publicKeys: 'service/public-jwks.json',
  certificate: 'service/certificate.pem',
  certificateKey: 'service/certificate-key.pem',
  request: 'service/certificate-request.pem',
  authority: 'service/ca.pem',
  authorityKey: 'service/ca-key.pem',
} as const

const pair = { cert: files.certificate, key: files.certificateKey }

/** A part of the target file, with what there is to say about it. */
function part(comment: string, value: object): string {
  return `${commented(comment)}\n${stringify(value)}`
}

function commented(text: string): string {
  return text
    .split('\n')
    .map((line) => `# ${line}`.trimEnd())
    .join('\n')
}

/** Lists of the discovery document that tell what a bank offers, in words. */
function offered(discovery: HttpResponse): string {
  const lists = [
    'scopes_supported',
    'grant_types_supported',
    'token_endpoint_auth_methods_supported',
    'acr_values_supported',
  ]
  return lists
    .map((name) => {
      const list = discovery.member(name)
      return `${name}: ${Array.isArray(list) ? printable(list.join(' ')) : 'not declared'}`
    })
    .join('\n')
}

/** The target file of a bank: what is known filled in, the rest marked FILL IN or left commented out, each with what it is for. */
export function targetText(answers: Answers, discovery: HttpResponse, edition: string): string {
  const { issuer, ca, authority } = answers
  return [
    `# Describes ${issuer} to the conformance harness: run conformance doctor --target ${files.target}, then conformance run.\n# FILL IN marks what you still have to do. schemas/target.schema.json describes every member.\n`,
    part("The bank's address, as its discovery document calls it.", { issuer }),
    part('The edition of the interface specification by which the bank is examined.', { edition }),
    ca
      ? part("The authorities that sign the bank's TLS certificate.", { ca: files.ca })
      : "# ca: ca.pem    # the authorities of the bank's TLS certificate, if this system does not trust them\n",
    `# The bank declares:\n${commented(offered(discovery))}\n`,
    authority === 'own' ? part(ownService, { service: serviceOf(answers) }) : waitingService(answers),
    '# For a bank with its signing flow at other addresses, or without one:\n# signing: { ros: https://…, authorize: https://… }    # or { offered: false }\n',
    '# For a bank without dynamic registration: a client that is already registered, with its record:\n# client: { client_id: …, keys: client/jwks.json, record: { redirect_uris: […], scope: openid … } }\n',
    people(answers),
    login(answers),
    '# concurrency: 8         # requests side by side\n# timeout_seconds: 10    # for one request\n# event_seconds: 10      # in which the bank posts logout_token and notification_token, more if it sends in batches\n',
  ].join('\n')
}

const ownService = `The federated service that the harness plays: its keys sign RegistrationAuthJWT, it presents its certificate for mutual TLS,
and the bank fetches key sets and posts events at server.url. ${files.forTheBank} says what to configure at the bank.`

function serviceOf({ url, listen }: Answers) {
  return { keys: files.keys, client_certificate: pair, server: { listen, url, ...pair } }
}

/** Until the bank's authority has signed the request there is no certificate to name. */
function waitingService(answers: Answers): string {
  const { keys, ...later } = serviceOf(answers)
  const rest = stringify({ service: later }).split('\n').slice(1).filter(Boolean)
  return `${part(ownService, { service: { keys } })}${[
    `# FILL IN: have ${files.request} signed, put the certificate at ${files.certificate}, and remove the #:`,
    ...rest,
  ]
    .map((line, i) => (i === 0 ? `  ${line}` : `#${line.replace(/^ {2}/, '  ')}`))
    .join('\n')}\n`
}

function people({ person, login: by }: Answers): string {
  const what = `Test persons who can log in. kinds say which rules can use them; full: has everything that the bank offers. docs/your-bank.md
describes the other kinds; \`conformance list --needs person:KIND\` lists the rules that need one.`
  const one = { login: person || fillIn, ...(by !== 'person' && { password: fillIn }), kinds: ['full'] }
  const marked = part(what, { people: [one] }).replaceAll(`${fillIn}\n`, `${fillIn}    # FILL IN\n`)
  return `${marked}    # claims: { given_name: …, birthdate: … }    # what the bank knows of the person, to compare its answers with\n`
}

const pagesWhat = `How to pass the bank's pages, by CSS selectors. \`when\` matches on that page only; in fill, {login}, {password} and {code} stand for the
person's own; submit is the button that continues. Rules look for pages named sign-in and consent. A page that is not described stops
the run, with an error that gives its title, forms and buttons.`

function login({ login: by }: Answers): string {
  if (by === 'person')
    return part('A person signs in by hand: the run prints an address to open.', {
      login: { by, person_seconds: 300, sign_ins: 12 },
    })
  const pages = {
    'sign-in': {
      when: `form#${fillIn}-sign-in`,
      fill: { 'input[name=username]': '{login}', 'input[name=password]': '{password}' },
      actions: { submit: 'button[type=submit]' },
    },
    consent: { when: `form#${fillIn}-consent`, actions: { submit: 'button[value=approve]' } },
  }
  const marked = part(pagesWhat, { login: { by, pages } }).replace(/(FILL-IN-\S+)/g, '$1    # FILL IN')
  const more = [
    '  # code: [oathtool, --totp, -b, SECRET]    # prints the one-time code that {code} stands for',
    '  # origins: [https://login.bank.example]   # further origins that the login passes through',
    ...(by === 'browser' ? ['  # browser: /usr/bin/chromium              # if it is not found automatically'] : []),
  ]
  return `${marked}${more.join('\n')}\n`
}
