import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { createBank } from './bank.js'
import { bankOptions } from './commands/bank-options.js'
import { configure } from './config.js'
import { resolveSettings, type Sources } from './settings.js'
import { run } from './testing/command.js'

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'bank-idp-')), 'bank.yaml')
  writeFileSync(file, text)
  return file
}

/** What is in force by a file alone. */
function configured(file: string) {
  const all = resolved({ file })
  return configure(bankOptions(all), all.origin)
}

function thrown(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was wrong')
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
  ['host: [a, b]', ': host: give one value, not a list'],
  [
    'people: [{login: ota}]',
    ': people: give one value, not a list (people who are described in this file are more_people)',
  ],
  ['faults: {token/scope-missing: true}', ': faults: give a list, not an object'],
  ['faults: [token/scope-missing, {id: a}]', ': faults[1]: give one value'],
  ['readings: {AMB-15: }', ': readings.AMB-15: give one value'],
  ['limits: {logins: [1]}', ': limits.logins: give one value'],
  ['control: 9000', ": control: '9000' is neither true nor false, nor a place such as 127.0.0.1:9000"],
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

test.each([
  ['clients: my-app', 'clients must be a list, but is a string.'],
  ['clients: [{client_id: a, client_secret: b}]', 'clients[0].redirect_uris is missing.'],
  ['clients: [{client_id: a, client_secret: b, redirect_uris: [7]}]', 'clients[0].redirect_uris[0] must be a string'],
  ['more_people: [{login: ota}, {login: eva, acr: loa1}]', 'more_people[1].acr must be one of loa2, loa3.'],
  ['more_people: [{login: ota, lik: jana}]', 'more_people[0].lik is not a known member: did you mean like?'],
  ['outcomes: [not-eligible]', 'outcomes: give an outcome for each client, such as { my-app: not-eligible }'],
  ['outcomes: {my-app: not-eligable}', "outcomes.my-app: 'not-eligable' is no outcome: did you mean not-eligible?"],
  ['lifetimes: {AccesToken: 7200}', "lifetimes: 'AccesToken' has no lifetime: did you mean AccessToken?"],
  ['limits: {password_tries: 1}', "limits: 'password_tries' is not a limit: did you mean passwordTries?"],
  ['control: 127.0.0.1:99999', "control: '99999' is not a port: give a number from 0 to 65535"],
])('a file with %j names the entry that is wrong', (text, message) => {
  const file = fileOf(text)
  expect(() => configured(file)).toThrow(`${file}: ${message}`)
})

test('of an entry that nobody knows the one that was meant is told, for each in a line', () => {
  const client = '{clientId: a, clientSecret: b, redirectUris: ["https://app.example/cb"]}'
  const told = thrown(() => configured(fileOf(`clients: [${client}]`)))
  expect(told.match(/clients\[0\].* did you mean .*$/gm)).toEqual([
    'clients[0].clientId is not a known member: did you mean client_id?',
    'clients[0].clientSecret is not a known member: did you mean client_secret?',
    'clients[0].redirectUris is not a known member: did you mean redirect_uris?',
  ])
})

test.each([
  [
    'clients: [{client_id: a, client_secret: b, redirect_uris: [http://a.example]}]',
    'clients[0].redirect_uris: http://a.example is not https',
  ],
  [
    'clients: [{client_id: a, client_secret: b, redirect_uris: [https://a.example], scope: openid profile.nam}]',
    'clients[0].scope: profile.nam is not supported: did you mean profile.name?',
  ],
  [
    'clients: [{client_id: a, client_secret: b, redirect_uris: [https://a.example/, https://b.example/]}]',
    'clients[0].sector_identifier_uri is required, since redirect_uris have several hosts',
  ],
  ['more_people: [{login: jana}]', "more_people[0] (jana): login: there is a person 'jana' already"],
  [
    'more_people: [{login: ota, like: jna}]',
    "more_people[0] (ota): no person has the login name 'jna': did you mean jana?",
  ],
  ['outcomes: {my-app: not-eligible}', "outcomes.my-app: no client is registered as 'my-app'"],
  [
    'faults: [token/scope-mising]',
    "faults: no fault is called 'token/scope-mising'. Did you mean token/scope-missing?",
  ],
  ['people: /no/such', 'people: There is no folder of people at /no/such.'],
  ['service_authorities: [/no/such.pem]', 'service_authorities: /no/such.pem: ENOENT'],
  ['service_keys: /no/such.json', 'service_keys: /no/such.json contains no JWK set: ENOENT'],
])('a bank does not start with %j, and the entry that is wrong is named', async (text, message) => {
  const file = fileOf(text)
  const all = resolved({ file })
  await expect(createBank(bankOptions(all), undefined, all.origin)).rejects.toThrow(`${file}: ${message}`)
})

test('a value that can be read but is out of range is told by where it was given', async () => {
  const { code, stderr } = await run('config', '--config', fileOf('port: 99999'))
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/bank\.yaml: port: '99999' is not a port: give a number from 0 to 65535\n$/),
  ])
})
