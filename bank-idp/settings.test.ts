import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { resolveSettings, type Sources } from './settings.js'
import { run } from './testing/command.js'

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'bank-idp-')), 'bank.yaml')
  writeFileSync(file, text)
  return file
}

const resolved = (sources: Partial<Sources>) => resolveSettings({ flags: {}, environment: {}, ...sources })

test('a flag wins over the environment, the environment over the file', () => {
  const file = fileOf('port: 1\nhost: 127.0.0.3\nissuer: https://file.example\n')
  const environment = { BANK_IDP_PORT: '2', BANK_IDP_HOST: '127.0.0.2', PATH: '/bin' }
  const { settings, origin } = resolved({ flags: { port: ['3'] }, environment, file })
  expect(settings).toEqual({ port: 3, host: '127.0.0.2', issuer: 'https://file.example' })
  expect([origin('port'), origin('host'), origin('issuer'), origin('data')]).toEqual([
    '--port',
    'BANK_IDP_HOST',
    `${file}: issuer`,
    undefined,
  ])
})

test('the file may be named by the environment', () => {
  const environment = { BANK_IDP_CONFIG: fileOf('port: 1') }
  expect(resolved({ environment }).settings).toEqual({ port: 1 })
})

test('the token of the control door is given in the environment alone', () => {
  const token = 'a-token-of-my-own'
  expect(resolved({ environment: { BANK_IDP_CONTROL_TOKEN: token } }).settings).toEqual({ controlToken: token })
  expect(() => resolved({ file: fileOf(`control_token: ${token}`) })).toThrow(
    'control_token is not a setting of a file: give it as BANK_IDP_CONTROL_TOKEN',
  )
  expect(resolved({ flags: { control: ['127.0.0.1:9000'] } }).settings).toEqual({ control: '127.0.0.1:9000' })
})

test('every kind of value can be given in every way', () => {
  const settings = {
    port: 0,
    control: false,
    faults: ['token/scope-missing', 'health/up'],
    edition: '1.2',
    readings: { 'AMB-15': 'created', 'AMB-21': 'unless-private-key-jwt' },
    people: 'people',
  }
  const inFile = fileOf(
    'port: 0\ncontrol: false\nfaults: [token/scope-missing, health/up]\nedition: 1.2\nreadings: {AMB-15: created, AMB-21: unless-private-key-jwt}\npeople: people',
  )
  expect(resolved({ file: inFile }).settings).toEqual(settings)
  const environment = {
    BANK_IDP_PORT: '0',
    BANK_IDP_CONTROL: 'no',
    BANK_IDP_FAULTS: 'token/scope-missing, health/up',
    BANK_IDP_EDITION: '1.2',
    BANK_IDP_READINGS: 'AMB-15=created,AMB-21=unless-private-key-jwt',
    BANK_IDP_PEOPLE: 'people',
  }
  expect(resolved({ environment }).settings).toEqual(settings)
  const flags = {
    port: ['0'],
    control: ['false'],
    faults: ['token/scope-missing', 'health/up'],
    edition: ['1.2'],
    readings: ['AMB-15=created', 'AMB-21=unless-private-key-jwt'],
    people: ['people'],
  }
  expect(resolved({ flags }).settings).toEqual(settings)
})

test.each<[Partial<Sources>, string]>([
  [{ flags: { port: ['84x'] } }, "--port: '84x' is not a whole number"],
  [{ environment: { BANK_IDP_CONTROL: 'maybe' } }, "BANK_IDP_CONTROL: 'maybe' is neither true nor false"],
  [{ environment: { BANK_IDP_PROT: '1' } }, 'BANK_IDP_PROT is not a setting: did you mean BANK_IDP_PORT?'],
  [{ environment: { BANK_IDP_HOST: '' } }, 'BANK_IDP_HOST: give a value, or leave it out'],
  [{ flags: { readings: ['AMB-15'] } }, "--reading: 'AMB-15' is not of the form ambiguity=reading"],
  [{ flags: { lifetimes: ['AccessToken=1h'] } }, "--lifetime: 'AccessToken=1h' is not of the form name=number"],
  [{ file: '/no/such.yaml' }, 'the configuration file /no/such.yaml cannot be read: ENOENT'],
])('%j is told', (sources, message) => {
  expect(() => resolved(sources)).toThrow(message)
})

test.each([
  ['prot: 1', ': prot is not a setting: did you mean port?'],
  ['headles: true', ': headles is not a setting: did you mean headless?'],
  ['frobnicate: 1', ': frobnicate is not a setting; the settings are port, host, data, '],
  ['port: {', 'cannot be read: '],
  ['- port', 'must hold settings as YAML, such as port: 8443'],
  ['port: eight', ": port: 'eight' is not a whole number"],
])('a file with %j is told', (text, message) => {
  expect(() => resolved({ file: fileOf(text) })).toThrow(message)
})

test('every mistake is told at once', () => {
  const environment = { BANK_IDP_PORT: 'x', BANK_IDP_CONTROL: 'y' }
  expect(() => resolved({ environment })).toThrow(/^BANK_IDP_PORT: .*\nBANK_IDP_CONTROL: .*$/)
})

test('config prints what is in force and where it comes from, as a file that can be used', async () => {
  const { code, stdout } = await run('config', '--port', '8444', '--fault', 'health/up', '--reading', 'AMB-15=created')
  expect(code).toBe(0)
  expect(stdout).toContain('port: 8444 # --port\n')
  expect(stdout).toContain('host: 127.0.0.1 # default\n')
  expect(stdout).toContain('# issuer: not set\n')
  expect(stdout).toContain('edition: "1.2" # default\nreadings: {AMB-15: created} # --reading\n')
  expect(parse(stdout)).toMatchObject({
    port: 8444,
    faults: ['health/up'],
    readings: { 'AMB-15': 'created' },
    control: true,
  })
  const again = await run('config', '--config', fileOf(stdout))
  expect(parse(again.stdout)).toEqual(parse(stdout))
})

test('config takes what start takes, and prints no secret as one to be used', async () => {
  const clients = '{client_id: app, client_secret: my-secret, redirect_uris: [https://app.example/cb]}'
  const file = fileOf(`control: 127.0.0.1:9000\nready_file: /tmp/ready.json\nprint: json\nclients: [${clients}]\n`)
  const { code, stdout } = await run('config', '--config', file)
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('my-secret')])
  expect(stdout).toMatch(/^# clients: \[.*client_secret: "\*\*\*".*\] # .*: clients$/m)
  expect(parse(stdout)).toMatchObject({ control: '127.0.0.1:9000', ready_file: '/tmp/ready.json', print: 'json' })
  expect((await run('config', '--config', fileOf(stdout))).code).toBe(0)
})

test('config tells that a bank in memory has its control door shut', async () => {
  expect(parse((await run('config', '--ephemeral')).stdout)).toMatchObject({ ephemeral: true, control: false })
})

test('a file that is no YAML of settings is told in one line', async () => {
  const file = fileOf('{port: 1}: 8443\n')
  const { code, stderr } = await run('config', '--config', file)
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^bank-idp: .* is not a setting; the settings are .*\n$/)])
  const prose = fileOf('The bank\nand its: settings\n')
  expect((await run('config', '--config', prose)).stderr).toMatch(/^bank-idp: .* cannot be read: .*[^:]\n$/)
})

test('a value that can be read but is out of range is told by where it was given', async () => {
  const { code, stderr } = await run('config', '--config', fileOf('port: 99999'))
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/bank\.yaml: port: '99999' is not a port: give a number from 0 to 65535\n$/),
  ])
})
