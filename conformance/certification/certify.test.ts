import { generateKeyPairSync } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { stringify } from 'yaml'
import { exitCodes } from '../output.js'
import { command } from '../testing/command.js'
import { type ForeignBank, rulesKept, startForeignBank, targetFileOf } from '../testing/foreign-bank.js'
import { html } from '../testing/https-server.js'
import { type TargetDirectory, targetDirectory } from '../testing/target-file.js'
import { sha256 } from './bundle.js'

/*
 * The bank of these tests is small, so most of the plan fails at it: a certification that says "not conformant" is signed and checked
 * like any other. That the bundled bank is certified, and twice with one digest, scripts/certification.test.ts shows.
 */
let directory: TargetDirectory
let bank: ForeignBank
let target: string
let bundle: string

const path = (name: string) => join(directory.path, name)

const own = { by: 'Jana Nová', on: '2026-11-02', text: 'As stated.' }
const statements = {
  'JWKS-8': { ...own, published_days_after_expiry: 365 },
  'CONS-8': {
    ...own,
    required_marked: true,
    others_refusable: true,
    attachments: [{ file: 'consent.png', sha256: sha256('a screenshot') }],
  },
  'TOK-30': { ...own, random_source: 'getrandom(2)', random_bits: 128 },
  'TOK-31': { ...own, outcomes: [], nothing_else_invalidates: true },
  'SIGN-25': { ...own, kept_at: 'the archive', kept_for: 'ten years', as_law_allows: true, provable: true },
}
const notExamined = [{ rules: ['*'], reason: 'The bank is small.' }]

const certify = (targetFile: string, out: string, ...more: string[]) =>
  command(['run', '--certify', '--target', targetFile, '--key', path('certifier'), '--out', out, ...more])
const verify = (directoryOfBundle: string, ...more: string[]) => command(['verify', directoryOfBundle, ...more])

/** A copy of the bundle with something done to it. */
function tampered(name: string, change: (copy: string) => void): string {
  const copy = path(name)
  rmSync(copy, { recursive: true, force: true })
  cpSync(bundle, copy, { recursive: true })
  change(copy)
  return copy
}

const rewrite = (file: string, change: (text: string) => string) =>
  writeFileSync(file, change(readFileSync(file, 'utf8')))

beforeAll(async () => {
  directory = await targetDirectory()
  bank = await startForeignBank()
  directory.write('consent.png', 'a screenshot')
  directory.write('statements.yaml', stringify(statements))
  const file = { ...targetFileOf(bank), statements: 'statements.yaml', not_examined: notExamined }
  target = directory.write('target.yaml', stringify(file))
  expect(await command(['make-key', path('certifier')])).toMatchObject({ code: 0, err: '' })
  bundle = path('bundle')
  const { code, err } = await certify(target, bundle)
  expect({ code, err }).toEqual({ code: exitCodes.bankFailed, err: '' })
}, 120_000)

afterAll(async () => {
  await bank.close()
  directory.remove()
})

describe('conformance make-key', () => {
  test('makes a key that its owner alone can read, and never writes over one', async () => {
    expect(statSync(path('certifier')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(path('certifier.pub'), 'utf8'))).not.toHaveProperty('d')
    const before = readFileSync(path('certifier'), 'utf8')
    expect(await command(['make-key', path('certifier')])).toMatchObject({
      code: exitCodes.usage,
      err: `${path('certifier')} is there already, and stays`,
    })
    expect(readFileSync(path('certifier'), 'utf8')).toBe(before)
  })
})

