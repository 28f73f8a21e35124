import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { parse, stringify } from 'yaml'
import { type Bank, createBank } from '../bank-idp/bank.js'
import { files } from '../bank-idp/keys/data-directory.js'
import { selfSigned } from '../conformance/http/self-signed.js'
import { exitCodes } from '../conformance/output.js'
import { command } from '../conformance/testing/command.js'

/** A target file, as deep as the rows below change it. */
interface TargetFile {
  issuer: string
  control: { url: string; token_file: string }
  service: { client_certificate: object; server: object; [member: string]: unknown }
  people: { kinds: string[]; [member: string]: unknown }[]
  login: {
    pages: Record<string, { actions: Record<string, string>; [member: string]: unknown }>
    [member: string]: unknown
  }
  [member: string]: unknown
}

type Change = (file: TargetFile) => object

let directory: string
let bank: Bank

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'mistakes-'))
  bank = await createBank({ data: directory, port: 0, control: true })
  await bank.listen()
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  for (const [name, until] of [
    ['gone', '2020-01-01'],
    ['foreign', '2090-01-01'],
  ] as const) {
    const { cert, key } = await selfSigned(name, { notBefore: new Date('2019-01-01'), notAfter: new Date(until) })
    write(`${name}.pem`, cert)
    write(`${name}-key.pem`, key)
  }
  const { privateKey } = await generateKeyPair('PS512', { extractable: true })
  write(
    'foreign.json',
    JSON.stringify({ keys: [{ ...(await exportJWK(privateKey)), kid: 'o', use: 'sig', alg: 'PS512' }] }),
  )
  write('secret', 'a-secret-of-nobody\n')
})

afterAll(async () => {
  await bank.close()
  rmSync(directory, { recursive: true })
})

const member =
  (name: string, value: unknown): Change =>
  (file) => ({ ...file, [name]: value })
const service =
  (change: object): Change =>
  (file) => ({ ...file, service: { ...file.service, ...change } })
const server =
  (change: object): Change =>
  (file) =>
    service({ server: { ...file.service.server, ...change } })(file)
const login =
  (change: object): Change =>
  (file) => ({ ...file, login: { ...file.login, ...change } })
const page =
  (name: string, change: object | undefined): Change =>
  (file) => {
    const { [name]: own, ...others } = file.login.pages
    return login({ pages: change ? { ...others, [name]: { ...own, ...change } } : others })(file)
  }
/** What stands of the person of kind full. */
const full =
  (change: object): Change =>
  (file) => ({
    ...file,
    people: file.people.map((person) => (person.kinds.includes('full') ? { ...person, ...change } : person)),
  })
const client = (change: object = {}): Change =>
  member('client', {
    client_id: 'nobody',
    client_secret_file: 'secret',
    record: {
      redirect_uris: ['https://localhost:9443/callback'],
      scope: 'openid',
      token_endpoint_auth_method: 'client_secret_post',
    },
    ...change,
  })

/** A command with the file so changed: its exit code, and what it says is wrong, with what it says of the cause and the fix. */
async function told(change: Change, ...args: string[]) {
  const file = join(directory, 'altered.yaml')
  writeFileSync(file, stringify(change(parse(readFileSync(join(directory, files.target), 'utf8')))))
  const { code, out, err } = await command([...args, '--target', file])
  const bad = out.split(/\n(?=\S)/).filter((lines) => lines.startsWith('bad '))
  const plain = (text: string) =>
    text
      .replaceAll(directory, 'DIR')
      .replaceAll(bank.issuer, 'ISSUER')
      .replaceAll(/‹\w+›/g, '‹…›')
      .replaceAll(/localhost:\d{4,}/g, 'localhost:N')
  const said = bad.map((lines) => (lines.split('\n')[0] ?? '').replace(/^bad +(\w+(?: \w+)*) +/, '$1: '))
  return {
    code,
    said: [...(err ? err.split('\n') : []), ...said].map(plain),
    whole: plain([err, ...bad].join('\n')),
    out,
  }
}

const form = 'An https address without query and fragment, as the bank writes it: with a slash at its end or without.'
const again =
  "the bank showed the page again after it was submitted; are the person's login and password right, and does `when` match on one page only?"

