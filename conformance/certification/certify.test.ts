import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { exitCodes } from '../output.js'
import { rules } from '../rules/index.js'
import { type CertifiedBank, certifiedBank } from '../testing/certified-bank.js'
import { command } from '../testing/command.js'
import { targetFileOf } from '../testing/foreign-bank.js'
import { sha256 } from './bundle.js'

let own: CertifiedBank

beforeAll(async () => {
  own = await certifiedBank()
})

afterAll(() => own.close())

describe('conformance make-key', () => {
  test('makes a key that its owner alone can read, and never writes over one', async () => {
    expect(statSync(own.path('certifier')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(own.path('certifier.pub'), 'utf8'))).not.toHaveProperty('d')
    const before = readFileSync(own.path('certifier'), 'utf8')
    expect(await command(['make-key', own.path('certifier')])).toMatchObject({
      code: exitCodes.usage,
      err: `${own.path('certifier')} already exists and is not overwritten: name another file`,
    })
    expect(readFileSync(own.path('certifier'), 'utf8')).toBe(before)
  })

  test('writes neither half where one is there already, or there is no directory', async () => {
    own.directory.write('half.pub', '')
    expect(await command(['make-key', own.path('half')])).toMatchObject({
      code: exitCodes.usage,
      err: `${own.path('half.pub')} already exists and is not overwritten: name another file`,
    })
    expect(readdirSync(own.directory.path)).not.toContain('half')
    expect(await command(['make-key', own.path('none/key')])).toMatchObject({
      code: exitCodes.usage,
      err: `there is no directory ${own.path('none')}: make it first`,
    })
  })
})