describe('conformance run --certify', () => {
  test('writes a bundle of everything, signed, without a secret', () => {
    const files = readdirSync(bundle, { recursive: true, encoding: 'utf8' }).sort()
    const attachment = `attachments/${sha256('a screenshot')}.png`
    expect(files).toEqual(
      [
        ...['attachments', attachment, 'junit.xml', 'manifest.json', 'manifest.jws', 'report.html', 'report.json'],
        ...['statements.json', 'target.json', 'verdicts.json', 'waivers.json'],
      ].sort(),
    )
    const texts = files
      .filter((file) => file !== 'attachments')
      .map((file) => readFileSync(join(bundle, file), 'utf8'))
      .join('\n')
    const [key] = JSON.parse(readFileSync(path('jwks.json'), 'utf8')).keys
    const secrets = [
      'jana-secret',
      key.d,
      JSON.parse(readFileSync(path('certifier'), 'utf8')).d,
      'PRIVATE KEY',
      '"rat-',
    ]
    for (const secret of secrets) expect(texts).not.toContain(secret)
  })

  test('tells the verdicts without what differs from run to run', () => {
    const { results, outcome } = JSON.parse(readFileSync(join(bundle, 'verdicts.json'), 'utf8'))
    expect(outcome).toBe('not conformant')
    expect(results.find(({ rule }: { rule: string }) => rule === 'registration/create')).toEqual({
      rule: 'registration/create',
      requirement: 'REG-1',
      level: 'MUST',
      status: 'pass',
      readings: expect.arrayContaining(['AMB-15 (1)']),
    })
    expect(readFileSync(join(bundle, 'verdicts.json'), 'utf8')).not.toContain('localhost')
  })

  test('is refused with a line for each demand that is not met, before the bank is asked', async () => {
    const before = bank.seen.length
    const bare = directory.write(
      'bare.yaml',
      stringify({ ...targetFileOf(bank), not_examined: [{ rules: ['none/*'], reason: 'There is none.' }] }),
    )
    const out = path('filled')
    mkdirSync(out, { recursive: true })
    writeFileSync(join(out, 'old'), '')
    const args = ['run', '--certify', '--target', bare, '--out', out, '--only', 'TOK-1', '--skip', 'TOK-2']
    const { code, err } = await command(args)
    expect(code).toBe(exitCodes.usage)
    expect(err.split('\n')).toEqual([
      'a certification takes the whole plan: leave --only out',
      'a certification takes the whole plan: leave --skip out',
      'a certification is signed: name the key with --key (conformance make-key makes one)',
      `${out} is not empty: name a new directory for the bundle with --out`,
      ...['TOK-30', 'SIGN-25', 'CONS-8', 'JWKS-8', 'TOK-31'].map(
        (id) => `the bank states nothing about ${id} (statements)`,
      ),
      'target file: not_examined: none/* matches no rule and no requirement of a rule',
    ])
    expect(bank.seen).toHaveLength(before)
  })

  test('takes no key that is none', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    directory.write('p256.pem', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
    directory.write('none.pem', 'nothing')
    const refused = async (key: string) =>
      (await command(['run', '--certify', '--target', target, '--out', path('never'), '--key', path(key)])).err
    expect(await refused('p256.pem')).toMatch(/p256\.pem: ec prime256v1 is no key for bundles: take P-521/)
    expect(await refused('none.pem')).toMatch(/none\.pem: the file holds no private key/)
    expect(await refused('absent.pem')).toMatch(/absent\.pem cannot be read \(ENOENT\)$/)
    expect(await command(['run', '--target', target, '--key', path('certifier')])).toMatchObject({
      code: exitCodes.usage,
      err: '--key is for --certify',
    })
  })

  test('writes no bundle where a rule was skipped that the target file does not name', async () => {
    const file = { ...targetFileOf(bank), statements: 'statements.yaml', not_examined: [] }
    const strict = directory.write('strict.yaml', stringify(file))
    const { code, err } = await certify(strict, path('strict'))
    expect(code).toBe(exitCodes.bankFailed)
    expect(err).toMatch(
      /^health\/outage-told was skipped because .*, and not_examined of the target file does not name it$/m,
    )
    expect(err).toMatch(/There is no bundle: the demands of a certification are not met\.$/)
    expect(readdirSync(path('strict'))).not.toContain('manifest.json')
  }, 60_000)
})