/** One mistake each; what doctor says is wrong, and what it names beside it. */
const mistakes: [what: string, change: Change, said: string | RegExp, named?: string][] = [
  [
    'an issuer over http',
    (file) => ({ ...file, issuer: file.issuer.replace('https', 'http') }),
    `target file: issuer is not of the required form: ${form}`,
  ],
  [
    'an issuer with a slash that the bank does not write',
    (file) => ({ ...file, issuer: `${file.issuer}/` }),
    'discovery: the discovery document at ISSUER/ calls the bank ISSUER',
    'write issuer: ISSUER',
  ],
  [
    'an issuer with a path too many',
    (file) => ({ ...file, issuer: `${file.issuer}/idp` }),
    'discovery: there is no discovery document at ISSUER/idp/.well-known/openid-configuration: status 404, application/json',
    'correct issuer',
  ],
  [
    'an issuer by another name',
    (file) => ({ ...file, issuer: file.issuer.replace('localhost', '127.0.0.1') }),
    /^discovery: the discovery document at https:\/\/127\.0\.0\.1:\d+ calls the bank ISSUER$/,
    'write issuer: ISSUER',
  ],
  [
    'a port on which nobody listens',
    member('issuer', 'https://localhost:1'),
    'TCP: localhost:1 refuses the connection',
    'correct the port of issuer',
  ],
  [
    'a name that nobody knows',
    member('issuer', 'https://bank.invalid'),
    /^name: bank\.invalid cannot be resolved \(\w+\)$/,
    'misspelled in issuer',
  ],
  [
    'no authority',
    member('ca', undefined),
    /^TLS: the bank's certificate is not trusted \(\w+\); its issuer is bank-idp local CA/,
    '`ca` in the target file',
  ],
  [
    'another authority',
    member('ca', 'foreign.pem'),
    /^TLS: the bank's certificate is not trusted \(\w+\); its issuer is bank-idp local CA/,
    '`ca` in the target file',
  ],
  ['an authority that is none', member('ca', 'secret'), 'target file: ca: the file contains no PEM certificate'],
  [
    'an authority in a file that is not there',
    member('ca', 'nowhere'),
    'target file: ca: the file DIR/nowhere does not exist',
  ],
  [
    'an expired client certificate',
    service({ client_certificate: { cert: 'gone.pem', key: 'gone-key.pem' } }),
    /^client certificate: the client certificate of CN=gone expired on Jan +1 /,
    'service.client_certificate',
  ],
  [
    'a client certificate that the bank does not trust',
    service({ client_certificate: { cert: 'foreign.pem', key: 'foreign-key.pem' } }),
    /^client: POST \/register is refused: 401 invalid_token, the bank does not trust the client certificate: /,
    'service.client_certificate',
  ],
  [
    'the key of another certificate',
    service({ client_certificate: { cert: 'foreign.pem', key: 'gone-key.pem' } }),
    'target file: service.client_certificate.key: the key does not belong to the certificate',
  ],
  [
    'the same certificate for somebody else',
    (file) => service({ other_client_certificate: file.service.client_certificate })(file),
    'target file: service.other_client_certificate is the same certificate as service.client_certificate; it has to be of somebody else',
  ],
  [
    'keys that the bank does not know',
    service({ keys: 'foreign.json' }),
    /^client: POST \/register is refused: 401 invalid_token, /,
    'public keys of service.keys',
  ],
  [
    'keys in a file that is not there',
    service({ keys: 'nowhere' }),
    'target file: service.keys: the file DIR/nowhere does not exist',
  ],
  [
    'an address of ours that nobody resolves',
    server({ url: 'https://nowhere.invalid:{port}' }),
    /^our address: the bank did not fetch https:\/\/nowhere\.invalid:/,
    'the name nowhere.invalid of service.server.url cannot be resolved',
  ],
  [
    'an address of ours at another port',
    server({ url: 'https://localhost:1' }),
    /^our address: the bank did not fetch https:\/\/localhost:1\//,
    'cannot resolve or reach service.server.url',
  ],
  [
    'a certificate of ours that the bank does not trust',
    server({ cert: 'foreign.pem', key: 'foreign-key.pem' }),
    /^our address: the bank did not fetch \S+: it connected, but (TLS failed|ended the TLS connection)/,
    'the certificate of service.server',
  ],
  [
    'an address to listen on that is another machine',
    server({ listen: '192.0.2.1:0' }),
    /^target file: service\.server\.listen: cannot listen on 192\.0\.2\.1:0 /,
  ],
  [
    'a wrong password',
    full({ password: 'wrong' }),
    `person: login.pages.sign-in: ${again}`,
    'jana cannot log in with this password',
  ],
  [
    'a wrong name of a person',
    full({ login: 'nobody' }),
    `person: login.pages.sign-in: ${again}`,
    'nobody cannot log in with this password',
  ],
  [
    'a button that declines in the place of the one that leads on',
    page('sign-in', { actions: { submit: 'button[value=decline]' } }),
    'person: the authorization request ended with the error access_denied (User declined the authentication)',
    'correct `submit` of the pages under login.pages',
  ],
  [
    'the same person twice',
    (file) => ({ ...file, people: [...file.people, { ...file.people[0], kinds: ['second'] }] }),
    /^target file: people\.\d+\.login is that of people\.0; a person stands there once, with each of their kinds$/,
  ],
  [
    'the issuer as the address of its own for certificates',
    (file) => ({ ...file, mutual_tls: file.issuer }),
    'target file: mutual_tls is the issuer itself; leave it out, unless the bank asks for client certificates at another address',
  ],
  [
    'boxes of scopes that do not say of which',
    page('consent', { scope: 'input[name=scope]' }),
    'target file: login.pages: on page consent, scope has no {scope}, which stands for the scope that is denied',
  ],
  [
    'a person without a password',
    full({ password: undefined }),
    /^target file: people\.\d+\.password is missing; it can be left out only with login\.by: person$/,
  ],
  [
    'an unknown kind of person',
    full({ kinds: ['full', 'loa-2-only'] }),
    /^names: people\.\d+\.kinds: no rule asks for a person of kind loa-2-only; did you mean loa2-only\?$/,
  ],
  [
    'an unknown claim of a person',
    full({ claims: { givn_name: 'Jana' } }),
    /^names: people\.\d+\.claims\.givn_name: the specification has no claim of this name; did you mean given_name\?$/,
  ],
  [
    'a person of kind full who reaches no loa3',
    (file) => ({
      ...file,
      people: file.people.flatMap((person) => (person.login === 'lenka' ? [{ ...person, kinds: ['full'] }] : [])),
    }),
    /^second factor: the authorization request ended with the error \w+ \(.+\)$/,
    'lenka is of kind full and does not reach loa3',
  ],
  [
    'an unknown page',
    (file) =>
      login({
        pages: Object.fromEntries(
          Object.entries(file.login.pages).map(([name, own]) => [name === 'consent' ? 'consents' : name, own]),
        ),
      })(file),
    'names: login.pages.consents: no rule knows a page of this name; did you mean consent?',
  ],
  [
    'an unknown action',
    (file) => page('consent', { actions: { ...file.login.pages.consent?.actions, refus: 'button' } })(file),
    'names: login.pages.consent.actions.refus: no rule knows an action of this name; did you mean refuse?',
  ],
  [
    'a page of the sign-in that is not described',
    page('sign-in', undefined),
    /^person: login\.pages: no entry recognises the page of GET \/interaction\/\S+, which is a page titled "Sign in · /,
    'login.pages',
  ],
  [
    'a page of the second factor that is not described',
    page('second-factor', undefined),
    /^second factor: login\.pages: no entry recognises the page of GET \/interaction\/\S+, which is a page titled "Confirm it is you · /,
    'login.pages',
  ],
  [
    'a page of the signing flow that is not described',
    page('sign', undefined),
    /^signing flow: login\.pages: no entry recognises the page of GET \/interaction\/\S+, which is a page titled "Conformance doctor asks /,
    'login.pages',
  ],
  [
    'a page of a device that is not described',
    page('device-confirm', undefined),
    /^device: login\.pages: no entry recognises the page of (GET|POST) \/device\S*, which is a page titled /,
    'login.pages',
  ],
  [
    'a selector that recognises no page',
    page('sign-in', { when: 'form#signin' }),
    /^person: login\.pages: no entry recognises the page of GET \/interaction\/\S+, which is a page titled "Sign in · .*forms: form#sign-in with login, password/,
    'another `when` than its own',
  ],
  [
    'a selector that is none',
    page('sign-in', { when: 'form[' }),
    'target file: login.pages: on page sign-in, "form[" is not a CSS selector',
  ],
  [
    'a field that is not there',
    page('sign-in', { fill: { 'input[name=user]': '{login}' } }),
    'person: login.pages.sign-in.fill: nothing on the page matches input[name=user]',
    'correct login.pages.sign-in.fill',
  ],
  [
    'a button that is not there',
    page('sign-in', { actions: { submit: 'button#go' } }),
    'person: login.pages.sign-in.actions.submit: button#go matches neither a button of a form nor a link',
    'correct login.pages.sign-in.actions.submit',
  ],
  [
    'an unknown placeholder',
    page('sign-in', { fill: { input: '{user}' } }),
    'target file: login.pages: on page sign-in, {user} is neither {login} nor {password} nor {code}',
  ],
  [
    'steps without a browser',
    page('sign-in', { steps: [{ click: 'button' }] }),
    'target file: login.pages: on page sign-in, steps need login.by: browser',
  ],
  [
    'a program for codes that is not there',
    (file) =>
      login({ code: ['/nowhere/totp'] })(page('second-factor', { fill: { button: '{code}' } })(file) as TargetFile),
    'second factor: login.code: /nowhere/totp is not there',
  ],
  [
    'no program for codes',
    page('second-factor', { fill: { button: '{code}' } }),
    'target file: login.pages: on page second-factor, {code} needs login.code, which prints the one-time code',
  ],
  [
    'a browser that is not there',
    login({ by: 'browser', browser: '/nowhere/chromium' }),
    'person: login.browser: the program /nowhere/chromium does not exist',
    'correct login.browser',
  ],
  ['an unknown way to log in', login({ by: 'form' }), 'target file: login.by must be one of forms, browser, person.'],
  [
    'an origin with a path',
    login({ origins: ['https://login.bank.example/in'] }),
    'target file: login.origins.0 is not of the required form: An https address without a path.',
  ],
  ['no pages', login({ pages: undefined }), 'target file: login.pages is missing.'],
  [
    'a client that the bank does not know',
    client(),
    'client: POST /token refuses the given client nobody: 400 invalid_client, the client is unknown',
    'client.client_id',
  ],
  [
    'a client whose secret is not told',
    client({ client_secret_file: undefined }),
    'target file: client: client_secret_post needs client_secret_file',
  ],
  [
    'a client without a redirect URI',
    client({ record: { scope: 'openid' } }),
    'target file: client.record.redirect_uris is missing.',
  ],
  [
    'another address for request objects',
    (file) => ({ ...file, signing: { ros: `${file.issuer}/objects` } }),
    'signing flow: POST ISSUER/objects is refused: 404 invalid_request, nothing is served at POST /objects',
    'signing.ros',
  ],
  [
    'a host for request objects that nobody knows',
    member('signing', { ros: 'https://ros.invalid/ros' }),
    /^signing flow: ros\.invalid cannot be resolved \(\w+\)$/,
    'misspelled in signing.ros',
  ],
  [
    'another address to authorize at',
    (file) => ({ ...file, signing: { authorize: `${file.issuer}/person` } }),
    'signing flow: signing.authorize: the bank serves nothing at ISSUER/person (status 404)',
  ],
  [
    'an address of mutual TLS where nobody listens',
    member('mutual_tls', 'https://localhost:1'),
    'client: localhost:1 refuses the connection',
    'correct the port of mutual_tls',
  ],
  [
    'an address of mutual TLS that nobody knows',
    member('mutual_tls', 'https://mtls.invalid'),
    /^client: mtls\.invalid cannot be resolved \(\w+\)$/,
    'misspelled in mutual_tls',
  ],
  [
    'an address of mutual TLS with a path too many',
    (file) => ({ ...file, mutual_tls: `${file.issuer}/mtls` }),
    /^client: POST \/register is refused: 404 /,
    'correct mutual_tls',
  ],
  [
    'an unknown edition',
    member('edition', '9.9'),
    "target file: edition: There is no edition '9.9'. The known ones are: 1.2.",
  ],
  [
    'a control door where nobody listens',
    (file) => ({ ...file, control: { ...file.control, url: 'http://127.0.0.1:1' } }),
    /^target file: control\.url: http:\/\/127\.0\.0\.1:1\/clock does not answer \(.*ECONNREFUSED 127\.0\.0\.1:1\)$/,
  ],
  [
    'a control door with another token',
    (file) => ({ ...file, control: { ...file.control, token_file: 'secret' } }),
    /^target file: control\.url: http:\S+\/clock does not answer with the time as now; is control\.token_file the bank's\?$/,
  ],
  [
    'a control door without its token',
    (file) => ({ ...file, control: { ...file.control, token_file: 'nowhere' } }),
    'target file: control.token_file: the file DIR/nowhere does not exist',
  ],
  [
    'attestations that are not there',
    member('attestations', 'nowhere'),
    'target file: attestations: the file DIR/nowhere does not exist',
  ],
  [
    'a rule that there is not',
    member('not_examined', [{ rules: ['helth/*'], reason: 'none' }]),
    /^names: not_examined\.0\.rules: helth\/\* matches no rule and no requirement of a rule; did you mean health\/\*/,
  ],
  ['an unknown member', member('timeout', 4), /^target file: timeout is not a known member; known are issuer, /],
  [
    'an unknown member further in',
    service({ key: 'service-jwks.json' }),
    /^target file: service\.key is not a known member; known are keys, /,
  ],
  [
    'a value of another type',
    member('concurrency', 'four'),
    'target file: concurrency must be a whole number, but is a string.',
  ],
]

