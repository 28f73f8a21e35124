import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { validate } from '../schemas/index.js'
import { harness } from './about.js'
import { main } from './cli.js'
import { exitCodes } from './output.js'
import { liveProgress } from './reports/progress.js'
import { bankForTest } from './testing/banks.js'
import { command } from './testing/command.js'
import { type ForeignBank, rulesKept, targetFileOf } from './testing/foreign-bank.js'
import { html, json, type Replaced } from './testing/https-server.js'
import { targetDirectory } from './testing/target-file.js'

const directory = await targetDirectory()
afterAll(() => directory.remove())

const written = (bank: ForeignBank) => directory.write('target.yaml', stringify(targetFileOf(bank)))

/** The target file of a bank that runs. */
async function targetOf(routes: Replaced = () => ({})): Promise<string> {
  return written(await bankForTest(routes))
}

const out = () => join(directory.path, 'out')
const run = async (target: string, ...args: string[]) => command(['run', '--target', target, '--out', out(), ...args])

describe('conformance run', () => {
  test('exits 0 when nothing failed, and writes the report', async () => {
    const { code, out: printed, err } = await run(await targetOf(), '--only', ...rulesKept)
    expect({ code, err }).toEqual({ code: exitCodes.nothingFailed, err: '' })
    expect(printed).toContain(`${rulesKept.length} pass`)
    expect(printed).toContain(`The report is in ${out()}/report.html; report.json and junit.xml are beside it.`)
    expect(validate('report', JSON.parse(readFileSync(join(out(), 'report.json'), 'utf8')))).toEqual([])
  })

  test('exits 1 when the bank failed', async () => {
    const target = await targetOf(() => ({ 'GET /healthcheck': () => html('<p>') }))
    expect(await run(target, '--only', 'HEALTH-1')).toMatchObject({ code: exitCodes.bankFailed })
  })

  test('exits 1 when a MUST was blocked', async () => {
    const target = await targetOf(() => ({ 'POST /token': () => json({}, 500) }))
    expect(await run(target, '--only', 'TOK-2')).toMatchObject({ code: exitCodes.bankFailed })
  })

  test('exits 1 when the bank failed, also when the target file is at fault', async () => {
    const target = await targetOf(() => ({ 'GET /login': () => html('<p>'), 'GET /healthcheck': () => html('<p>') }))
    const { code, out: printed } = await run(target, '--only', 'HEALTH-1', 'authorization/code')
    expect(code).toBe(exitCodes.bankFailed)
    expect(printed).toContain('1 fail, 1 error')
  })

  test('exits 2 when nothing could be judged for what the target file says, and 1 when something could', async () => {
    const target = await targetOf(() => ({ 'GET /login': () => html('<p>') }))
    expect(await run(target, '--only', 'authorization/code')).toMatchObject({ code: exitCodes.usage })
    expect(await run(target, '--only', 'HEALTH-1', 'authorization/code')).toMatchObject({ code: exitCodes.bankFailed })
  })

  test('tells what failed and the verdict, and everything when it is asked', async () => {
    const target = await targetOf()
    const { out: printed } = await run(target, '--only', 'HEALTH-1')
    expect(printed).not.toMatch(/^pass /m)
    expect(printed).toMatch(/^Nothing failed\.\nhttps:/m)
    expect((await run(target, '--only', 'HEALTH-1', '--verbose')).out).toMatch(/^pass {5}health\/record /m)
  })

  test('tells what a failure blocks with that failure, and not as it comes', async () => {
    const target = await targetOf(() => ({ 'POST /token': () => html('<p>') }))
    const { out: printed } = await run(target, '--only', 'token/code-exchange', 'userinfo/signed')
    expect(printed).not.toMatch(/^blocked /m)
    expect(printed).toMatch(/^ {2}blocks: +1 more: userinfo\/signed$/m)
  })

  test('writes what code scanning reads, and all evidence, when it is asked', async () => {
    const target = await targetOf()
    rmSync(out(), { recursive: true, force: true })
    const report = () => JSON.parse(readFileSync(join(out(), 'report.json'), 'utf8'))
    await run(target, '--only', 'HEALTH-1')
    expect(existsSync(join(out(), 'report.sarif'))).toBe(false)
    expect(report().evidence[0]).toMatchObject({ kind: 'brief' })
    await run(target, '--only', 'HEALTH-1', '--sarif', '--all-evidence', '--jobs', '1', '--timeout', '60')
    expect(JSON.parse(readFileSync(join(out(), 'report.sarif'), 'utf8')).version).toBe('2.1.0')
    expect(report().evidence[0]).toMatchObject({ kind: 'exchange' })
  })

  test('annotates the run of GitHub Actions and writes the summary of its job', async () => {
    const target = await targetOf(() => ({ 'GET /healthcheck': () => html('<p>') }))
    const summary = directory.write('summary.md', '')
    const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY } = process.env
    try {
      Object.assign(process.env, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary })
      const { out: printed } = await run(target, '--only', 'HEALTH-1')
      expect(printed).toMatch(/^::error title=HEALTH-1 health\/record::/m)
      expect(readFileSync(summary, 'utf8')).toContain('**The bank breaks 1 rule about what it must do.**')
      delete process.env.GITHUB_ACTIONS
      expect((await run(target, '--only', 'HEALTH-1')).out).not.toContain('::error')
      expect((await run(target, '--only', 'HEALTH-1', '--github')).out).toContain('::error')
    } finally {
      for (const [name, value] of Object.entries({ GITHUB_ACTIONS, GITHUB_STEP_SUMMARY })) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    }
  })

  test.each([
    ['--jobs', '0'],
    ['--jobs', '1.5'],
    ['--jobs', '65'],
    ['--timeout', 'soon'],
    ['--timeout', '4000'],
  ])('exits 2 at %s %s', async (option, value) => {
    expect(await run('none.yaml', option, value)).toMatchObject({
      code: exitCodes.usage,
      err: expect.stringMatching(new RegExp(`'${option} <\\w+>' argument '${value}' is invalid\\. give a `)),
    })
  })

  test('exits 3 when it was ended early', async () => {
    const ending = new AbortController()
    const target = await targetOf(() => ({
      'GET /healthcheck': () => {
        ending.abort()
        return 'hang'
      },
    }))
    const args = ['run', '--target', target, '--out', out(), '--only', 'HEALTH-1']
    const { code, out: printed } = await command(args, { signal: ending.signal })
    expect(code).toBe(exitCodes.harnessFailed)
    expect(printed).toContain('The run ended early; rules without a result: health/record')
  })

  test('exits 3 when its time is over', async () => {
    const target = await targetOf(() => ({ 'GET /healthcheck': () => 'hang' }))
    const { code, out: printed } = await run(target, '--only', 'HEALTH-1', '--within', '0.01')
    expect(code).toBe(exitCodes.harnessFailed)
    expect(printed).toContain('The run ended early; rules without a result: health/record')
    expect(await run(target, '--within', '-1')).toMatchObject({ code: exitCodes.usage })
  })

  test('exits 2 with a line for each mistake of the target file', async () => {
    const target = directory.write('wrong.yaml', stringify({ issuer: 'https://a.example/?bank', ca: 'none.pem' }))
    const { code, err } = await run(target)
    expect(code).toBe(exitCodes.usage)
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^target file: issuer is not /),
      `target file: ca: the file ${join(directory.path, 'none.pem')} does not exist`,
    ])
  })

  test('exits 2 with the cause when there is no bank at the address', async () => {
    const bank = await bankForTest()
    const target = written(bank)
    await bank.close()
    rmSync(out(), { recursive: true, force: true })
    const { code, err } = await run(target)
    expect(code).toBe(exitCodes.usage)
    expect(err.split('\n')).toEqual([
      expect.stringMatching(/^bad {9}TCP {18}localhost:\d+ refuses the connection$/),
      '                                 likely cause: nothing listens there',
      '                                 fix:          start the bank, or correct the port of issuer',
      'The bank cannot be examined with this set-up; conformance doctor checks it in more detail.',
    ])
    expect(existsSync(out())).toBe(false)
  })

  test('exits 2 when it is not used as it is meant', async () => {
    expect(await command(['run'])).toMatchObject({
      code: exitCodes.usage,
      err: "error: required option '--target <file>' not specified",
    })
    expect(await command(['walk'])).toMatchObject({ code: exitCodes.usage, err: "error: unknown command 'walk'" })
    expect(await command(['--help'])).toMatchObject({ code: exitCodes.nothingFailed, err: '' })
    expect(await command(['--version'])).toEqual({ code: exitCodes.nothingFailed, out: harness.version, err: '' })
  })

  test.each([
    ['is a file', () => directory.write('in-the-way', ''), 'is a file'],
    [
      'lies below a file',
      () => join(directory.write('in-the-way', ''), 'out'),
      'cannot be written to (a file is where a folder should be)',
    ],
    ['cannot be made', () => '/proc/report/out', 'cannot be written to (there is no such file or folder)'],
  ])('exits 2 before the bank is asked when --out %s', async (_, place, what) => {
    const bank = await bankForTest()
    const target = written(bank)
    const { code, err } = await command(['run', '--target', target, '--out', place(), '--only', 'HEALTH-1'])
    expect({ code, err }).toEqual({ code: exitCodes.usage, err: `--out ${place()} ${what}: name a directory` })
    expect(bank.seen).toEqual([])
  })

  test('exits 4 when the selection matches nothing', async () => {
    expect(await run(await targetOf(), '--only', 'TOK-999')).toMatchObject({
      code: exitCodes.nothingSelected,
      err: expect.stringMatching(/^TOK-999 matches no rule and no requirement of a rule; did you mean TOK-9, /),
    })
  })
})

