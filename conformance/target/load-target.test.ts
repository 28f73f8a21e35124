import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { certificates } from '../testing/certificates.js'
import { targetDirectory } from '../testing/target-file.js'
import { loadTarget } from './load-target.js'
import { mutualTlsAudience } from './mutual-tls.js'
import { TargetError } from './target-error.js'

const directory = await targetDirectory()
afterAll(() => directory.remove())

const certificate = { cert: 'cert.pem', key: 'key.pem' }
const whole = {
  issuer: 'https://bank.example/idp',
  ca: 'ca.pem',
  control: { url: 'http://127.0.0.1:8444', token_file: 'control.token' },
  service: {
    keys: 'jwks.json',
    client_certificate: certificate,
    certificate_everywhere: true,
    server: { listen: '127.0.0.1:0', url: 'https://localhost:{port}', ...certificate },
  },
  mutual_tls: 'https://mtls.bank.example/idp',
  mutual_tls_audience: 'mutual_tls',
  signing: { ros: 'https://mtls.bank.example/idp/objects', authorize: 'https://bank.example/idp/person' },
  people: [{ login: 'jana', password: 'jana-secret', kinds: ['full'] }],
  login: {
    pages: {
      'sign-in': {
        when: 'form#sign-in',
        fill: { 'input[name=login]': '{login}', '#stay': true },
        actions: { submit: 'button' },
      },
    },
  },
  concurrency: 4,
  timeout_seconds: 2.5,
  event_seconds: 90,
}

const load = (file: unknown) =>
  loadTarget(directory.write('target.yaml', typeof file === 'string' ? file : stringify(file)))

function mistakesIn(file: unknown): readonly string[] {
  try {
    load(file)
  } catch (error) {
    if (error instanceof TargetError) return error.mistakes
    throw error
  }
  return []
}

const withService = (change: object) => ({ ...whole, service: { ...whole.service, ...change } })
const withPage = (change: object) => ({
  ...whole,
  login: { pages: { 'sign-in': { ...whole.login.pages['sign-in'], ...change } } },
})