describe('conformance run --certify', () => {
  test('signs what it found, whatever it is', () => {
    expect(own.certified).toEqual({ code: exitCodes.bankFailed, err: '' })
  })

  test('writes a bundle of everything, signed, without a secret', () => {
    const files = readdirSync(own.bundle, { recursive: true, encoding: 'utf8' }).sort()
    const attachment = `attachments/${sha256('a screenshot')}.png`
    expect(files).toEqual(
      [
        ...['attachments', attachment, 'junit.xml', 'manifest.json', 'manifest.jws', 'report.html', 'report.json'],
        ...['attestations.json', 'target.json', 'verdicts.json', 'waivers.json'],
      ].sort(),
    )
    const texts = files
      .filter((file) => file !== 'attachments')
      .map((file) => readFileSync(join(own.bundle, file), 'utf8'))
      .join('\n')
    const [key] = JSON.parse(readFileSync(own.path('jwks.json'), 'utf8')).keys
    const secrets = [
      'jana-secret',
      key.d,
      JSON.parse(readFileSync(own.path('certifier'), 'utf8')).d,
      'PRIVATE KEY',
      '"rat-',
    ]
    for (const secret of secrets) expect(texts).not.toContain(secret)
  })

  test('tells the target without what is secret or of a person', () => {
    expect(JSON.parse(readFileSync(join(own.bundle, 'target.json'), 'utf8'))).toEqual({
      issuer: own.bank.url,
      ca: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      control: false,
      service: {
        keys: [{}],
        client_certificate: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
        certificate_everywhere: false,
        server: 'https://localhost:{port}',
      },
      people: [{ kinds: ['full'] }],
      login: 'forms',
      pages: ['sign-in', 'consent'],
      not_examined: [{ rules: ['*'], reason: 'The bank is small.' }],
      concurrency: 8,
      timeout_seconds: 10,
      event_seconds: 10,
    })
  })

  test('tells the verdicts without what differs from run to run', () => {
    const { results, edition, outcome } = JSON.parse(readFileSync(join(own.bundle, 'verdicts.json'), 'utf8'))
    expect({ edition, outcome }).toEqual({ edition: '1.2', outcome: 'not conformant' })
    expect(results.find(({ rule }: { rule: string }) => rule === 'registration/create')).toEqual({
      rule: 'registration/create',
      requirement: 'REG-1',
      level: 'MUST',
      status: 'pass',
      readings: expect.arrayContaining(['AMB-15=ok']),
    })
    expect(readFileSync(join(own.bundle, 'verdicts.json'), 'utf8')).not.toContain('localhost')
  })

  test('is refused with a line for each demand that is not met, before the bank is asked', async () => {
    const before = own.bank.seen.length
    const bare = own.directory.write(
      'bare.yaml',
      stringify({ ...targetFileOf(own.bank), not_examined: [{ rules: ['none/*'], reason: 'There is none.' }] }),
    )
    const out = own.path('filled')
    mkdirSync(out, { recursive: true })
    writeFileSync(join(out, 'old'), '')
    const args = ['run', '--certify', '--target', bare, '--out', out, '--only', 'TOK-1', '--skip', 'TOK-2']
    const { code, err } = await command(args)
    expect(code).toBe(exitCodes.usage)
    expect(err.split('\n')).toEqual([
      'a certification runs the whole plan: leave --only out',
      'a certification runs the whole plan: leave --skip out',
      'a certification is signed: name the key with --key (conformance make-key makes one)',
      `${out} is not empty: name a new directory for the bundle with --out`,
      ...['TOK-30', 'SIGN-25', 'CONS-8', 'JWKS-8', 'TOK-31'].map(
        (id) => `the bank attests nothing about ${id} (attestations)`,
      ),
      'target file: not_examined: none/* matches no rule and no requirement of a rule',
    ])
    expect(own.bank.seen).toHaveLength(before)
  })

  test('takes no key that is none', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    own.directory.write('p256.pem', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
    own.directory.write('none.pem', 'nothing')
    const refused = async (key: string) =>
      (await command(['run', '--certify', '--target', own.target, '--out', own.path('never'), '--key', own.path(key)]))
        .err
    expect(await refused('p256.pem')).toMatch(/p256\.pem: ec prime256v1 is not a key for bundles: use P-521/)
    expect(await refused('none.pem')).toMatch(/none\.pem: the file contains no private key/)
    expect(await refused('absent.pem')).toMatch(/absent\.pem cannot be read \(there is no such file or folder\)$/)
    expect(await command(['run', '--target', own.target, '--key', own.path('certifier')])).toMatchObject({
      code: exitCodes.usage,
      err: '--key is only for --certify',
    })
  })

  const targetThatNames = (...patterns: string[]) => {
    const notExamined = patterns.length > 0 ? [{ rules: patterns, reason: 'The bank is small.' }] : []
    const file = { ...targetFileOf(own.bank), attestations: 'attestations.yaml', not_examined: notExamined }
    return own.directory.write('strict.yaml', stringify(file))
  }

  test('is refused before the run where the target file is the reason of skips that it does not name', async () => {
    const before = own.bank.seen.length
    const { code, err } = await own.certify(targetThatNames(), own.path('strict'))
    expect(code).toBe(exitCodes.usage)
    expect(err.split('\n')).toContain(
      'skipped, and not named under not_examined in the target file: subjects/by-person, consent/openid-alone-other-person, consent/other-person, consent/next-person, token/refresh-after-next-person, subjects/next-person, token/previous-person, introspection/second-person, signing/bound-person, signing/hint-binds, signing/new-scopes-of-second, signing/once-for-others, signing/subject-of-another, because the target file names no person of kind second',
    )
    expect(own.bank.seen).toHaveLength(before)
  })

  test('of a bank where somebody signs in by hand is refused with what the target file has to say, and not with it', async () => {
    const file = { ...targetFileOf(own.bank), attestations: 'attestations.yaml', login: { by: 'person' } }
    const refusalOf = async (changes: object) => {
      // A file is in the bundle's way: what is well prepared ends there, before somebody would have to sign in.
      const target = own.directory.write('by-hand.yaml', stringify({ ...file, ...changes }))
      return (await own.certify(target, own.path('certifier'))).err.split('\n')
    }
    const first = await refusalOf({})
    const at = first.indexOf('not_examined:')
    expect(first[at - 1]).toBe(
      'to be certified without them, the target file names them, with the reason that the bundle is to show:',
    )
    const declared = parse(first.slice(at).join('\n'))
    expect(declared.not_examined.length).toBeGreaterThan(3)
    expect(await refusalOf(declared)).toEqual([`--out ${own.path('certifier')} is a file: name a directory`])
  })

  test('writes no bundle where another rule was skipped', async () => {
    const others = rules.map(({ id }) => id).filter((id) => id !== 'health/outage-told')
    const { code, err } = await own.certify(targetThatNames(...others), own.path('strict'))
    const told = { rules: ['health/outage-told'], reason: 'the bank is not in an outage' }
    expect(code).toBe(exitCodes.bankFailed)
    expect(err.split('\n')).toEqual([
      'skipped, and not named under not_examined in the target file: health/outage-told, because the bank is not in an outage',
      'to be certified without them, the target file names them, with the reason that the bundle is to show:',
      ...stringify({ not_examined: [...parse(readFileSync(own.path('strict.yaml'), 'utf8')).not_examined, told] })
        .trimEnd()
        .split('\n'),
      'No bundle was written: the requirements of a certification are not met.',
    ])
    expect(readdirSync(own.path('strict'))).not.toContain('manifest.json')
    // As long as the whole run before the tests has.
  })
})
