import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { packageFile } from '../schemas/package-file.js'
import { run, startBank } from './testing/command.js'
import { bankAt } from './testing/known-bank.js'
import { TestService } from './testing/service.js'

function temporary(): string {
  return mkdtempSync(join(tmpdir(), 'bank-idp-'))
}

test('a first start makes what a newcomer needs; a later start keeps it', async () => {
  const data = temporary()
  const first = await startBank('--data', data)
  expect(first.stdout).toContain(`The bank listens on ${first.issuer}\nIt follows edition 1.2 of the specification\n`)
  expect(first.stdout).toContain('jana')
  const ca = readFileSync(join(data, 'ca.pem'))
  const keys = await request(first.issuer).get('/.well-known/jwks.json').ca(ca)
  expect(keys.body.keys.map(({ alg, use }: { alg: string; use: string }) => `${alg} ${use}`).sort()).toEqual([
    'ES256 sig',
    'ES512 sig',
    'PS512 sig',
    'RSA-OAEP-256 enc',
  ])
  const secret = [
    'bank.sqlite',
    'ca-key.pem',
    'tls-key.pem',
    'service/certificate-key.pem',
    'service/jwks.json',
    'control.token',
  ]
  for (const file of secret) expect([file, statSync(join(data, file)).mode & 0o777]).toEqual([file, 0o600])
  expect(readFileSync(join(data, 'target.yaml'), 'utf8')).toContain(`edition: "1.2"\nissuer: ${first.issuer}`)
  expect((await first.stop()).code).toBe(0)

  const second = await startBank('--data', data)
  const again = await request(second.issuer).get('/.well-known/jwks.json').ca(ca)
  expect(again.body).toEqual(keys.body)
  await second.stop()
})

test('the forced outcome of a client of a running bank is set and listed', async () => {
  const data = temporary()
  const bank = await startBank('--data', data)
  expect((await run('outcomes', 'list', '--data', data)).stdout).toBe('no outcome is set\n')
  const unknown = await run('outcomes', 'set', 'nobody', 'not-eligible', '--data', data)
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    "bank-idp: no client is registered as 'nobody': give the client_id that POST /register returned and the log shows as client\n",
  ])
  const sunny = await run('outcomes', 'set', 'nobody', 'sunny', '--data', data)
  expect([sunny.code, sunny.stderr]).toEqual([
    2,
    expect.stringContaining('Allowed choices are authentication-declined'),
  ])
  const service = await TestService.start(bankAt(bank.issuer, data))
  const { client_id } = await service.client()
  await service.stop()
  const set = await run('outcomes', 'set', client_id, 'weak-method', '--data', data)
  const line = `${client_id}  weak-method: user_not_eligible 'User authentication method insufficient'\n`
  expect([set.code, set.stdout]).toEqual([0, line])
  expect((await run('outcomes', 'list', '--data', data)).stdout).toBe(line)
  const unset = await run('outcomes', 'unset', client_id, '--data', data)
  expect([unset.code, unset.stdout]).toEqual([0, 'no outcome is set\n'])
  await bank.stop()
})

test('what others wrote commands no terminal, and hides nothing there', async () => {
  const data = temporary()
  const bank = await startBank('--data', data)
  const reason = 'repair\u001b[2J\u009b31m\u202e\u200b\rall is well'
  const { stdout } = await run('outage', 'start', '--subsystem', 'kyc', '--reason', reason, '--data', data)
  expect(stdout).toContain('repair[U+001B][2J[U+009B]31m[U+202E][U+200B][U+000D]all is well')
  await bank.stop()
})

