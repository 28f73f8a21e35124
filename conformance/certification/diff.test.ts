import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { exitCodes } from '../output.js'
import { type CertifiedBank, certifiedBank } from '../testing/certified-bank.js'
import { changedBody } from '../testing/changed-answers.js'
import { command } from '../testing/command.js'
import { type ForeignBank, rulesKept, startForeignBank, targetFileOf } from '../testing/foreign-bank.js'
import { html } from '../testing/https-server.js'

let own: CertifiedBank

beforeAll(async () => {
  own = await certifiedBank()
})

afterAll(() => own.close())

describe('conformance diff', () => {
  const diff = (old: string, now: string) => command(['diff', old, now])

  test('says that nothing changed', async () => {
    expect(await diff(own.bundle, join(own.bundle, 'report.json'))).toEqual({
      code: exitCodes.nothingFailed,
      out: 'Nothing changed.',
      err: '',
    })
  })

  describe('after the bank became worse', () => {
    let changed: ForeignBank
    let second: string
    const report = (name: string) => own.path(`${name}/report.json`)
    const run = (target: string, out: string, ...more: string[]) =>
      command(['run', '--target', target, '--out', own.path(out), ...more])

    beforeAll(async () => {
      await run(own.target, 'first', '--only', ...rulesKept)
      changed = await startForeignBank((routes) => ({
        'GET /healthcheck': () => html('<p>'),
        ...changedBody('GET /.well-known/jwks.json', ({ keys }) => ({
          keys: (keys as object[]).map((key) => ({ ...key, kid: 'another' })),
        }))(routes),
      }))
      const file = { ...targetFileOf(changed), attestations: 'attestations.yaml' }
      second = own.directory.write('second.yaml', stringify(file))
      await run(second, 'second', '--only', ...rulesKept, '!userinfo/encrypted')
    })

    afterAll(() => changed.close())

    test('tells verdicts, requirements and keys, and exits 1', async () => {
      const { code, out } = await diff(report('first'), report('second'))
      expect(code).toBe(exitCodes.regressed)
      expect(out.split('\n')).toEqual([
        `The issuers differ: ${own.bank.url}, then ${changed.url}.`,
        expect.stringMatching(/^The selections differ: the first left out \d+ rules, the second \d+\.$/),
        expect.stringMatching(/^worse {4}health\/record {2}pass -> fail: /),
        'worse    userinfo/encrypted  pass -> left out by the selection',
        expect.stringMatching(/^worse {4}userinfo\/signed {2}pass -> fail: /),
        'worse    DATA-1  pass -> fail',
        'worse    HEALTH-1  pass -> fail',
        expect.stringMatching(
          /^worse {4}key bank {2}signed on \S+ and is no longer published: it must stay published until \S+ at least \(JWKS-8\)$/,
        ),
        expect.stringMatching(/^changed {2}AMB-48 {2}reading when-registered \(.*\) -> not seen$/),
        '6 worse, 1 changed',
      ])
    })

    test('says so where the editions differ', async () => {
      const report = JSON.parse(readFileSync(own.path('first/report.json'), 'utf8'))
      const old = own.directory.write('of-another.json', JSON.stringify({ ...report, edition: '1.1' }))
      const { out } = await diff(old, own.path('first/report.json'))
      expect(out.split('\n')).toEqual(['The editions of the specification differ: 1.1, then 1.2.', 'Nothing changed.'])
    })

    test('wants the older one first', async () => {
      expect(await diff(report('second'), report('first'))).toEqual({
        code: exitCodes.usage,
        out: '',
        err: `${report('first')} is older than ${report('second')}: name the older one first`,
      })
    })

    test('JWKS-8: a run that is given the earlier report fails for the key that is gone', async () => {
      const { code, out } = await run(second, 'third', '--only', 'JWKS-8', '--earlier', report('first'))
      expect(code).toBe(exitCodes.bankFailed)
      expect(out).toMatch(/^fail {5}attestations\/key-publication /m)
      expect(out).toMatch(/key bank signed on \S+ and is no longer published/)
    })
  })

  test('refuses a bundle that was changed, and what is no report', async () => {
    const changed = own.tampered((copy) => rmSync(join(copy, 'target.json')))
    expect(await diff(changed, own.bundle)).toMatchObject({
      code: exitCodes.usage,
      err: `${changed}: target.json was removed`,
    })
    const folder = own.tampered((copy) => {
      for (const name of ['manifest.json', 'manifest.jws']) rmSync(join(copy, name))
    })
    expect(await diff(folder, own.bundle)).toMatchObject({
      code: exitCodes.usage,
      err: `${folder} is not a bundle; did you mean ${join(folder, 'report.json')}?`,
    })
    expect(await diff(own.path('target.yaml'), own.bundle)).toMatchObject({
      code: exitCodes.usage,
      err: `${own.path('target.yaml')} is not a report.json of this version`,
    })
  })
})