describe('a target file', () => {
  test('is read with everything it names', async () => {
    const { ca, localhost } = await certificates()
    const { keys, ...target } = load(whole)
    expect(target).toEqual({
      files: { target: join(directory.path, 'target.yaml'), ca: join(directory.path, 'ca.pem') },
      issuer: 'https://bank.example/idp',
      ca,
      mutualTls: whole.mutual_tls,
      mutualTlsAudience: 'mutual_tls',
      signing: whole.signing,
      control: { url: 'http://127.0.0.1:8444', token: 'a-control-token' },
      clientCertificate: localhost,
      certificateEverywhere: true,
      server: { host: '127.0.0.1', port: 0, url: 'https://localhost:{port}', certificate: localhost },
      people: whole.people,
      pages: new Map([['sign-in', whole.login.pages['sign-in']]]),
      concurrency: 4,
      timeoutSeconds: 2.5,
      eventSeconds: 90,
    })
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', d: expect.any(String) })])
  })

  test('needs no more than an issuer', () => {
    expect(load({ issuer: 'https://bank.example' })).toEqual({
      files: { target: join(directory.path, 'target.yaml') },
      issuer: 'https://bank.example',
      people: [],
      pages: new Map(),
      concurrency: 8,
      timeoutSeconds: 10,
    })
  })

  test('names the edition of the specification, one of those there are', () => {
    expect(load({ ...whole, edition: '1.2' }).edition).toBe('1.2')
    expect(mistakesIn({ ...whole, edition: '9.9' })).toEqual([
      "edition: There is no edition '9.9'. The known ones are: 1.2.",
    ])
    expect(mistakesIn(stringify(whole).concat('edition: 1.2\n'))).toEqual([
      'edition has to stand in quotation marks, such as "1.2"',
    ])
  })

  test('takes an IPv6 address to listen on', () => {
    const server = { ...whole.service.server, listen: '[::1]:8445' }
    expect(load(withService({ server })).server).toMatchObject({ host: '::1', port: 8445 })
  })

  test('says by mutual_tls_audience which address is the audience where mutual_tls is called', () => {
    const address = 'https://bank.example/idp/register'
    const { mutual_tls_audience: _, ...without } = whole
    expect(mutualTlsAudience(load(without), address)).toBe(address)
    expect(mutualTlsAudience(load(whole), address)).toBe('https://mtls.bank.example/idp/register')
    const { mutual_tls: __, ...alone } = whole
    expect(mistakesIn(alone)).toEqual([
      'mutual_tls_audience is about the address that mutual_tls names, which is left out',
    ])
  })

  test('with ten mistakes gives ten lines', () => {
    const missing = (name: string) => `the file ${join(directory.path, name)} does not exist`
    const mistakes = mistakesIn({
      issuer: 'http://bank.example',
      ca: 'jwks.json',
      control: { url: 'http://127.0.0.1:8444', token_file: 'nowhere.token' },
      service: {
        keys: 'ca.pem',
        client_certificate: { cert: 'nowhere.pem', key: 'ca.pem' },
        server: { listen: 'localhost', url: 'https://localhost:{port}', ...certificate },
      },
      people: [{ login: 'jana', kinds: ['full'] }],
      login: { pages: { 'sign-in': { when: 'form[', actions: { submit: 'button' } } } },
      concurency: 4,
    })
    expect([...mistakes].sort()).toEqual([
      'ca: the file contains no PEM certificate',
      expect.stringMatching(/^concurency is not a known member; known are /),
      `control.token_file: ${missing('nowhere.token')}`,
      expect.stringMatching(/^issuer is .*An https address without query and fragment, as the bank writes it: /),
      'login.pages: on page sign-in, "form[" is not a CSS selector',
      expect.stringMatching(/^people\.0\.password is missing/),
      `service.client_certificate.cert: ${missing('nowhere.pem')}`,
      'service.client_certificate.key: the file contains no PEM private key without a passphrase',
      'service.keys: the file is not JSON',
      expect.stringMatching(/^service\.server\.listen is .*host:port to listen on/),
    ])
  })

  test.each([
    [
      'that does not exist',
      () => loadTarget(join(directory.path, 'none.yaml')),
      /^the file .*none\.yaml does not exist; conformance init makes one$/,
    ],
    ['that is empty', () => load(''), /^the whole file must be /],
    ['that is a list', () => load('- a'), /^the whole file must be /],
    ['that is no YAML', () => load('issuer: [\nca: x'), /^line \d+: /],
    ['that is a folder', () => loadTarget(directory.path), /^\S+ is a folder; did you mean \S+target\.yaml\?$/],
    ['with many errors of YAML', () => load('a: [\nb: }\n# c\n*\n- :'), /^line \d+: [^\n]*$/],
    ['with a member twice', () => load('issuer: https://a.example\nissuer: https://b.example'), /^line 2: /],
    ['with a query after the issuer', () => load({ issuer: 'https://a.example/?a=b' }), /^issuer is .*without query/],
    [
      'with an unknown placeholder',
      () => load(withPage({ fill: { input: '{pin}' } })),
      /^login\.pages: on page sign-in, \{pin\}/,
    ],
    [
      'without the way on',
      () => load(withPage({ actions: { refuse: 'button' } })),
      /^login\.pages: on page sign-in, actions has no submit$/,
    ],
    [
      'with an impossible port',
      () => load(withService({ server: { ...whole.service.server, listen: 'a:70000' } })),
      /70000$/,
    ],
  ])('%s is refused in one line', (_, work, message) => {
    expect(work).toThrow(TargetError)
    expect(work).toThrow(message)
  })

  test('is refused with the private key of another certificate', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    directory.write('other-key.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' })))
    expect(mistakesIn(withService({ client_certificate: { cert: 'cert.pem', key: 'other-key.pem' } }))).toEqual([
      'service.client_certificate.key: the key does not belong to the certificate',
    ])
  })

  test('gives a client with what it authenticates and decrypts with, or is refused', () => {
    directory.write('client.secret', 'very-secret\n')
    const record = { redirect_uris: ['https://rp.example/cb'], scope: 'openid' }
    const withClient = (client: object) => ({ ...whole, client: { client_id: 'c', ...client } })
    expect(load(withClient({ client_secret_file: 'client.secret', record })).client).toEqual({
      clientId: 'c',
      clientSecret: 'very-secret',
      keys: [],
      record,
    })
    expect(mistakesIn(withClient({ record }))).toEqual(['client: client_secret_basic needs client_secret_file'])
    expect(mistakesIn(withClient({ record: { ...record, token_endpoint_auth_method: 'private_key_jwt' } }))).toEqual([
      'client: private_key_jwt needs keys',
    ])
    const encrypted = { ...record, token_endpoint_auth_method: 'none', userinfo_encrypted_response_alg: 'RSA-OAEP-256' }
    expect(mistakesIn(withClient({ record: encrypted }))).toEqual([
      'client: userinfo_encrypted_response_alg of the record needs keys to decrypt with',
    ])
  })

  test('gives a second client, read as the first is', () => {
    const record = { redirect_uris: ['https://second.example/cb'], scope: 'openid' }
    const withClients = (...clients: object[]) => ({ ...whole, clients })
    directory.write('second.secret', 'very-secret-too\n')
    expect(load(withClients({ client_id: 'd', client_secret_file: 'second.secret', record })).otherClient).toEqual({
      clientId: 'd',
      clientSecret: 'very-secret-too',
      keys: [],
      record,
    })
    expect(mistakesIn(withClients({ client_id: 'd', record }))).toEqual([
      'clients.0: client_secret_basic needs client_secret_file',
    ])
  })

  test.each([
    ['{"keys":[]}', 'service.keys: the set contains no signing key'],
    ['[]', 'service.keys: the file is not a JWK set: {"keys": […]}'],
    ['{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}', 'service.keys: keys[0] is not a private JWK'],
  ])('is refused with the key set %s', (text, message) => {
    directory.write('other.json', text)
    expect(mistakesIn(withService({ keys: 'other.json' }))).toEqual([message])
  })
})