describe('conformance verify', () => {
  test('tells what was signed, by whom, and whether that was checked', async () => {
    const { code, out, err } = await verify(bundle)
    expect({ code, err }).toEqual({ code: exitCodes.nothingFailed, err: '' })
    expect(out.split('\n')).toEqual([
      `${bundle} is what was signed.`,
      expect.stringMatching(
        /^https:\/\/localhost:\d+ is not conformant, by a run of \S+ with harness \S+ on Node v\S+\.$/,
      ),
      `verdicts  sha256 ${sha256(readFileSync(join(bundle, 'verdicts.json')))}`,
      expect.stringMatching(/^signed {4}\S+ by key [\w-]{43} \(ES512\)$/),
      'Whose key that is was not checked: name the key of the certifier with --key or --jwks.',
    ])
    const known = await verify(bundle, '--key', path('certifier.pub'))
    expect(known.out.split('\n')).toEqual(out.split('\n').slice(0, 4))
    directory.write('keys.json', `{"keys": [${readFileSync(path('certifier.pub'), 'utf8')}]}`)
    expect(await verify(bundle, '--jwks', path('keys.json'))).toMatchObject({ code: exitCodes.nothingFailed })
  })

  const flip = (file: string) => (copy: string) =>
    rewrite(join(copy, file), (text) => `${text.slice(0, 40)}${text[40] === '0' ? '1' : '0'}${text.slice(41)}`)
  const files = ['report.html', 'report.json', 'junit.xml', 'verdicts.json', 'statements.json', 'target.json']
  test.each(files)('names %s when one byte of it was changed', async (file) => {
    const { code, err, out } = await verify(tampered('changed', flip(file)))
    expect({ code, out }).toEqual({ code: exitCodes.changed, out: '' })
    expect(err.split('\n')).toEqual([expect.stringMatching(new RegExp(`^changed  ${file} was changed`))])
  })

  test('names the verdict that was changed', async () => {
    const better = (text: string) =>
      text.replace(/("rule":\s*"token\/scope-listed"(?:(?!"rule").)*?"status":\s*)"pass"/s, '$1"fail"')
    for (const file of ['verdicts.json', 'report.json']) {
      const { err } = await verify(
        tampered('better', (copy) => {
          const changed =
            file === 'report.json' ? better : (text: string) => text.replace(/"status":"pass"/, '"status":"fail"')
          rewrite(join(copy, file), changed)
        }),
      )
      const [told, found] = file === 'verdicts.json' ? ['fail', 'pass'] : ['pass', 'fail']
      expect(err).toMatch(
        new RegExp(
          `^changed  ${file} was changed: \\S+/\\S+ is ${told} in verdicts\\.json, ${found} in report\\.json$`,
        ),
      )
    }
  })

  const hostile: [string, (copy: string) => void, RegExp][] = [
    ['a file that was added', (copy) => writeFileSync(join(copy, 'more.txt'), ''), /^changed {2}more\.txt was added$/],
    ['a hidden file', (copy) => writeFileSync(join(copy, '.more'), ''), /^changed {2}\.more was added$/],
    ['a name with a line end', (copy) => writeFileSync(join(copy, 'a\nb'), ''), /^changed {2}"a\\nb" was added$/],
    ['a file that was removed', (copy) => rmSync(join(copy, 'waivers.json')), /^changed {2}waivers\.json was removed$/],
    [
      'an attachment that was removed',
      (copy) => rmSync(join(copy, 'attachments'), { recursive: true }),
      /^changed {2}attachments\/[0-9a-f]{64}\.png was removed$/,
    ],
    [
      'a link in place of a file',
      (copy) => {
        renameSync(join(copy, 'junit.xml'), path('elsewhere.xml'))
        symlinkSync(path('elsewhere.xml'), join(copy, 'junit.xml'))
      },
      /^changed {2}junit\.xml is no file that a bundle can hold\nchanged {2}junit\.xml was removed$/,
    ],
    [
      'a file that became huge',
      (copy) => truncateSync(join(copy, 'report.json'), 5_000_000_000),
      /^changed {2}report\.json was changed: it cannot be read as what it was$/,
    ],
    [
      'a huge manifest',
      (copy) => truncateSync(join(copy, 'manifest.json'), 5_000_000_000),
      /^changed {2}manifest\.json is longer than 1000000 bytes$/,
    ],
    ['no manifest', (copy) => rmSync(join(copy, 'manifest.json')), /^changed {2}manifest\.json is missing$/],
    ['no signature', (copy) => rmSync(join(copy, 'manifest.jws')), /^changed {2}manifest\.jws is missing$/],
    [
      'a signature that is none',
      (copy) => writeFileSync(join(copy, 'manifest.jws'), 'signed'),
      /^changed {2}manifest\.jws is no detached JWS$/,
    ],
    [
      'a manifest written otherwise',
      (copy) => appendFileSync(join(copy, 'manifest.json'), '\n'),
      /^changed {2}manifest\.json is not what was signed: the signature of manifest\.jws does not hold$/,
    ],
    [
      'a manifest with another outcome',
      (copy) => rewrite(join(copy, 'manifest.json'), (text) => text.replace('not conformant', 'conformant')),
      /^changed {2}manifest\.json is not what was signed: the signature of manifest\.jws does not hold$/,
    ],
    [
      'a manifest that names a file elsewhere',
      (copy) =>
        rewrite(join(copy, 'manifest.json'), (text) => text.replace('"name":"junit.xml"', '"name":"../certifier"')),
      /^changed {2}manifest\.json is not what was signed: .*\nchanged {2}manifest\.json is no manifest of this version$/,
    ],
    [
      'alg none',
      (copy) => rewrite(join(copy, 'manifest.jws'), (jws) => header(jws, { alg: 'none' })),
      /^changed {2}manifest\.jws has the algorithm none, none of ES512, PS512, EdDSA$/,
    ],
    [
      'a symmetric algorithm',
      (copy) => rewrite(join(copy, 'manifest.jws'), (jws) => header(jws, { alg: 'HS512' })),
      /^changed {2}manifest\.jws has the algorithm HS512, none of ES512, PS512, EdDSA$/,
    ],
    [
      'the signature of something else',
      (copy) => rewrite(join(copy, 'manifest.jws'), (jws) => header(jws, { typ: 'JWT' })),
      /^changed {2}manifest\.jws is the signature of something else: its typ is no conformance-bundle$/,
    ],
    [
      'a symmetric key in the header',
      (copy) => rewrite(join(copy, 'manifest.jws'), (jws) => header(jws, { jwk: { kty: 'oct', k: 'AAAA' } })),
      /^changed {2}manifest\.json is not what was signed: /,
    ],
  ]
  test.each(hostile)('refuses %s', async (_what, change, told) => {
    const { code, out, err } = await verify(tampered('hostile', change))
    expect({ code, out }).toEqual({ code: exitCodes.changed, out: '' })
    expect(err).toMatch(told)
  })

  test('refuses a bundle that somebody else signed', async () => {
    await command(['make-key', path('other'), '--alg', 'EdDSA'])
    const { code, err } = await verify(bundle, '--key', path('other.pub'))
    expect(code).toBe(exitCodes.changed)
    expect(err).toMatch(/^changed {2}the bundle was signed by key [\w-]{43}, which is none of those given$/)
  })

  test('is told where it is not used as it is meant', async () => {
    expect(await verify(path('absent'))).toMatchObject({
      code: exitCodes.usage,
      err: `the bundle ${path('absent')} cannot be read (ENOENT)`,
    })
    expect(await verify(bundle, '--key', path('jwks.json'))).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringMatching(/jwks\.json: ec prime256v1 is no key for bundles/),
    })
  })
})

