import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer, get } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { packageFile } from '../schemas/package-file.js'
import { run, startBank } from './testing/command.js'
import { freePort } from './testing/free-port.js'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ready-'))
})

afterEach(() => rmSync(directory, { recursive: true }))

test('a script waits for a bank that is about to start, and learns from its ready file what it needs', async () => {
  const [data, ready] = [join(directory, 'data'), join(directory, 'ready.json')]
  writeFileSync(ready, 'of a bank that was killed')
  const waiting = run('wait', '--data', data)
  const bank = await startBank('--data', data, '--ready-file', ready, '--reading', 'AMB-15=created')
  expect(await waiting).toEqual({ code: 0, stdout: `The bank works at ${bank.issuer}\n`, stderr: '' })
  expect(statSync(ready).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(ready, 'utf8'))).toEqual({
    issuer: bank.issuer,
    pid: expect.any(Number),
    edition: '1.2',
    readings: { 'AMB-15': 'created' },
    faults: [],
    data,
    ca: readFileSync(join(data, 'ca.pem'), 'utf8'),
    ca_file: join(data, 'ca.pem'),
    target: join(data, 'target.yaml'),
    control: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/), token_file: join(data, 'control.token') },
    metrics: null,
    people: expect.arrayContaining([{ login: 'jana', password: 'jana-secret' }]),
  })
  await bank.stop()
  expect(existsSync(ready)).toBe(false)
  expect(await run('wait', '--data', data, '--timeout', '3s')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`bank-idp: no working bank within 3 s: ${bank.issuer}: connect ECONNREFUSED`),
  })
})

