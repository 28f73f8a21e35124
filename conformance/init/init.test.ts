import 'reflect-metadata'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Pkcs10CertificateRequest } from '@peculiar/x509'
import { exitCodes, UsageError } from '../output.js'
import { loadTarget } from '../target/load-target.js'
import { bankForTest } from '../testing/banks.js'
import { certificates } from '../testing/certificates.js'
import { command } from '../testing/command.js'
import { html } from '../testing/https-server.js'
import { type Answers, answersFrom, askAt } from './answers.js'

let directory: string

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'init-'))
  writeFileSync(join(directory, 'bank-ca.pem'), (await certificates()).ca)
})

afterEach(() => rmSync(directory, { recursive: true }))

const made = () => join(directory, 'made')
const init = async (issuer: string, ...args: string[]) =>
  command(['init', made(), '--issuer', issuer, '--ca', join(directory, 'bank-ca.pem'), ...args])
const read = (name: string) => readFileSync(join(made(), name), 'utf8')
const mode = (name: string) => (statSync(join(made(), name)).mode & 0o777).toString(8)

describe('conformance init', () => {
  test.each([
    [['--url', 'https://harness.example:9443'], { host: '0.0.0.0', port: 9443 }],
    [['--url', 'https://localhost:9443'], { host: '127.0.0.1', port: 9443 }],
    [['--url', 'https://harness.example'], { host: '127.0.0.1', port: 0 }],
  ])('listens, where nothing else is said, at the port of %j', async (flags, server) => {
    const bank = await bankForTest()
    expect(await init(bank.target.issuer, ...flags)).toMatchObject({ code: exitCodes.nothingFailed })
    expect(loadTarget(join(made(), 'target.yaml'), { draft: true })).toMatchObject({ server })
  })

  test('writes everything that an examination takes, what is private for its owner alone', async () => {
    const bank = await bankForTest()
    const { issuer } = bank.target
    const { code, err, out } = await init(issuer, '--url', 'https://harness.example:9443', '--listen', '0.0.0.0:9443')
    expect({ code, err }).toEqual({ code: exitCodes.nothingFailed, err: '' })
    const target = loadTarget(join(made(), 'target.yaml'), { draft: true })
    expect(target).toMatchObject({
      issuer,
      edition: '1.2',
      keys: [{ alg: 'PS512' }, { alg: 'ES512' }],
      server: { host: '0.0.0.0', port: 9443, url: 'https://harness.example:9443' },
      people: [{ login: 'FILL-IN', password: 'FILL-IN', kinds: ['full'] }],
    })
    expect([...target.pages.keys()]).toEqual(['sign-in', 'consent'])
    const secret = ['target.yaml', 'service/jwks.json', 'service/certificate-key.pem', 'service/ca-key.pem']
    expect(secret.map(mode)).toEqual(['600', '600', '600', '600'])
    expect(mode('service/public-jwks.json')).toBe('644')
    const { keys } = JSON.parse(read('service/public-jwks.json'))
    expect(keys.map((key: object) => Object.keys(key).filter((member) => 'dpq'.includes(member)))).toEqual([[], []])
    const request = new Pkcs10CertificateRequest(read('service/certificate-request.pem'))
    expect(await request.verify()).toBe(true)
    expect(request.toString('text')).toContain('harness.example')
    const instructions = read('FOR-THE-BANK.md')
    for (const words of [
      'service/public-jwks.json',
      'service/ca.pem',
      'https://harness.example:9443',
      `${issuer}/register`,
      'underscores_in_headers on;',
    ])
      expect(instructions).toContain(words)
    expect(instructions).not.toMatch(/bank-idp|bundled/)
    expect(read('target.yaml')).toContain('scopes_supported: openid profile.name profile.email')
    expect(out).toContain(`conformance doctor --target ${made()}/target.yaml`)
  })

  test('writes the edition that is named, and lists the known ones where it is unknown', async () => {
    const bank = await bankForTest()
    expect(await init(bank.target.issuer, '--edition', '9.9')).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining('Allowed choices are 1.2'),
    })
    expect(existsSync(made())).toBe(false)
    expect((await init(bank.target.issuer, '--edition', '1.2')).code).toBe(exitCodes.nothingFailed)
    expect(loadTarget(join(made(), 'target.yaml'), { draft: true }).edition).toBe('1.2')
  })

  test('overwrites nothing unless it is told to', async () => {
    const bank = await bankForTest()
    await init(bank.target.issuer)
    const before = read('service/jwks.json')
    expect(read('FOR-THE-BANK.md')).toContain(
      'https://localhost:{port} ({port} is a free port, a different one in each run).',
    )
    const again = await init(bank.target.issuer)
    expect(again.code).toBe(exitCodes.usage)
    expect(again.err).toMatch(/^.*made\/target\.yaml.* already exist; --force overwrites$/)
    expect(read('service/jwks.json')).toBe(before)
    expect(await init(bank.target.issuer, '--force', '--listen', '127.0.0.1:9443')).toMatchObject({
      code: exitCodes.nothingFailed,
    })
    expect(read('FOR-THE-BANK.md')).toContain('**Its address**: https://localhost:9443. ')
    expect(read('service/jwks.json')).not.toBe(before)
    expect(mode('service/jwks.json')).toBe('600')
  })

  test('leaves the certificate out where the bank’s authority has to sign the request', async () => {
    const bank = await bankForTest()
    await init(bank.target.issuer, '--authority', 'bank', '--login', 'person')
    const target = loadTarget(join(made(), 'target.yaml'), { draft: true })
    expect(target).toMatchObject({ login: { by: 'person' }, keys: expect.any(Array) })
    expect(target.clientCertificate ?? target.server).toBeUndefined()
    const { localhost } = await certificates()
    writeFileSync(join(made(), 'service/certificate.pem'), localhost.cert)
    writeFileSync(join(made(), 'service/certificate-key.pem'), localhost.key)
    const filledIn = read('target.yaml').replace(/^#( {2,}(client_certificate|server|cert|key|listen|url):)/gm, '$1')
    writeFileSync(join(made(), 'target.yaml'), filledIn)
    expect(loadTarget(join(made(), 'target.yaml'), { draft: true })).toMatchObject({
      clientCertificate: localhost,
      server: { url: 'https://localhost:{port}', certificate: localhost },
    })
    expect(read('FOR-THE-BANK.md')).toContain('sign `service/certificate-request.pem`')
  })

  test.each<[string, string[], RegExp]>([
    ['no address', ['init', 'DIR'], /^--issuer is missing: The bank's address/],
    ['an address that is none', ['init', 'DIR', '--issuer', 'bank'], /^--issuer "bank": give an https address/],
    [
      'a file that is not there',
      ['init', 'DIR', '--issuer', 'https://a.example', '--ca', 'no.pem'],
      /^--ca: the file no\.pem does not exist$/,
    ],
    [
      'a bank that is not there',
      ['init', 'DIR', '--issuer', 'https://localhost:1'],
      /^localhost:1 refuses the connection; likely/,
    ],
  ])('says in one line what is wrong with %s', async (_, args, message) => {
    const { code, err } = await command(args.map((arg) => (arg === 'DIR' ? made() : arg)))
    expect(code).toBe(exitCodes.usage)
    expect(err).toMatch(message)
    expect(err.split('\n')).toHaveLength(1)
    expect(existsSync(made())).toBe(false)
  })

  test('leaves a directory that was there where it was, when the bank cannot be looked at', async () => {
    mkdirSync(made())
    expect((await command(['init', join(made(), 'a/b'), '--issuer', 'https://localhost:1'])).code).toBe(exitCodes.usage)
    expect(readdirSync(made())).toEqual([])
  })

  test('says in one line that there is no discovery document, or that its authority is unknown', async () => {
    const bank = await bankForTest(() => ({ 'GET /.well-known/openid-configuration': () => html('<p>', 200) }))
    const page = await init(bank.target.issuer)
    expect(page).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringMatching(/^there is no discovery document at .*$/),
    })
    const distrusted = await command(['init', made(), '--issuer', bank.target.issuer])
    expect(distrusted).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringMatching(/^the bank's certificate is not trusted .* with --ca FILE\), or .*$/),
    })
  })

  test('says in one line that a file is where the directory should be', async () => {
    writeFileSync(made(), '')
    expect(await init('https://a.example')).toMatchObject({
      code: exitCodes.usage,
      err: `${made()} is a file: name a directory`,
    })
  })

  test('leaves places to fill in, which a run names until it is done', async () => {
    const bank = await bankForTest()
    await init(bank.target.issuer)
    const { code, err } = await command(['run', '--target', join(made(), 'target.yaml')])
    expect({ code, err: err.split('\n') }).toEqual({
      code: exitCodes.usage,
      err: ['people.0.login', 'people.0.password', 'login.pages.sign-in.when', 'login.pages.consent.when'].map(
        (place) => `target file: ${place} is still FILL-IN`,
      ),
    })
  })

  test('asks what no flag says, again when the answer does not do', async () => {
    const asked: string[] = []
    const said = ['bank.example', 'https://bank.example', '', '', '', 'nobody', 'bank', 'browser', 'jana']
    const answers = await answersFrom({}, async (question) => {
      asked.push(question)
      return said[asked.length - 1] ?? ''
    })
    expect(answers).toEqual<Answers>({
      issuer: 'https://bank.example',
      ca: '',
      url: 'https://localhost:{port}',
      listen: '127.0.0.1:0',
      authority: 'bank',
      login: 'browser',
      person: 'jana',
    })
    expect(asked[1]).toMatch(/^This answer is not valid: give an https address/)
    expect(asked[6]).toMatch(/^This answer is not valid: give one of own, bank/)
  })

  test.each([
    ['Ctrl+C', '\u0003'],
    ['Ctrl+D', '\u0004'],
  ])('says that nothing was written when a question is left with %s', async (_, key) => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const { ask } = askAt({ input, output }, new AbortController().signal)
    const answers = answersFrom({}, ask)
    input.write(key)
    await expect(answers).rejects.toThrow(new UsageError('cancelled: nothing was written'))
  })
})
