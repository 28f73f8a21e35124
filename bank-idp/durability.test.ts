import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningBank, startBank, startBankOnSmallDisk } from './testing/command.js'
import { bankAt } from './testing/known-bank.js'
import { type TestClient, TestService } from './testing/service.js'

/** What the bank answered before it was killed. */
interface Acknowledged {
  client: TestClient
  /** Access tokens that are live, and those that were revoked. */
  live: string[]
  revoked: string[]
}

/** Registers, logs in and revokes until the bank is gone. */
async function load(service: TestService, acknowledged: Acknowledged[]): Promise<void> {
  try {
    for (;;) {
      const client = await service.client()
      const entry: Acknowledged = { client, live: [], revoked: [] }
      acknowledged.push(entry)
      for (let logins = 0; logins < 2; logins += 1) {
        const { body } = await service.login(client, 'openid profile.name')
        entry.live.push(body.access_token)
      }
      const token = String(entry.live.pop())
      const form = { token, ...(await service.clientAssertion(client.client_id, {}, '/revoke')) }
      const { status } = await service.http('post', '/revoke').type('form').send(form)
      if (status === 200) entry.revoked.push(token)
    }
  } catch {
    // The bank was killed in the middle of an answer.
  }
}

test('what was answered is there after kill -9', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  const acknowledged: Acknowledged[] = []
  let bank: RunningBank = await startBank('--data', data)
  const { issuer } = bank
  const service = await TestService.start(bankAt(issuer, data))
  for (let round = 0; round < 2; round += 1) {
    const before = acknowledged.length
    const loads = Array.from({ length: 4 }, () => load(service, acknowledged))
    while (acknowledged.length < before + 6) await new Promise((resolve) => setImmediate(resolve))
    expect((await bank.stop('SIGKILL')).code).toBe(null)
    await Promise.all(loads)
    bank = await startBank('--data', data, '--port', new URL(issuer).port)
  }
  const userinfo = (token: string) => service.http('get', '/userinfo').set('authorization', `Bearer ${token}`)
  for (const { client, live, revoked } of acknowledged) {
    expect((await service.readRegistration(client)).body).toMatchObject({ client_id: client.client_id })
    for (const token of live) expect((await userinfo(token)).status).toBe(200)
    for (const token of revoked) expect((await userinfo(token)).status).toBe(401)
  }
  const consented = acknowledged.find(({ live }) => live.length > 0)?.client
  // Approved before, so no consent is asked for again.
  expect(await service.authorize(consented as TestClient, 'openid profile.name', [{ person: 'jana' }])).toMatchObject({
    code: expect.any(String),
  })
  await service.stop()
  await bank.stop()
})

test('on a full disk the bank says so, loses nothing that it answered, and goes on where there is room again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  let bank = await startBankOnSmallDisk(5120, '--data', data)
  const { issuer } = bank
  const service = await TestService.start(bankAt(issuer, data))
  const userinfo = (token: string) => service.http('get', '/userinfo').set('authorization', `Bearer ${token}`)
  const health = async () => (await service.http('get', '/healthcheck')).body
  const client = await service.client({
    scope: 'openid profile.name offline_access',
    grant_types: ['authorization_code', 'refresh_token'],
  })
  const { body: tokens } = await service.login(client, 'openid profile.name offline_access')
  const registered: TestClient[] = [client]
  let refusal = await service.register()
  while (refusal.status === 200) {
    registered.push(refusal.body)
    refusal = await service.register()
  }
  const failed = {
    status: 503,
    headers: expect.objectContaining({ 'retry-after': '60' }),
    body: {
      error: 'temporarily_unavailable',
      error_description: expect.stringMatching(/^the store cannot be used \(SQLITE_[A-Z_]+\): is the disk full\?$/),
    },
  }
  expect(refusal).toMatchObject(failed)
  expect(await service.refresh(client, tokens.refresh_token)).toMatchObject(failed)
  expect(await service.post(client, '/revoke', { token: tokens.access_token })).toMatchObject(failed)
  // What only reads goes on.
  expect((await userinfo(tokens.access_token)).status).toBe(200)
  expect((await health()).details).toMatchObject({
    'dynamic-registration': { status: 'ERROR' },
    'oidc-core': { status: 'ERROR' },
    revoke: { status: 'ERROR' },
    kyc: { status: 'OK' },
  })
  const { stderr } = await bank.stop('SIGKILL')
  expect(stderr).not.toMatch(/unhandled|Uncaught/i)

  bank = await startBank('--data', data, '--port', new URL(issuer).port)
  expect(await health()).toMatchObject({ status: 'OK', description: 'the bank works' })
  for (const one of registered) {
    expect((await service.readRegistration(one)).body).toMatchObject({ client_id: one.client_id })
  }
  expect((await userinfo(tokens.access_token)).status).toBe(200)
  expect((await service.refresh(client, tokens.refresh_token)).status).toBe(200)
  await service.stop()
  await bank.stop()
})