test('a bank in memory prints one line of JSON, with the authority to trust, and writes it to its ready file', async () => {
  const ready = join(directory, 'ready.json')
  const args = ['start', '--ephemeral', '--quiet', '--port', '0', '--print', 'json', '--ready-file', ready]
  const child = spawn(process.execPath, [packageFile('dist/bundled/bank-idp.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  const told = JSON.parse(chunk.toString())
  expect(told).toMatchObject({ pid: child.pid, data: null, ca_file: null, target: null, control: null })
  const ca = join(directory, 'ca.pem')
  writeFileSync(ca, told.ca)
  const works = `The bank works at ${told.issuer}\n`
  expect((await run('wait', told.issuer, '--ca', ca)).stdout).toBe(works)
  expect((await run('wait', '--ready-file', ready)).stdout).toBe(works)
  const distrusting = await run('wait', told.issuer, '--data', join(directory, 'nothing'), '--timeout', '1s')
  expect(distrusting.stderr).toMatch(/certificate.*: name the authority of its certificate by --ca\n$/)
  child.kill()
  await once(child, 'exit')
  const { code, stderr } = await run('wait', '--ready-file', ready, '--timeout', '1s')
  expect([code, stderr]).toEqual([1, `bank-idp: no working bank within 1 s: there is no ${ready}\n`])
})

test('a start that fails leaves the ready file of the bank that runs', async () => {
  const [data, ready] = [join(directory, 'data'), join(directory, 'ready.json')]
  const bank = await startBank('--data', data, '--ready-file', ready)
  expect((await run('start', '--data', data, '--port', '0', '--ready-file', ready)).code).toBe(2)
  expect(JSON.parse(readFileSync(ready, 'utf8')).issuer).toBe(bank.issuer)
  await bank.stop()
})

test("what oidc-provider says of this version of Node.js is in the bank's log", async () => {
  const child = spawn(
    process.execPath,
    [packageFile('dist/bundled/bank-idp.js'), 'start', '--ephemeral', '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  await once(child.stdout, 'data')
  child.kill()
  await once(child, 'close')
  const said = log.includes('"event":"notice","message":"oidc-provider WARNING: Unsupported runtime.')
  expect(said).toBe(process.versions.node.startsWith('20.'))
})

test('an outage is no working bank, and the words of the health record say why', async () => {
  const data = join(directory, 'data')
  const bank = await startBank('--data', data)
  await run('outage', 'start', '--reason', 'maintenance', '--data', data)
  const { code, stderr } = await run('wait', '--data', data, '--timeout', '3s')
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${bank.issuer}: ERROR: out of order: `)])
  await bank.stop()
})

test('several banks live in one process, each as its file says', async () => {
  const port = await freePort()
  const places = { one: 'port: 0', other: `port: ${port}\nissuer: https://other.localhost:${port}` }
  const files = Object.entries(places).map(([name, place]) => {
    const file = join(directory, `${name}.yaml`)
    const client = `{client_id: ${name}, client_secret: s, redirect_uris: [https://app.example/cb]}`
    writeFileSync(file, `ephemeral: true\n${place}\nquiet: true\nprint: json\nclients: [${client}]\n`)
    return file
  })
  const args = ['start', ...files.flatMap((file) => ['--config', file])]
  const child = spawn(process.execPath, [packageFile('dist/bundled/bank-idp.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let told = ''
  while (told.split('\n').length < 3) told += String(await once(child.stdout, 'data'))
  const banks = told
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { issuer: string; ca: string })
  expect(new Set(banks.map(({ issuer }) => issuer)).size).toBe(2)
  for (const { issuer, ca } of banks) {
    const file = join(directory, 'ca.pem')
    writeFileSync(file, ca)
    expect((await run('wait', issuer, '--ca', file)).stdout).toBe(`The bank works at ${issuer}\n`)
  }
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  const printed = await run('config', '--config', String(files[0]), '--config', String(files[1]))
  expect(printed.stdout.match(/client_id: \w+/g)).toEqual(['client_id: one', 'client_id: other'])
})

test('a bank that is told to stop while it starts answers whom it let through', async () => {
  const port = await freePort()
  const args = ['start', '--ephemeral', '--quiet', '--port', String(port)]
  const child = spawn(process.execPath, [packageFile('dist/bundled/bank-idp.js'), ...args], { stdio: 'ignore' })
  const exit = once(child, 'exit')
  const dial = () =>
    new Promise<Socket | undefined>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(socket)).on('error', () => resolve(undefined))
    })
  const through: Socket[] = []
  while (through.length < 5) {
    expect(child.exitCode).toBeNull()
    through.push(...(await Promise.all(Array.from({ length: 5 }, dial))).filter((socket) => socket !== undefined))
  }
  child.kill('SIGTERM')
  const asked = through.map(async (socket) => {
    const createConnection = () => connectTls({ socket, rejectUnauthorized: false })
    const [answer] = (await once(get({ path: '/healthcheck', createConnection }), 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  })
  expect(await Promise.all(asked)).toEqual(through.map(() => 200))
  expect(await exit).toEqual([0, null])
})

test('what is no health record is told as that', async () => {
  const data = join(directory, 'data')
  await (await startBank('--data', data)).stop()
  const [cert, key] = ['tls.pem', 'tls-key.pem'].map((file) => readFileSync(join(data, file)))
  const server = createServer({ cert, key }, (_req, res) => res.writeHead(404).end('<h1>Not here</h1>')).listen(0)
  await once(server, 'listening')
  const issuer = `https://localhost:${(server.address() as AddressInfo).port}`
  const { code, stderr } = await run('wait', issuer, '--data', data, '--timeout', '3s')
  const told = `bank-idp: no working bank within 3 s: ${issuer}: /healthcheck answers 404 without a health record\n`
  expect([code, stderr]).toEqual([1, told])
  server.close()
})

test.each([
  [['wait', 'bank.example'], "'bank.example' is not an address: give one such as https://localhost:8443"],
  [['wait', '--ca', '/no/ca.pem'], '--ca: /no/ca.pem cannot be read: '],
  [['start', '--ephemeral', '--print', 'xml'], "--print: 'xml' is no form: give one of text, json"],
])('bank-idp %j is told what is wrong', async (args, problem) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([2, expect.stringContaining(`bank-idp: ${problem}`)])
})

test('a signal to npm start ends the bank', async () => {
  // The script as npm runs it: by a shell, which has to hand the signal on. The build before it is left out here.
  const { scripts } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { scripts: { start: string } }
  const command = scripts.start.replace('npm run -s build', ':')
  const args = `${command} --ephemeral --quiet --port 0 --print json`
  const shell = spawn('sh', ['-c', args], { cwd: packageFile('.'), stdio: ['ignore', 'pipe', 'inherit'] })
  const [chunk] = (await once(shell.stdout, 'data')) as [Buffer]
  expect(JSON.parse(chunk.toString()).pid).toBe(shell.pid)
  shell.kill()
  expect(await once(shell, 'exit')).toEqual([0, null])
})