test('the clock of a running bank goes back, is set, stands still and is the machine’s again', async () => {
  const data = temporary()
  const bank = await startBank('--data', data)
  const clock = async (...args: string[]) => (await run('clock', ...args, '--data', data)).stdout
  expect(await clock('back', '1h')).toMatch(
    /^Moved back by 3600 s\. The bank's time is \S+Z, 3600 s behind the machine's\.\n$/,
  )
  expect(await clock('freeze')).toMatch(/^Stopped\. .* behind the machine's, and stands still\.\n$/)
  expect(await clock('set', '2030-01-31T12:00:00Z')).toMatch(
    /^Set\. The bank's time is 2030-01-31T12:00:00.000Z, \d+ s ahead of the machine's, and stands still\.\n$/,
  )
  expect(await clock('run')).toMatch(/^Going on\. The bank's time is 2030-01-31T12:00:0.* ahead of the machine's\.\n$/)
  expect(await clock('reset')).toMatch(/^Given back\. The bank's time is \S+Z, that of the machine\.\n$/)
  const never = await run('clock', 'set', 'soon', '--data', data)
  expect([never.code, never.stderr]).toEqual([
    2,
    'bank-idp: the clock is set to a time from 1970 to 9999, such as 2030-01-31T12:00:00Z\n',
  ])
  await bank.stop()
})

test('clock and faults of a running bank are moved through the control door', async () => {
  const data = temporary()
  const bank = await startBank('--data', data, '--fault', 'health/no-content')
  const ca = readFileSync(join(data, 'ca.pem'))
  const health = () => request(bank.issuer).get('/healthcheck').ca(ca)
  expect((await health()).status).toBe(204)
  expect((await run('faults', 'off', 'health/no-content', '--data', data)).code).toBe(0)
  const before = (await health()).body.time
  const advanced = await run('clock', 'advance', '30d', '--data', data)
  expect(advanced.stdout).toMatch(
    /^Moved forward by 2592000 s\. The bank's time is \S+Z, 2592000 s ahead of the machine's\.\n$/,
  )
  const elapsed = Date.parse((await health()).body.time) - Date.parse(before)
  expect(elapsed).toBeGreaterThanOrEqual(2_592_000_000)
  expect((await run('clock', 'show', '--data', data)).stdout).toMatch(/^The bank's time is \S+Z, 2592000 s ahead/)
  const on = await run('faults', 'on', 'health/plain-text', '--data', data)
  expect(on.stdout).toMatch(/^health\/plain-text +on/)
  expect((await health()).text).toBe('OK')
  expect((await run('faults', 'list', '--data', data)).stdout).toMatch(/^health\/plain-text +on/m)
  const part = await run('outage', 'start', '--subsystem', 'nonsense', '--data', data)
  expect([part.code, part.stderr]).toEqual([
    2,
    expect.stringContaining('Allowed choices are dynamic-registration, oidc-core, revoke, kyc.'),
  ])
  const nobody = await run('stats', '--data', data)
  expect([nobody.code, nobody.stderr]).toEqual([2, 'bank-idp: name the person by --sub or by --sep-sub\n'])
  const nowhere = await run('stats', '--sub', 'x', '--service', 'nonsense', '--data', data)
  expect([nowhere.code, nowhere.stderr]).toEqual([
    2,
    "bank-idp: --service: 'nonsense' is not an address: give one such as https://localhost:9443\n",
  ])
  expect((await run('devices', 'list', '--data', data)).stdout).toBe('the bank knows no device\n')
  expect((await run('audit', 'list', '--data', data)).stdout).toBe('the log contains no authorization\n')
  const changed = await run('people', 'set', 'jana', 'email=new@example.org', 'nickname=', '--data', data)
  expect([changed.code, changed.stdout]).toEqual([0, 'email: new@example.org\nnickname: null\n'])
  await bank.stop()
  const gone = await run('clock', 'show', '--data', data)
  expect([gone.code, gone.stderr]).toEqual([
    2,
    expect.stringMatching(/^bank-idp: no running bank on \S+ has an open control door/),
  ])
})

test('faults are searched without a bank', async () => {
  const sought = await run('faults', 'known', 'Scope OUT')
  expect([sought.code, sought.stdout]).toEqual([
    0,
    // Whether it is on a running bank says alone.
    expect.stringMatching(/^token\/scope-missing +TOK-1 TOK-2 +Leaves scope out/m),
  ])
  const { stdout } = await run('faults', 'known', 'tok-2')
  expect([stdout, stdout.includes('TOK-28')]).toEqual([expect.stringMatching(/^token\/scope-missing /m), false])
  const nothing = await run('faults', 'known', 'xylophone')
  expect([nothing.code, nothing.stdout]).toEqual([
    1,
    "no fault has 'xylophone' in its id, its title or its requirements\n",
  ])
})

test('faults of a running bank are switched together, or none where a name is none', async () => {
  const data = temporary()
  const bank = await startBank('--data', data, '--fault', 'health/plain-text')
  const unknown = await run('faults', 'on', 'no/such', '--data', data)
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    "bank-idp: no fault is called 'no/such', so nothing was switched: see bank-idp faults known\n",
  ])
  const slip = await run('faults', 'on', 'token/scope-missing', 'health/no-contnt', '--data', data)
  expect([slip.code, slip.stderr]).toEqual([
    2,
    "bank-idp: no fault is called 'health/no-contnt' (did you mean health/no-content?), so nothing was switched: see bank-idp faults known\n",
  ])
  const noClient = await run('faults', 'on', 'token/scope-missing', '--client', 'nobody', '--data', data)
  expect([noClient.code, noClient.stderr]).toEqual([2, expect.stringContaining("no client is registered as 'nobody'")])
  expect((await run('faults', 'list', '--data', data)).stdout.match(/^\S+/gm)).toEqual(['health/plain-text'])
  const both = await run('faults', 'on', 'token/scope-missing', 'health/no-content', '--data', data)
  expect(both.stdout.match(/^\S+ +on /gm)).toHaveLength(2)
  const off = await run('faults', 'off', '--data', data)
  expect(off.stdout.match(/^\S+ +off /gm)).toHaveLength(3)
  expect((await run('faults', 'off', '--data', data)).stdout).toBe('no fault was on\n')
  expect((await run('faults', 'list', '--data', data)).stdout).toBe('no fault is on\n')
  await bank.stop()
})

test('keys are rotated, and outages announced, at a running bank', async () => {
  const data = temporary()
  const nobody = await run('rotate-keys', '--data', data)
  expect([nobody.code, nobody.stderr]).toEqual([
    2,
    expect.stringMatching(/^bank-idp: no running bank on \S+ has an open control door/),
  ])
  const bank = await startBank('--data', data)
  const rotated = await run('rotate-keys', '--alg', 'PS512', '--data', data)
  expect(rotated.stdout.match(/ PS512 .* in use$/gm)).toHaveLength(1)
  expect(rotated.stdout.match(/ PS512 .* published until \S+Z$/gm)).toHaveLength(1)
  expect((await run('keys', '--data', data)).stdout).toBe(rotated.stdout)
  const announced = await run('outage', 'start', '--subsystem', 'kyc', '--reason', 'maintenance', '--data', data)
  expect(announced.stdout).toMatch(/^announced {2}kyc +from \S+Z {2}until further notice {2}maintenance\n$/)
  const listed = (await run('outage', 'list', '--data', data)).stdout
  expect(`announced  ${listed}`).toBe(announced.stdout)
  const ended = await run('outage', 'end', '--subsystem', 'kyc', '--data', data)
  expect(ended.stdout).toBe(`ended      ${listed}no outage is announced now\n`)
  const toCome = await run('outage', 'start', '--from', '2090-01-31T12:00:00Z', '--data', data)
  const withdrawn = await run('outage', 'end', '--data', data)
  expect(withdrawn.stdout).toBe(`${toCome.stdout.replace('announced', 'withdrawn')}no outage is announced now\n`)
  const again = await run('outage', 'end', '--data', data)
  expect([again.code, again.stderr]).toEqual([2, 'bank-idp: no outage of the whole bank is announced\n'])
  await bank.stop()
})

test("people of a running bank are told, those of a folder of one's own among them", async () => {
  const [data, folder] = [temporary(), temporary()]
  const petr = JSON.parse(readFileSync(packageFile('fixtures/people/petr.json'), 'utf8'))
  const own = { ...petr, id: '4b9a0e0a-4f0a-4c43-9d0b-2f1f3f0c7a11', login: 'own', reason: 'One of our own.' }
  writeFileSync(join(folder, 'own.json'), JSON.stringify(own))
  const bank = await startBank('--data', data, '--people', folder)
  const listed = (await run('people', 'list', '--data', data)).stdout
  expect(listed).toMatch(/^jana +full: Everything a living person can have has a value\.$/m)
  expect(listed).toMatch(/^own +.*: One of our own\.$/m)
  const displayed = (await run('people', 'show', 'petr', '--data', data)).stdout
  expect(displayed).toMatch(/^ {2}birthnumber: "7911020876"$/m)
  expect(displayed).toMatch(/^ {2}age: \d+$/m)
  const person = async (...args: string[]) => (await run('people', ...args, '--data', data)).stdout
  expect(await person('create', 'ota', 'nickname=Oto', '--like', 'jana')).toBe(
    'ota can log in, with the password ota-secret\n',
  )
  expect(await person('show', 'ota')).toMatch(/^ {2}nickname: Oto$/m)
  expect(await person('next', 'ota', 'nickname=', '--outcome', 'switched-off')).toBe(
    'the next login of ota tells {"nickname":null} and ends as switched-off\n',
  )
  expect(await person('next', 'ota')).toBe('the next login of ota is as all others\n')
  expect(await person('block', 'ota')).toContain('ota is blocked: the logins and tokens of ota ended')
  expect(await person('delete', 'ota')).toBe('nobody has the login name ota any more\n')
  expect(await person('list')).not.toMatch(/^ota /m)
  const unknown = await run('people', 'show', 'nobody', '--data', data)
  expect([unknown.code, unknown.stderr]).toEqual([2, "bank-idp: no person has the login name 'nobody'\n"])
  await bank.stop()

  writeFileSync(join(folder, 'clash.json'), JSON.stringify({ ...own, login: 'jana', acr: 'loa4' }))
  writeFileSync(join(folder, 'twin.json'), JSON.stringify({ ...own, login: 'jana' }))
  const refused = await run('start', '--ephemeral', '--port', '0', '--people', folder)
  expect(refused.code).toBe(2)
  expect(refused.stderr.trim().split('\n')).toEqual([
    `bank-idp: --people: The people of ${folder} cannot be used:`,
    'clash.json: acr must be one of loa2, loa3.',
    `twin.json /login: jana is taken by ${packageFile('fixtures/people/jana.json')} /login.`,
    'twin.json /id: 4b9a0e0a-4f0a-4c43-9d0b-2f1f3f0c7a11 is taken by own.json /id.',
  ])
})

test('the control door is shut without its token, and to web pages', async () => {
  const data = temporary()
  const bank = await startBank('--data', data)
  const { url } = JSON.parse(readFileSync(join(data, 'control.json'), 'utf8'))
  const authorization = `Bearer ${readFileSync(join(data, 'control.token'), 'utf8')}`
  expect((await request(url).get('/clock')).status).toBe(401)
  expect((await request(url).get('/clock').set({ authorization, origin: 'https://evil.test' })).status).toBe(401)
  expect((await request(url).get('/clock').set({ authorization })).body).toEqual({
    now: expect.any(String),
    offset_seconds: 0,
    frozen: false,
  })
  expect((await request(url).post('/clock').set({ authorization }).send({ advance_seconds: -1 })).body).toEqual({
    error: 'invalid_request',
    error_description: 'the clock moves forward only: give a positive number of seconds',
  })
  await bank.stop()
})

test('a bank in memory has a control door where it is told, with the token of a file', async () => {
  const file = join(temporary(), 'token')
  writeFileSync(file, 'a-token-of-my-own\n')
  const bank = await startBank('--ephemeral', '--control', '127.0.0.1:0', '--control-token-file', file)
  const [, url = ''] = /^Control door: (\S+) /m.exec(bank.stdout) ?? []
  const asked = request(url).post('/clients').set('authorization', 'Bearer a-token-of-my-own')
  expect((await asked.send({ redirect_uris: ['https://app.example/cb'] })).status).toBe(200)
  expect((await request(url).get('/clock').set('authorization', 'Bearer another-of-my-own')).status).toBe(401)
  expect(bank.stdout).not.toContain('a-token-of-my-own')
  await bank.stop()
})

test('the bench is opened by the address that is printed, in memory too; a token that was given is not printed', async () => {
  const bank = await startBank('--ephemeral', '--bench-page')
  const [, address = ''] = /^Bench: (\S+) /m.exec(bank.stdout) ?? []
  const { origin, pathname, search } = new URL(address)
  const { status, headers } = await request(origin).get(pathname + search)
  expect([status, headers.location]).toEqual([303, '/bench'])
  await bank.stop()
  const file = join(temporary(), 'token')
  writeFileSync(file, 'a-token-of-my-own\n')
  const other = await startBank('--ephemeral', '--bench-page', '--control-token-file', file)
  expect(other.stdout).toMatch(
    /^Bench: http:\/\/127\.0\.0\.1:\d+\/bench\?token=, followed by the token that you gave$/m,
  )
  expect(other.stdout).not.toContain('a-token-of-my-own')
  await other.stop()
  const { code, stderr } = await run('start', '--ephemeral', '--port', '0', '--bench-page', '--no-control')
  expect([code, stderr]).toEqual([
    2,
    'bank-idp: --bench-page: the bench is a page of the control door, which is kept shut: leave one of the two out\n',
  ])
})

test.each([
  [['--control', 'here'], "--control: 'here' is neither true nor false, nor a place such as 127.0.0.1:9000"],
  [
    ['--control', ':9', '--control-token-file', '/dev/null'],
    "--control: ':9' is no interface and port: give them such as 127.0.0.1:9000",
  ],
  [['--control-token-file', '/no/such'], '--control-token-file: /no/such cannot be read'],
  [['--control-token-file', '/dev/null', '--control'], 'the token needs 16 characters or more'],
])('a control door is not opened by %j', async (flags, message) => {
  const { code, stderr } = await run('start', '--ephemeral', '--port', '0', ...flags)
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test.each([['--control'], ['--control-port=8555']])(
  'a bank in memory has no control door without a token: %s',
  async (flag) => {
    const { code, stderr } = await run('start', '--ephemeral', '--port', '0', flag)
    const named = flag.split('=')[0]
    expect([code, stderr]).toEqual([
      2,
      `bank-idp: ${named}: the control door keeps its token in the data directory, and --ephemeral has none: give a token with --control-token-file, or leave one of the two out\n`,
    ])
  },
)

test.each([
  [['--port', '99999'], "--port: '99999' is not a port: give a number from 0 to 65535"],
  [['--issuer', 'http://bank.example'], "--issuer: 'http://bank.example' is not https"],
  ...['a;b', '*', '-a'].map((host): [string[], string] => [
    ['--issuer', `https://${host}.example`],
    `--issuer: 'https://${host}.example' has the host ${host}.example, which is no host name (RFC 1123 section 2.1)`,
  ]),
  [['--issuer', 'https://bänk.example'], 'must have its host written as xn--bnk-qla.example'],
  [['--fault', 'no/such'], "no fault is called 'no/such'. 'bank-idp faults known' and GET /v1/faults list them\n"],
  [
    ['--fault', 'token/scope-mising'],
    "'token/scope-mising'. Did you mean token/scope-missing? 'bank-idp faults known' and GET /v1/faults list them\n",
  ],
  [['--edition', '9.9'], "--edition: there is no edition '9.9' of the specification: the known ones are 1.2\n"],
  [['--reading', 'AMB-15=2'], "--reading: AMB-15 has no reading '2': give one of ok, created\n"],
  [['--reading', 'AMB-999=ok'], "--reading: edition 1.2 has no ambiguity 'AMB-999': there are AMB-1, AMB-2, "],
  [
    ['--reading', 'AMB-65=own-address'],
    "--reading: this bank does not offer the reading 'own-address' of AMB-65: it offers signing-grants-only\n",
  ],
  [
    ['--reading', 'AMB-51=fixed-address'],
    "reading AMB-51=fixed-address sends events to the service's own address: give it as option service\n",
  ],
  [
    ['--lifetime', 'Foo=1'],
    "--lifetime: 'Foo' has no lifetime; lifetimes exist for AccessToken, RefreshToken, IdToken, ",
  ],
  [['--data', '/dev/null/x'], 'the data directory /dev/null/x cannot be written'],
  [['--data', packageFile('package.json')], `${packageFile('package.json')} is a file: name a directory\n`],
  [['--data', '/proc/x'], 'the data directory /proc/x cannot be written'],
  [['--people', '/no/such'], 'There is no folder of people at /no/such.'],
])('start %j says what is wrong and exits with 2', async (flags, message) => {
  const keep = flags[0] === '--data' ? [] : ['--ephemeral']
  const { code, stderr, stdout } = await run('start', '--port', '0', ...keep, ...flags)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr).not.toMatch(/^ +at /m)
})

test('where the keys of the service are another’s, the target file is told to lack them', async () => {
  const [data, folder] = [temporary(), temporary()]
  const keys = join(folder, 'jwks.json')
  const bank = await startBank('--data', data)
  expect(bank.stdout).toMatch(/^Target file for the harness: \S+\n(?! )/m)
  await bank.stop()
  writeFileSync(keys, readFileSync(join(data, 'service/jwks.json')))
  const other = await startBank('--data', data, '--service-keys', keys)
  expect(other.stdout).toContain('name the private keys of your service there as service.keys')
  await other.stop()
})

test('a control door that does not answer is told from none', async () => {
  const data = temporary()
  // Reads, so that it sees the command's connection end, and says nothing.
  const silent = createServer((socket) => socket.resume())
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as { port: number }
  writeFileSync(join(data, 'control.json'), JSON.stringify({ url: `http://127.0.0.1:${port}` }))
  writeFileSync(join(data, 'control.token'), 'x')
  const { code, stderr } = await run('clock', 'show', '--data', data)
  silent.close()
  expect([code, stderr]).toEqual([
    2,
    `bank-idp: the bank that runs on ${data} did not answer at its control door within 5 s: it is busy, try again\n`,
  ])
})

test('a port that is taken is told in one line', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const { code, stderr } = await run('start', '--ephemeral', '--quiet', '--port', String(port))
  server.close()
  expect([code, stderr]).toEqual([
    2,
    `bank-idp: port ${port} is already in use: choose another with --port, or 0 for any free one\n`,
  ])
})
