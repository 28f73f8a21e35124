import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'cheerio'
import { stringify } from 'yaml'
import { exitCodes } from './output.js'
import { bankForFile } from './testing/banks.js'
import { command } from './testing/command.js'
import { targetFileOf } from './testing/foreign-bank.js'
import { html } from './testing/https-server.js'
import { targetDirectory } from './testing/target-file.js'

const directory = await targetDirectory()
afterAll(() => directory.remove())

const bank = await bankForFile(() => ({ 'GET /healthcheck': () => html('<p>') }))
const target = directory.write('target.yaml', stringify(targetFileOf(bank)))

const waiver = {
  rule: 'health/record',
  reason: 'The record comes with release 4.2.',
  owner: 'Jana Nová',
  issue: 'IDP-118',
  expires: '2999-12-31',
}
const waiverText = 'waived until 2999-12-31 by Jana Nová (IDP-118): The record comes with release 4.2.'

function run(waivers: unknown, ...only: string[]) {
  const file = directory.write('waivers.yaml', typeof waivers === 'string' ? waivers : stringify(waivers))
  const out = join(directory.path, 'out')
  return command(['run', '--target', target, '--out', out, '--only', ...only, '--waivers', file])
}

const written = (file: string) => readFileSync(join(directory.path, 'out', file), 'utf8')

test('a waived failure is shown as waived, with who answers for it, in every form of the report', async () => {
  const { code, out, err } = await run([waiver], 'health/record', 'discovery/document')
  expect({ code, err }).toEqual({ code: exitCodes.nothingFailed, err: '' })
  expect(out).toContain('waived   health/record')
  expect(out).toContain(`  waiver:        ${waiverText}\n`)
  expect(out).toContain('1 pass, 1 waived')
  const { results, counts } = JSON.parse(written('report.json'))
  expect(counts).toMatchObject({ fail: 0, waived: 1 })
  expect(results.find(({ rule }: { rule: string }) => rule === 'health/record')).toMatchObject({
    status: 'waived',
    waiver,
  })
  const junit = load(written('junit.xml'), { xml: true })
  expect(junit('testsuites').attr()).toMatchObject({ failures: '0', errors: '0' })
  expect(junit('testsuite[name=health]').attr('skipped')).toBe('1')
  expect(junit('[classname=health] skipped').attr('message')).toContain(waiverText)
  const page = load(written('report.html'))
  expect(page('.verdict').text()).toBe('Nothing failed; 1 waived.')
  expect(page('#card-health\\/record').text()).toContain(waiverText)
})

test('a failure without a waiver fails the run all the same', async () => {
  const { code, err } = await run([{ ...waiver, rule: 'health/status' }], 'health/record', 'discovery/document')
  expect({ code, err }).toEqual({ code: exitCodes.bankFailed, err: '' })
})

test('a waiver of a rule that did not fail fails the run', async () => {
  const { code, err } = await run([waiver, { ...waiver, rule: 'discovery/document' }], 'HEALTH-1', 'DISC-1')
  expect({ code, err }).toEqual({
    code: exitCodes.usage,
    err: 'the waiver of discovery/document is unused: the rule did not fail',
  })
})

test('each mistake of a waiver file is one line, and no bank is asked', async () => {
  const before = bank.seen.length
  const { issue: _, ...unfollowed } = waiver
  const { code, err } = await run(
    [
      waiver,
      { ...waiver, reason: '' },
      { ...waiver, rule: 'health/none' },
      { ...waiver, rule: 'token/*' },
      { ...waiver, rule: 'discovery/document', expires: '2020-02-29' },
      { ...waiver, rule: 'token/scope-listed', expires: '2020-02-30' },
      { ...unfollowed, rule: 'token/code-exchange' },
      { ...waiver, rule: 'userinfo/signed', owner: 7 },
      { ...waiver, rule: 'userinfo/encrypted', until: 'then' },
      'key-set/document',
    ],
    'HEALTH-1',
  )
  expect(code).toBe(exitCodes.usage)
  expect(err.split('\n').map((line) => line.replace(/^waivers .*waivers\.yaml: /, ''))).toEqual([
    'waiver 2 (health/record): reason must not be empty.',
    'waiver 2 (health/record): another waiver above already names this rule',
    'waiver 3 (health/none): this rule does not exist; conformance list shows the rules',
    expect.stringMatching(/^waiver 4 \(token\/\*\): rule is not of the required form: Id of one rule/),
    'waiver 5 (discovery/document): expired on 2020-02-29',
    'waiver 6 (token/scope-listed): expires must be a date such as 2001-12-31.',
    'waiver 7 (token/code-exchange): issue is missing.',
    'waiver 8 (userinfo/signed): owner must be a string, but is a number.',
    expect.stringMatching(/^waiver 9 \(userinfo\/encrypted\): until is not a known member/),
    'waiver 10: The value[9] must be an object, but is a string.',
  ])
  expect(bank.seen).toHaveLength(before)
})

test('an empty file waives nothing, and one that is no YAML is told', async () => {
  expect(await run('# none\n', 'DISC-1')).toMatchObject({ code: exitCodes.nothingFailed })
  expect(await run('- [', 'DISC-1')).toMatchObject({
    code: exitCodes.usage,
    err: expect.stringMatching(/waivers\.yaml: line \d: /),
  })
})
