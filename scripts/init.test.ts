import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { files as bankFiles } from '../bank-idp/keys/data-directory.js'
import { loginPages } from '../bank-idp/target-file.js'
import { type RunningBank, startBank } from '../bank-idp/testing/command.js'
import type { Results } from '../conformance/harness/results.js'
import { exitCodes } from '../conformance/output.js'
import { loadTarget } from '../conformance/target/load-target.js'
import { command } from '../conformance/testing/command.js'
import { Hand } from './logins/hand.js'

let directory: string
let bank: RunningBank | undefined

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'init-'))
})

afterEach(async () => {
  await bank?.stop()
  rmSync(directory, { recursive: true })
})

async function start(...args: string[]): Promise<string> {
  bank = await startBank('--data', join(directory, 'bank'), ...args)
  return bank.issuer
}

/** A bank that was told what `init` wrote for it, and the directory of that. */
async function setUp(...args: string[]): Promise<string> {
  const made = join(directory, 'made')
  const issuer = await start()
  const ca = join(directory, 'bank', bankFiles.authority)
  const { code, err } = await command(['init', made, '--issuer', issuer, '--ca', ca, '--person', 'jana', ...args])
  expect({ code, err }).toEqual({ code: exitCodes.nothingFailed, err: '' })
  await bank?.stop()
  const output = [
    '--service-keys',
    join(made, 'service/public-jwks.json'),
    '--service-authority',
    join(made, 'service/ca.pem'),
  ]
  expect(await start('--port', new URL(issuer).port, ...output)).toBe(issuer)
  return made
}

function resultsIn(out: string): Record<string, string> {
  const { results } = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as Results
  return Object.fromEntries(results.map(({ rule, status }) => [rule, status]))
}

const chosen = ['registration/create', 'authorization/*', 'token/*', 'userinfo/*', 'signing/result']

test('what init writes runs against the bundled bank once the pages are described', async () => {
  const made = await setUp()
  const target = join(made, 'target.yaml')
  const out = join(directory, 'report')
  const unfinished = await command(['run', '--target', target, '--out', out, '--only', 'authorization/code'])
  expect(unfinished.code).toBe(exitCodes.usage)
  expect(unfinished.err).toContain('target file: people.0.password is still FILL-IN')

  // The doctor asks for what is to be filled in at the step that needs it, and tells the page that is to be described.
  const nobody = await command(['doctor', '--target', target])
  expect({ code: nobody.code, err: nobody.err }).toEqual({ code: exitCodes.usage, err: '' })
  expect(nobody.out).toMatch(/^good {8}client /m)
  const pages = 'login.pages.sign-in.when, login.pages.consent.when'
  expect(nobody.out).toContain(`no person can log in yet: people.0.password, ${pages} are still to be filled in`)
  const file = parseDocument(readFileSync(target, 'utf8'))
  file.setIn(['people', 0, 'password'], 'jana-secret')
  writeFileSync(target, String(file))
  const undescribed = await command(['doctor', '--target', target])
  expect(undescribed.code).toBe(exitCodes.usage)
  expect(undescribed.out).toMatch(/^bad {9}person .* which is a page titled ".*", forms: form#sign-in with login, /m)
  expect(undescribed.out).toContain(`likely cause: ${pages} are still to be filled in\n`)

  file.setIn(['login', 'pages'], { ...loginPages, further: { when: 'form#FILL-IN', actions: { submit: 'button' } } })
  writeFileSync(target, String(file))
  const leftOver = await command(['doctor', '--target', target])
  expect(leftOver.out).toMatch(/^bad {9}person .* but login.pages.further.when is still to be filled in$/m)
  file.setIn(['login', 'pages'], loginPages)
  writeFileSync(target, String(file))
  const doctor = await command(['doctor', '--target', target])
  expect(doctor).toMatchObject({
    code: exitCodes.nothingFailed,
    out: expect.stringContaining('No problem was found.'),
  })
  const { code } = await command(['run', '--target', target, '--out', out, '--only', ...chosen])
  expect(code).toBe(exitCodes.nothingFailed)
  expect(resultsIn(out)).toMatchObject({
    'registration/create': 'pass',
    'token/code-exchange': 'pass',
    'signing/result': 'pass',
  })
})

test('what init writes for a person runs by hand without a change', async () => {
  const made = await setUp('--login', 'person')
  const target = join(made, 'target.yaml')
  const out = join(directory, 'report')
  // A person's browser trusts the bank, and was told to go on where it does not know the service's certificate.
  const authorities = [loadTarget(target).ca, readFileSync(join(made, 'service/ca.pem'), 'utf8')].join('\n')
  const hand = new Hand(
    new Map(Object.entries(loginPages)),
    { login: 'jana', password: 'jana-secret', kinds: [] },
    authorities,
  )
  let going: Promise<void> | undefined
  const args = ['run', '--target', target, '--out', out, '--only', ...chosen]
  const {
    code,
    out: output,
    err,
  } = await command(args, {
    heard(line) {
      const [, address] = /open (https:\S+) in your browser/.exec(line) ?? []
      if (address) going = hand.open(address)
    },
  })
  await going
  expect({ code, lost: hand.lost }).toEqual({ code: exitCodes.nothingFailed, lost: [] })
  expect(err).toMatch(/^Sign in by hand: open https:\/\/localhost:\d+\/end-user\//)
  expect(output).toMatch(/^It costs at most \d+ sign-ins and about \d+ approvals/m)
  expect(resultsIn(out)).toMatchObject({
    'token/code-exchange': 'pass',
    'signing/result': 'pass',
    'authorization/code': 'skip',
  })
  expect(hand.passed.get('sign-in')).toBeLessThanOrEqual(12)
})