test('a right target file is found to be right', async () => {
  const { code, said, out } = await told((file) => file, 'doctor')
  expect({ code, said }).toEqual({ code: exitCodes.nothingFailed, said: [] })
  expect(out).toContain('No problem was found.')
})

test.each(mistakes)('doctor names %s, and nothing else', async (_, change, said, named = '') => {
  const result = await told(change, 'doctor')
  expect({ code: result.code, said: result.said }).toEqual({
    code: exitCodes.usage,
    said: [typeof said === 'string' ? said : expect.stringMatching(said)],
  })
  expect(result.whole).toContain(named)
})

/** What only a run can be asked, and what it says of some of the same. */
test.each<[what: string, change: Change, only: string, said: string | RegExp]>([
  [
    'a wrong password',
    full({ password: 'wrong' }),
    'authorization/code',
    `the target file: login.pages.sign-in: ${again}`,
  ],
  [
    'an address of mutual TLS where nobody listens',
    member('mutual_tls', 'https://localhost:1'),
    'registration/create',
    'localhost:1 refuses the connection',
  ],
  [
    'a client that the bank does not know',
    client(),
    'authorization/code',
    'POST /token refuses the given client nobody: 400 invalid_client, the client is unknown',
  ],
  [
    'another address for request objects',
    (file) => ({ ...file, signing: { ros: `${file.issuer}/objects` } }),
    'signing/request-object',
    'the target file: signing.ros: the bank serves nothing at ISSUER/objects (status 404)',
  ],
  [
    'another address to authorize at',
    (file) => ({ ...file, signing: { authorize: `${file.issuer}/person` } }),
    'signing/authorize',
    'the target file: signing.authorize: the bank serves nothing at ISSUER/person (status 404)',
  ],
])('run blames the target file, not the bank, for %s', async (_, change, only, said) => {
  const { code, out, whole } = await told(change, 'run', '--only', only, '--out', join(directory, 'report'))
  const plain = `${whole}\n${out.replaceAll(bank.issuer, 'ISSUER')}`
  expect(code).toBe(exitCodes.usage)
  expect(plain).toEqual(typeof said === 'string' ? expect.stringContaining(said) : expect.stringMatching(said))
  expect(plain).not.toMatch(/^fail /m)
})
