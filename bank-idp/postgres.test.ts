import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBank } from './bank.js'
import { bankForTest } from './testing/banks.js'
import { type RunningBank, run, startBank } from './testing/command.js'
import { bankAt } from './testing/known-bank.js'
import type { Form } from './testing/pages.js'
import { TestPostgres } from './testing/postgres.js'
import { requestClaims } from './testing/request-objects.js'
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

  const go = await postgres.hang()
  expect(await service.register()).toMatchObject({
    status: 503,
    body: { error_description: 'the store cannot be used (LATE): does PostgreSQL have more to do than it can?' },
  })
  expect((await service.http('get', '/healthcheck')).body).toMatchObject({ status: 'ERROR' })
  go()
  expect((await run('wait', '--data', data)).code).toBe(0)
  expect(await userinfo()).toBe(401)
  await service.stop()
  expect((await bank.stop()).code).toBe(0)
  expect(await run('audit', 'verify', ...options)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^0 entries, none changed or removed; head 0{64}\n$/),
  })
})

test('what is too long for an index is refused, and what is as long as may be is kept', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  const { service } = await bankForTest({ data, store: await postgres.database() })
  /** Of which nothing can be packed. */
  const text = (length: number, start = '') =>
    start + randomBytes(length).toString('base64url').slice(start.length, length)
  const within = text(2_048, `${service.url}/`)
  const client = await service.client({
    redirect_uris: [within],
    backchannel_logout_uri: within,
    scope: 'openid authorization',
  })
  for (const [record, error] of [
    [{ redirect_uris: [text(2_049, `${service.url}/`)] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [text(20_000, `${service.url}/`)] }, 'invalid_redirect_uri'],
    [{ backchannel_logout_uri: text(5_000, `${service.url}/`) }, 'invalid_client_metadata'],
  ] as const) {
    const { status, body } = await service.register(record)
    expect([status, body.error]).toEqual([400, error])
  }
  const requestOf = (txn: string) => service.registerRequestObject(requestClaims(client, { acr_values: 'loa2', txn }))
  expect((await requestOf(text(5_000))).status).toBe(400)
  const { body } = await requestOf(text(2_048))
  const forms: Form[] = [{ person: 'jana' }, { action: 'authorize' }]
  expect(await service.authorizeObject(body.request_uri, client.redirect_uri, forms)).toHaveProperty('code')
})

test('a store that does not go with the rest is a mistake that is told with its setting', async () => {
  await expect(createBank({ store: 'postgres://localhost/bank' })).rejects.toThrow(
    /^option store: a bank in memory keeps nothing: give a data directory, which has the certificates$/,
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
