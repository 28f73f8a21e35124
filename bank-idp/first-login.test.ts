import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import request from 'supertest'
import { packageFile } from '../schemas/package-file.js'
import { createBank } from './bank.js'
import { startBank } from './testing/command.js'
import { type Form, walkPages } from './testing/pages.js'

const known = mkdtempSync(join(tmpdir(), 'first-login-'))
beforeAll(async () => (await createBank({ data: known })).close())
afterAll(() => rmSync(known, { recursive: true }))

test.each([
  [
    'a folder without a bank',
    ['/nowhere'],
    '/nowhere/service/certificate.pem cannot be read (ENOENT): give the data directory',
  ],
  ['an option', ['--help'], '--help/service/certificate.pem cannot be read (ENOENT): give the data directory'],
  [
    'an address where nobody listens',
    [known, 'https://localhost:1'],
    '/register does not answer (ECONNREFUSED): give the address',
  ],
  [
    'what is no address',
    [known, 'localhost'],
    'localhost/register does not answer (ERR_INVALID_URL): give the address',
  ],
])('the script in the documents says what is wrong with its arguments: %s', async (_what, args, told) => {
  const script = spawn(process.execPath, [packageFile('docs/first-login.js'), ...args])
  let stderr = ''
  script.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  expect(await once(script, 'close')).toEqual([1, null])
  expect(stderr).toMatch(/^first-login: [^\n]*\n$/)
  expect(stderr).toContain(told)
})

test('the script in the documents registers a client and logs somebody in', async () => {
  const data = mkdtempSync(join(tmpdir(), 'first-login-'))
  const bank = await startBank('--data', data)
  const ca = readFileSync(join(data, 'ca.pem'))
  const script = spawn(process.execPath, [packageFile('docs/first-login.js'), data, bank.issuer], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(script, 'close')
  let [stdout, stderr] = ['', '']
  script.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const page = await new Promise<string>((resolve, reject) => {
    closed.then(() => reject(new Error(stderr)), reject)
    script.stdout.on('data', (chunk) => {
      stdout += chunk
      const [, address] = /^Open (https:\S+)\n/m.exec(stdout) ?? []
      if (address !== undefined) resolve(address)
    })
  })

  const send = (method: 'get' | 'post', path: string) => request(bank.issuer)[method](path).ca(ca).redirects(0)
  const { pathname, search, searchParams } = new URL(page)
  const callback = String(searchParams.get('redirect_uri'))
  const forms: Form[] = [{ person: 'jana' }, { action: 'approve', scope: ['profile.name', 'profile.email'] }]
  const until = (location: string) => location.startsWith(callback)
  const back = await walkPages(send, bank.issuer, await send('get', pathname + search), forms, { until })
  const returned = new URL(String(back.get('location')))
  const lastPage = await request(returned.origin)
    .get(returned.pathname + returned.search)
    .ca(ca)
  expect(lastPage.text).toBe('You may close this window.')

  expect(await closed).toEqual([0, null])
  expect(stderr).toBe('')
  expect(stdout).toContain(' has approved: openid profile.name profile.email\n')
  const [userinfo, profile] = ['userinfo', 'profile'].map((name) =>
    JSON.parse(new RegExp(`^/${name} (\\{.*?^\\})$`, 'ms').exec(stdout)?.[1] ?? 'null'),
  )
  const sub = expect.any(String)
  const about = { sub, iss: bank.issuer, aud: searchParams.get('client_id') }
  expect(userinfo).toMatchObject({ ...about, given_name: 'Jana', email_verified: true })
  expect(profile).toMatchObject({ ...about, sub: userinfo.sub, given_name: 'Jana' })
  expect(profile).not.toHaveProperty('email_verified')
  await bank.stop()
  rmSync(data, { recursive: true })
})
