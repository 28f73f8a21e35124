import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { exitCodes } from '../output.js'
import { type CertifiedBank, certifiedBank, rewrite } from '../testing/certified-bank.js'
import { command } from '../testing/command.js'
import { detachedSignature, sha256 } from './bundle.js'
import { canonicalJson } from './canonical-json.js'
import { certifierKey } from './certifier-key.js'

let own: CertifiedBank

beforeAll(async () => {
  own = await certifiedBank()
})

afterAll(() => own.close())

const verify = (bundle: string, ...more: string[]) => command(['verify', bundle, ...more])

describe('conformance verify', () => {
  test('tells what was signed and by whom; without a key that is no success, since anybody can have signed it', async () => {
    const { code, out, err } = await verify(own.bundle)
    expect({ code, err }).toEqual({
      code: exitCodes.usage,
      err: 'Nothing shows whose key that is: name the key of the certifier with --key or --jwks.',
    })
    expect(out.split('\n')).toEqual([
      `${own.bundle} is what was signed.`,
      expect.stringMatching(
        /^https:\/\/localhost:\d+ is not conformant by edition 1\.2, in a run of \S+ with harness \S+ on Node v\S+\.$/,
      ),
      `verdicts  sha256 ${sha256(readFileSync(join(own.bundle, 'verdicts.json')))}`,
      expect.stringMatching(/^signed {4}\S+ by key [\w-]{43} \(ES512\)$/),
    ])
    const known = await verify(own.bundle, '--key', own.path('certifier.pub'))
    expect(known).toEqual({ code: exitCodes.nothingFailed, out, err: '' })
    own.directory.write('keys.json', `{"keys": [${readFileSync(own.path('certifier.pub'), 'utf8')}]}`)
    expect(await verify(own.bundle, '--jwks', own.path('keys.json'))).toMatchObject({ code: exitCodes.nothingFailed })
  })

  const flip = (file: string) => (copy: string) =>
    rewrite(join(copy, file), (text) => `${text.slice(0, 40)}${text[40] === '0' ? '1' : '0'}${text.slice(41)}`)
  const files = ['report.html', 'report.json', 'junit.xml', 'verdicts.json', 'attestations.json', 'target.json']
  test.each(files)('names %s when one byte of it was changed', async (file) => {
    const { code, err, out } = await verify(own.tampered(flip(file)))
    expect({ code, out }).toEqual({ code: exitCodes.changed, out: '' })
    expect(err.split('\n')).toEqual([expect.stringMatching(new RegExp(`^changed  ${file} was changed`))])
  })

  test('names the verdict that was changed', async () => {
    const better = (text: string) =>
      text.replace(/("rule":\s*"token\/scope-listed"(?:(?!"rule").)*?"status":\s*)"pass"/s, '$1"fail"')
    for (const file of ['verdicts.json', 'report.json']) {
      const { err } = await verify(
        own.tampered((copy) => {
          const changed =
            file === 'report.json' ? better : (text: string) => text.replace(/"status":"pass"/, '"status":"fail"')
          rewrite(join(copy, file), changed)
        }),
      )
      const [claimed, found] = file === 'verdicts.json' ? ['fail', 'pass'] : ['pass', 'fail']
      expect(err).toMatch(
        new RegExp(
          `^changed  ${file} was changed: \\S+/\\S+ is ${claimed} in verdicts\\.json, ${found} in report\\.json$`,
        ),
      )
    }
  })

  const hostile: [string, (copy: string) => void, RegExp][] = [
    ['a file that was added', (copy) => writeFileSync(join(copy, 'more.txt'), ''), /^changed {2}more\.txt was added$/],
    ['a hidden file', (copy) => writeFileSync(join(copy, '.more'), ''), /^changed {2}\.more was added$/],
    ['a name with a line end', (copy) => writeFileSync(join(copy, 'a\nb'), ''), /^changed {2}"a\\nb" was added$/],
    ['an empty folder that was added', (copy) => mkdirSync(join(copy, 'more')), /^changed {2}more was added$/],
    ['a file that was removed', (copy) => rmSync(join(copy, 'waivers.json')), /^changed {2}waivers\.json was removed$/],
    [
      'an attachment that was removed',
      (copy) => rmSync(join(copy, 'attachments'), { recursive: true }),
      /^changed {2}attachments\/[0-9a-f]{64}\.png was removed$/,
    ],
    [
      'a link in place of a file',
      (copy) => {
        renameSync(join(copy, 'junit.xml'), own.path('elsewhere.xml'))
        symlinkSync(own.path('elsewhere.xml'), join(copy, 'junit.xml'))
      },
      /^changed {2}junit\.xml is not a file that a bundle can contain$/,
    ],
    [
      'a file that became huge',
      (copy) => truncateSync(join(copy, 'report.json'), 5_000_000_000),
      /^changed {2}report\.json was changed: it can no longer be read as a report$/,
    ],
    [
      'a huge manifest',
      (copy) => truncateSync(join(copy, 'manifest.json'), 5_000_000_000),
      /^changed {2}manifest\.json is longer than 1000000 bytes$/,
    ],
    [
      'a folder in place of the manifest',
      (copy) => {
        rmSync(join(copy, 'manifest.json'))
        mkdirSync(join(copy, 'manifest.json'))
      },
      /^changed {2}manifest\.json is missing$/,
    ],
    [
      'more files than a bundle holds',
      (copy) => {
        for (let i = 0; i < 300; i += 1) writeFileSync(join(copy, `f${i}`), '')
      },
      /^changed {2}the bundle contains more than 250 files$/,
    ],
    ['no manifest', (copy) => rmSync(join(copy, 'manifest.json')), /^changed {2}manifest\.json is missing$/],
    ['no signature', (copy) => rmSync(join(copy, 'manifest.jws')), /^changed {2}manifest\.jws is missing$/],
    [
      'a signature that is none',
      (copy) => writeFileSync(join(copy, 'manifest.jws'), 'signed'),
      /^changed {2}manifest\.jws is not a detached JWS$/,
    ],
    [
      'a manifest written otherwise',
      (copy) => appendFileSync(join(copy, 'manifest.json'), '\n'),
      /^changed {2}manifest\.json is not what was signed: the signature in manifest\.jws is not valid$/,
    ],
    [
      'a manifest with another outcome',
      (copy) => rewrite(join(copy, 'manifest.json'), (text) => text.replace('not conformant', 'conformant')),
      /^changed {2}manifest\.json is not what was signed: the signature in manifest\.jws is not valid$/,
    ],
    [
      'a manifest with another edition',
      (copy) => rewrite(join(copy, 'manifest.json'), (text) => text.replace('"edition":"1.2"', '"edition":"2.0"')),
      /^changed {2}manifest\.json is not what was signed: .*\nchanged {2}manifest\.json names edition 2\.0, and verdicts\.json edition 1\.2$/,
    ],
    [
      'a manifest that names a file elsewhere',
      (copy) =>
        rewrite(join(copy, 'manifest.json'), (text) => text.replace('"name":"junit.xml"', '"name":"../certifier"')),
      /^changed {2}manifest\.json is not what was signed: .* is not valid$/,
    ],
    [
      'alg none',
      (copy) => rewrite(join(copy, 'manifest.jws'), (jws) => header(jws, { alg: 'none' })),
      /^changed {2}manifest\.jws has the algorithm none, which is not one of ES512, PS512, EdDSA$/,
    ],
    [
      'a symmetric algorithm',
      (copy) => rewrite(join(copy, 'manifest.jws'), (jws) => header(jws, { alg: 'HS512' })),
      /^changed {2}manifest\.jws has the algorithm HS512, which is not one of ES512, PS512, EdDSA$/,
    ],
    [
      'the signature of something else',
      (copy) => rewrite(join(copy, 'manifest.jws'), (jws) => header(jws, { typ: 'JWT' })),
      /^changed {2}manifest\.jws is the signature of something else: its typ is not conformance-bundle$/,
    ],
    [
      'a symmetric key in the header',
      (copy) => rewrite(join(copy, 'manifest.jws'), (jws) => header(jws, { jwk: { kty: 'oct', k: 'AAAA' } })),
      /^changed {2}manifest\.json is not what was signed: /,
    ],
  ]
  test.each(hostile)('refuses %s', async (_what, change, claimed) => {
    const { code, out, err } = await verify(own.tampered(change))
    expect({ code, out }).toEqual({ code: exitCodes.changed, out: '' })
    expect(err).toMatch(claimed)
  })

  /** Signs the bundle as its certifier did, after something was done to its files. */
  async function signedAnew(
    change: (read: (name: string) => Record<string, unknown>, write: (name: string, value: object) => void) => void,
  ): Promise<string> {
    const copy = own.tampered(() => {})
    const read = (name: string) => JSON.parse(readFileSync(join(copy, name), 'utf8'))
    const write = (name: string, value: object) => writeFileSync(join(copy, name), canonicalJson(value))
    change(read, write)
    const manifest = read('manifest.json')
    const files = manifest.files.map(({ name }: { name: string }) => {
      const content = readFileSync(join(copy, name))
      return { name, sha256: sha256(content), bytes: content.length }
    })
    const verdicts = sha256(readFileSync(join(copy, 'verdicts.json')))
    const text = canonicalJson({ ...manifest, files, verdicts })
    const key = await certifierKey(readFileSync(own.path('certifier'), 'utf8'))
    writeFileSync(join(copy, 'manifest.json'), text)
    writeFileSync(join(copy, 'manifest.jws'), await detachedSignature(text, key))
    return copy
  }

  type Change = Parameters<typeof signedAnew>[0]
  const lies: [string, Change, string][] = [
    [
      'a manifest with another outcome',
      (read, write) => write('manifest.json', { ...read('manifest.json'), outcome: 'conformant' }),
      'manifest.json says outcome "conformant", and verdicts.json "not conformant"\nchanged  manifest.json says outcome "conformant", and its verdicts "not conformant"',
    ],
    [
      'verdicts and manifest with an outcome that does not follow',
      (read, write) => {
        for (const name of ['manifest.json', 'verdicts.json']) write(name, { ...read(name), outcome: 'conformant' })
      },
      'manifest.json says outcome "conformant", and its verdicts "not conformant"',
    ],
    [
      'the report of another bank',
      (read, write) => write('report.json', { ...read('report.json'), issuer: 'https://other.example' }),
      'manifest.json says issuer "ISSUER", and report.json "https://other.example"',
    ],
    [
      'the report of another run',
      (read, write) => write('report.json', { ...read('report.json'), started: '2020-01-01T00:00:00.000Z' }),
      'manifest.json says start "STARTED", and report.json "2020-01-01T00:00:00.000Z"',
    ],
    [
      'a manifest that leaves the report out',
      (read, write) => {
        const manifest = read('manifest.json')
        write('manifest.json', {
          ...manifest,
          files: (manifest.files as { name: string }[]).filter(({ name }) => name !== 'report.json'),
        })
      },
      'report.json was added\nchanged  manifest.json does not name report.json',
    ],
    [
      'verdicts without a rule',
      (read, write) => {
        const verdicts = read('verdicts.json')
        write('verdicts.json', { ...verdicts, results: (verdicts.results as object[]).slice(1) })
      },
      'RULE is STATUS in report.json',
    ],
  ]
  test.each(lies)('finds that the certifier signed %s', async (_what, change, problem) => {
    const { issuer, started } = JSON.parse(readFileSync(join(own.bundle, 'manifest.json'), 'utf8'))
    const [first] = JSON.parse(readFileSync(join(own.bundle, 'verdicts.json'), 'utf8')).results
    const expected = problem
      .replace('ISSUER', issuer)
      .replace('STARTED', started)
      .replace('RULE is STATUS', `${first.rule} is absent in verdicts.json, ${first.status}`)
    const { code, err } = await verify(await signedAnew(change), '--key', own.path('certifier.pub'))
    expect({ code, err }).toEqual({ code: exitCodes.changed, err: `changed  ${expected}` })
  })

  test('warns where the private key is given to verify with', async () => {
    const file = own.path('certifier')
    const { code, err } = await verify(own.bundle, '--key', file)
    expect(code).toBe(exitCodes.nothingFailed)
    expect(err).toBe(
      `${file} holds a private key: to verify takes the public one alone, and whoever has this one can sign`,
    )
  })

  test('refuses a bundle that somebody else signed', async () => {
    await command(['make-key', own.path('other'), '--alg', 'EdDSA'])
    const { code, err } = await verify(own.bundle, '--key', own.path('other.pub'))
    expect(code).toBe(exitCodes.changed)
    expect(err).toMatch(/^changed {2}the bundle was signed by key [\w-]{43}, which is not one of the given keys$/)
  })

  test('says that a folder is no bundle where nothing claims it', async () => {
    const folder = own.tampered((copy) => {
      for (const name of ['manifest.json', 'manifest.jws']) rmSync(join(copy, name))
    })
    expect(await verify(folder)).toEqual({
      code: exitCodes.usage,
      out: '',
      err: `${folder} is not a bundle: conformance run --certify writes one`,
    })
  })

  test('is told where it is not used as it is meant', async () => {
    expect(await verify(own.path('absent'))).toMatchObject({
      code: exitCodes.usage,
      err: `the bundle ${own.path('absent')} cannot be read (there is no such file or folder)`,
    })
    expect(await verify(join(own.bundle, 'report.json'))).toMatchObject({
      code: exitCodes.usage,
      err: `${join(own.bundle, 'report.json')} is a file: name the directory of the bundle`,
    })
    expect(await verify(own.bundle, '--key', own.path('jwks.json'))).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringMatching(/jwks\.json: ec prime256v1 is not a key for bundles/),
    })
  })
})

/** A JWS with some members of its header in place of its own. */
function header(jws: string, change: object): string {
  const [, ...rest] = jws.split('.')
  const changed = { ...decodeProtectedHeader(jws), ...change }
  return [Buffer.from(JSON.stringify(changed)).toString('base64url'), ...rest].join('.')
}
