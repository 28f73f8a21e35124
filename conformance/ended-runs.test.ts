import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { stringify } from 'yaml'
import { packageFile } from '../schemas/package-file.js'
import { bankForTest } from './testing/banks.js'
import { chromiumPath } from './testing/chromium.js'
import { targetFileOf } from './testing/foreign-bank.js'
import { html, type Replaced } from './testing/https-server.js'
import { targetDirectory } from './testing/target-file.js'

const directory = await targetDirectory()
afterAll(() => directory.remove())

/** What a run may be at when it is ended. */
const busy: Record<string, [routes: Replaced, until: string]> = {
  'waits for an answer, and for a registration to be taken away': [
    () => ({ 'POST /token': () => 'hang', 'DELETE /register/*': () => 'hang' }),
    'POST /token',
  ],
  'reads a page of which there is no end': [
    () => ({ 'GET /login': () => html('<div>'.repeat(200_000)) }),
    'GET /login',
  ],
  'has a page parsed that takes long': [
    () => ({ 'GET /login': () => html(`<a ${Array.from({ length: 70_000 }, (_, i) => `a${i}`).join(' ')}>`) }),
    'GET /login',
  ],
  'waits for a page to go on by itself': [
    () => ({ 'GET /login': () => html('<meta http-equiv="refresh" content="25;url=/consent">') }),
    'GET /login',
  ],
}

type TargetFile = ReturnType<typeof targetFileOf> & Record<string, unknown>

/** How people log in there. */
const loggingIn = (file: TargetFile, by: string): TargetFile => ({
  ...file,
  login: { ...file.login, by, ...(by === 'browser' && { browser: chromiumPath }) } as TargetFile['login'],
})

const out = `${directory.path}/out`

/** The arguments of a run against a bank of this target file. */
const runOf = (file: object) => [
  'run',
  '--target',
  directory.write('target.yaml', stringify(file)),
  '--only',
  'token/code-exchange',
  '--out',
  out,
]

function begun(args: readonly string[]): { command: ChildProcess; told: () => string } {
  const command = spawn(process.execPath, [packageFile('dist/bundled/conformance.js'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let text = ''
  command.stderr?.on('data', (chunk) => {
    text += chunk
  })
  return { command, told: () => text }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await setTimeout(20)
}

/**
 * Ends it, and sees to it that it does not wait for what it was at: that would take the rest of the 5 s of a page, 25 s, or for ever. A second is
 * what it takes on a machine that has nothing else to do.
 * @param bound milliseconds
 */
async function expectToEnd(command: ChildProcess, bound = 5_000): Promise<void> {
  expect([command.exitCode, command.signalCode]).toEqual([null, null])
  const ended = once(command, 'exit')
  const asked = performance.now()
  command.kill('SIGTERM')
  await ended
  expect(command.exitCode).toBe(3)
  expect(performance.now() - asked).toBeLessThan(bound)
}

describe('SIGTERM ends, and does not wait for it:', () => {
  test.each(Object.entries(busy))('a run that %s', async (_what, [routes, asked]) => {
    const bank = await bankForTest(routes)
    const { command } = begun(runOf(targetFileOf(bank)))
    await until(() => bank.seen.includes(asked))
    await expectToEnd(command)
  })

  test('a run all of whose answers are pages that take long to be parsed', async () => {
    const page = Array.from({ length: 300 }, (_, i) => `<p><b a=${i}>`).join('')
    const asked = ['GET /auth', 'GET /userinfo', 'GET /profile', 'GET /healthcheck', 'POST /token', 'POST /register']
    const bank = await bankForTest((own) => ({
      ...Object.fromEntries(asked.map((route) => [route, () => html(page)])),
      'POST /register': (request) =>
        bank.clients.size < 3 ? (own['POST /register']?.(request) ?? 'hang') : html(page),
    }))
    const { command } = begun(runOf(targetFileOf(bank)).toSpliced(3, 2))
    await until(() => bank.seen.filter((route) => asked.includes(route)).length > 20)
    // To write all of them into the report took 20 s and more.
    await expectToEnd(command, 10_000)
    // The pages themselves take most of it.
  })

  test('a run whose browser waits for a page', async () => {
    const bank = await bankForTest(() => ({ 'GET /login': () => 'hang' }))
    const { command } = begun(runOf(loggingIn(targetFileOf(bank), 'browser')))
    await until(() => bank.seen.includes('GET /login'))
    await expectToEnd(command)
  })

  test('a run that waits for somebody to sign in by hand', async () => {
    const bank = await bankForTest()
    const { command, told } = begun(runOf(loggingIn(targetFileOf(bank), 'person')))
    await until(() => told().includes('Sign in by hand'))
    await expectToEnd(command)
  })

  describe('what waits for somebody who accepts connections, and says nothing:', () => {
    let accepted = 0
    const silent = createServer(() => {
      accepted += 1
    })
    let address: string

    beforeAll(async () => {
      await new Promise<void>((resolve) => silent.listen(0, 'localhost', resolve))
      address = `localhost:${(silent.address() as AddressInfo).port}`
    })

    afterAll(() => silent.close())

    const ca = `${directory.path}/ca.pem`
    const service = ['--url', 'https://localhost:{port}', '--listen', 'localhost:0', '--authority', 'own']
    const issuer = () => `https://${address}`
    const target = (file: object) => directory.write('target.yaml', stringify({ ...file, issuer: issuer() }))

    test.each<[string, (file: TargetFile) => string[]]>([
      ['a run, for TLS', (file) => runOf({ ...file, issuer: issuer() })],
      [
        'a run, for the time of the control door',
        (file) => runOf({ ...file, control: { url: `http://${address}`, token_file: 'control.token' } }),
      ],
      ['the doctor, for TLS', (file) => ['doctor', '--target', target(file)]],
      [
        'init, for TLS',
        () => [
          ...['init', `${directory.path}/made`, '--issuer', issuer(), '--ca', ca],
          ...[...service, '--login', 'forms', '--person', ''],
        ],
      ],
    ])('%s', async (_what, args) => {
      const before = accepted
      const { command } = begun(args(targetFileOf(await bankForTest())))
      // The first look is whether there is anybody; the second waits for an answer. The door is asked once.
      await until(() => accepted > before)
      await setTimeout(500)
      await expectToEnd(command)
    })
  })
})

test('SIGINT while a browser is driven has what was registered taken away, however slowly, and the report written', async () => {
  const bank = await bankForTest((own) => ({
    'GET /login': () => 'hang',
    async 'DELETE /register/*'(request) {
      await setTimeout(3_000)
      return own['DELETE /register/*']?.(request) ?? 'hang'
    },
  }))
  const { command } = begun(runOf(loggingIn(targetFileOf(bank), 'browser')))
  await until(() => bank.seen.includes('GET /login'))
  const ended = once(command, 'exit')
  command.kill('SIGINT')
  await ended
  expect([command.exitCode, bank.clients.size]).toEqual([3, 0])
  expect(JSON.parse(readFileSync(`${out}/report.json`, 'utf8'))).toMatchObject({ issuer: bank.url, partial: true })
})