/** A JWS with some members of its header in place of its own. */
function header(jws: string, change: object): string {
  const [, ...rest] = jws.split('.')
  const changed = { ...decodeProtectedHeader(jws), ...change }
  return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.')
}

describe('conformance diff', () => {
  const diff = (old: string, now: string) => command(['diff', old, now])

  test('says that nothing changed', async () => {
    expect(await diff(bundle, join(bundle, 'report.json'))).toEqual({
      code: exitCodes.nothingFailed,
      out: 'Nothing changed.',
      err: '',
    })
  })

  test('tells a regression, a key that is gone, and exits 1', async () => {
    const run = ['run', '--target', target, '--out', path('first'), '--only', ...rulesKept]
    await command(run)
    await bank.close()
    const old = bank
    bank = await startForeignBank((routes) => ({
      'GET /healthcheck': () => html('<p>'),
      'GET /.well-known/jwks.json': async (request) => {
        const answer = await routes['GET /.well-known/jwks.json']?.(request)
        if (typeof answer !== 'object' || answer.body === undefined) return 'cut'
        return { ...answer, body: answer.body.replace('"kid":"bank"', '"kid":"another"') }
      },
    }))
    const second = directory.write('second.yaml', stringify(targetFileOf(bank)))
    await command(['run', '--target', second, '--out', path('second'), '--only', ...rulesKept])
    const { code, out } = await diff(path('first/report.json'), path('second/report.json'))
    expect(code).toBe(exitCodes.regressed)
    expect(out).toContain(`The issuers differ: ${old.url}, then ${bank.url}.`)
    expect(out).toMatch(/^worse {4}health\/record {2}pass -> fail: /m)
    expect(out).toMatch(/^worse {4}HEALTH-1 {2}pass -> fail$/m)
    expect(out).toMatch(
      /^worse {4}key bank {2}signed on \S+ and is published no more: it has to be until \S+ at least \(JWKS-8\)$/m,
    )
    const better = await diff(path('second/report.json'), path('second/report.json'))
    expect(better).toMatchObject({ code: exitCodes.nothingFailed, out: 'Nothing changed.' })
    expect(await diff(path('second/report.json'), path('first/report.json'))).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringContaining('name the older one first'),
    })
    const third = [
      'run',
      '--target',
      second,
      '--out',
      path('third'),
      '--only',
      'JWKS-8',
      '--earlier',
      path('first/report.json'),
    ]
    rewrite(second, (text) => `${text}statements: statements.yaml\n`)
    const { out: told } = await command(third)
    expect(told).toMatch(/fail {5}statements\/key-publication/)
    expect(told).toContain('key bank signed on')
  })

  test('refuses a bundle that was changed, and what is no report', async () => {
    const changed = tampered('old', (copy) => rmSync(join(copy, 'target.json')))
    expect(await diff(changed, bundle)).toMatchObject({
      code: exitCodes.usage,
      err: `${changed}: target.json was removed`,
    })
    expect(await diff(path('target.yaml'), bundle)).toMatchObject({
      code: exitCodes.usage,
      err: `${path('target.yaml')} is no report.json of this version`,
    })
  })
})
