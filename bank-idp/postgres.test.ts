import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBank } from './bank.js'
import { type RunningBank, run, startBank } from './testing/command.js'
import { bankAt } from './testing/known-bank.js'
import { TestPostgres } from './testing/postgres.js'
import { type TestClient, TestService } from './testing/service.js'

let postgres: TestPostgres
beforeAll(async () => {
  postgres = await TestPostgres.start()
})
afterAll(() => postgres.stop())

const scope = 'openid profile.name offline_access'

async function clientOf(service: TestService): Promise<TestClient> {
  return service.client({ scope, grant_types: ['authorization_code', 'refresh_token'] })
}

test('a bank on PostgreSQL outlives its own end and that of PostgreSQL, and says meanwhile that it cannot', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  const options = ['--data', data, '--store', await postgres.database()]
  let bank: RunningBank = await startBank(...options)
  const { issuer } = bank
  const service = await TestService.start(bankAt(issuer, data))
  const client = await clientOf(service)
  const { body: tokens } = await service.login(client, scope)
  const userinfo = async () => {
    const answer = service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.access_token}`)
    return (await answer).status
  }
  expect(await userinfo()).toBe(200)
  expect(readdirSync(data)).not.toContain('bank.sqlite')

  await bank.stop('SIGKILL')
  bank = await startBank(...options, '--port', new URL(issuer).port)
  expect(await userinfo()).toBe(200)

  await postgres.kill()
  const refused = {
    status: 503,
    headers: expect.objectContaining({ 'retry-after': '60' }),
    body: {
      error: 'temporarily_unavailable',
      error_description: expect.stringMatching(
        /^the store cannot be used \([\w]+\): does PostgreSQL run, and can it be reached\?$/,
      ),
    },
  }
  expect(await service.register()).toMatchObject(refused)
  expect(await service.refresh(client, tokens.refresh_token)).toMatchObject(refused)
  expect((await service.http('get', '/healthcheck')).body).toMatchObject({ status: 'ERROR' })
  await postgres.begin()
  expect((await run('wait', '--data', data)).code).toBe(0)
  expect(await userinfo()).toBe(200)
  const refreshed = await service.refresh(client, tokens.refresh_token)
  expect(refreshed.status).toBe(200)
  expect((await service.post(client, '/revoke', { token: tokens.access_token })).status).toBe(200)
  expect(await userinfo()).toBe(401)
  await service.stop()
  expect((await bank.stop()).code).toBe(0)
  expect(await run('audit', 'verify', ...options)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^0 entries, none changed or removed; head 0{64}\n$/),
  })
}, 60_000)

test('a store that does not go with the rest is a mistake that is told with its setting', async () => {
  await expect(createBank({ store: 'postgres://localhost/bank' })).rejects.toThrow(
    /^option store: a bank in memory keeps nothing: give a data directory, which has the key of the secrets in the store$/,
  )
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  for (const store of ['mysql://localhost/bank', 'postgres://localhost', '/tmp/bank.sqlite'])
    expect(await run('start', '--data', data, '--store', store)).toMatchObject({
      code: 2,
      stderr:
        'bank-idp: --store: give the address of a database of PostgreSQL: postgres://user:password@host:5432/database\n',
    })
  const secret = ['config', '--data', data, '--store', 'postgres://u:hidden@localhost/bank']
  const { stdout } = await run(...secret)
  expect(stdout).toContain('# store: postgres://u:***@localhost/bank # --store\n')
  expect(stdout).not.toContain('hidden')
})