test('a wrong password is entered once in a run, and nothing else is said of what it keeps from being judged', async () => {
  const bank = await bankForTest()
  const file = targetFileOf(bank)
  const people = file.people.map((person) => ({ ...person, password: 'a-wrong-one' }))
  const target = directory.write('target.yaml', stringify({ ...file, people }))
  const { code, out: printed } = await run(target, '--only', ...rulesKept, '--skip', 'token/*')
  expect(bank.seen.filter((request) => request === 'POST /login')).toEqual(['POST /login'])
  expect(code).toBe(exitCodes.bankFailed)
  expect(printed.match(/^error {4}\S+/gm)?.length).toBeGreaterThan(1)
  expect(
    printed.match(/^ {2}login\.pages\.sign-in: the bank showed the page again|^ {2}the target file: login/gm)?.length,
  ).toBe(1)
})

test('doctor ends with what was not checked and what a run would skip for it', async () => {
  const target = await targetOf()
  const { out: printed } = await command(['doctor', '--target', target])
  const lines = printed.split('\n')
  expect(printed).not.toMatch(/No problem was found\.$/)
  expect(lines).toContainEqual(expect.stringMatching(/^Not checked: second factor \(the bank does not declare loa3/))
  const skipped = Number(/^Of \d+ rules a run would skip (\d+):$/m.exec(printed)?.[1])
  const counts = [...printed.matchAll(/^ +(\d+) because /gm)].map(([, count]) => Number(count))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(skipped)
})

describe('conformance run --rerun-failed', () => {
  test('runs what failed, was blocked or had no result, and tells what it leaves out', async () => {
    const target = await targetOf(() => ({ 'POST /token': () => json({}, 500) }))
    await run(target, '--only', 'authorization/code', 'token/code-exchange', 'token/scope-listed')
    const report = join(out(), 'report.json')
    const { code } = await run(target, '--rerun-failed', report)
    expect(code).toBe(exitCodes.bankFailed)
    const { results, selection } = JSON.parse(readFileSync(report, 'utf8'))
    expect(results.map(({ rule }: { rule: string }) => rule)).toEqual(['token/code-exchange', 'token/scope-listed'])
    expect(selection.leftOut).toContain('authorization/code')
    await run(target, '--rerun-failed', report, '--skip', 'TOK-1')
    const less = JSON.parse(readFileSync(report, 'utf8'))
    expect(less.results.map(({ rule }: { rule: string }) => rule)).toEqual(['token/scope-listed'])
  })

  test('has nothing to do when nothing failed', async () => {
    const target = await targetOf()
    await run(target, '--only', 'HEALTH-1')
    expect(await run(target, '--rerun-failed', join(out(), 'report.json'))).toMatchObject({
      code: exitCodes.nothingSelected,
      err: `none of the selected rules failed in ${join(out(), 'report.json')}`,
    })
  })

  test('wants a report', async () => {
    const target = await targetOf()
    expect(await run(target, '--rerun-failed', 'nowhere.json')).toMatchObject({
      code: exitCodes.usage,
      err: 'the report nowhere.json cannot be read (there is no such file or folder)',
    })
    directory.write('report.json', '{}')
    expect(await run(target, '--rerun-failed', directory.path)).toMatchObject({
      code: exitCodes.usage,
      err: `the report ${directory.path} cannot be read (it is a folder, not a file); did you mean ${join(directory.path, 'report.json')}?`,
    })
    expect(await run(target, '--rerun-failed', target)).toMatchObject({ code: exitCodes.usage })
  })
})

describe('in a terminal', () => {
  test('a line tells how far the run is and what it does; what passes is only counted', async () => {
    const target = await targetOf()
    const written: string[] = []
    const lines: string[] = []
    await main(['run', '--target', target, '--out', out(), '--only', 'HEALTH-1', 'DISC-1'], {
      out: (text) => lines.push(text),
      err: () => {},
      tell: () => {},
      styled: false,
      live: { write: (text) => written.push(text), columns: () => 60 },
      signal: new AbortController().signal,
    })
    expect(written).toContainEqual(expect.stringContaining('0/2  health/record  GET /healthcheck'))
    expect(written).toContainEqual(expect.stringContaining('2/2  2 pass'))
    expect(written.at(-1)).toBe('\r\u001b[2K')
    expect(Math.max(...written.map((text) => text.length))).toBeLessThan(60 + '\r\u001b[2K'.length)
    expect(lines[0]).not.toContain('pass     health/record')
  })
})

test('the line of a terminal says what is left once there is something to tell it by', () => {
  let now = 0
  const written: string[] = []
  const progress = liveProgress(
    (text) => written.push(text.slice('\r\u001b[2K'.length)),
    () => 80,
    () => now,
  )
  progress.begin('health/record', 40)
  now = 1000
  for (let done = 1; done <= 10; done += 1) progress.result('pass', done)
  expect(written.at(-2)).toBe('9/40  9 pass  health/record')
  expect(written.at(-1)).toBe('10/40  10 pass  30 left, about 3 s  health/record')
  for (let done = 11; done <= 40; done += 1) progress.result('pass', done)
  expect(written.at(-1)).toBe('40/40  40 pass  health/record')
})

test('what is interrupted before there is a result says so', async () => {
  const target = await targetOf()
  expect(await command(['run', '--target', target, '--out', out()], { signal: AbortSignal.abort() })).toMatchObject({
    code: exitCodes.harnessFailed,
    err: 'interrupted before there was a result',
  })
})
