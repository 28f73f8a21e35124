import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBank } from '../bank.js'
import { deviceGrant } from '../capabilities.js'
import { TestService } from '../testing/service.js'
import { openSqlite } from './sqlite.js'

const scope = 'openid profile.name offline_access'

const onDisk = (data: string, text: string) =>
  readdirSync(data).some((name) => name.startsWith('bank.sqlite') && readFileSync(join(data, name)).includes(text))

/** A bank on a data directory, and what it gave a client. */
async function used() {
  const data = mkdtempSync(join(tmpdir(), 'bank-idp-'))
  const bank = await createBank({ data, port: 0 })
  await bank.listen()
  const service = await TestService.start(bank)
  const grant_types = ['authorization_code', 'refresh_token', deviceGrant]
  const client = await service.client({ scope, grant_types })
  const { body: tokens } = await service.login(client, scope)
  const { body: device } = await service.post(client, '/device_authorization', { scope: 'openid' })
  const { code } = await service.authorize(client, scope, [
    { person: 'petr' },
    { action: 'approve', scope: scope.split(' ') },
  ])
  return { data, bank, service, client, tokens, device, code: String(code) }
}

/** That what a bank gave is good at the same bank or the next one. */
async function expectGood({ service, client, tokens, device, code }: Awaited<ReturnType<typeof used>>) {
  const userinfo = await service.http('get', '/userinfo').set('authorization', `Bearer ${tokens.access_token}`)
  const poll = await service.post(client, '/token', { grant_type: deviceGrant, device_code: device.device_code })
  expect([userinfo.status, poll.body.error]).toEqual([200, 'authorization_pending'])
  expect((await service.redeem(client, code)).status).toBe(200)
  expect((await service.refresh(client, tokens.refresh_token)).status).toBe(200)
}

test('no token and no code is in the store, and what is there in their place opens nothing', async () => {
  const given = await used()
  const { data, bank, service, client, tokens, device, code } = given
  const secrets = [tokens.access_token, tokens.refresh_token, code, device.device_code, device.user_code]
  expect(secrets.filter((text) => onDisk(data, text) || onDisk(data, text.replace('-', '')))).toEqual([])
  const store = openSqlite(join(data, 'bank.sqlite'), { readonly: true })
  const kept = store.prepare<[string], { id: string }>('SELECT id FROM provider_records WHERE model = ?')
  const [access, refresh, deviceCode] = ['AccessToken', 'RefreshToken', 'DeviceCode'].map((model) =>
    String(kept.get(model)?.id),
  )
  store.close()
  const userinfo = await service.http('get', '/userinfo').set('authorization', `Bearer ${access}`)
  expect([userinfo.status, (await service.refresh(client, String(refresh))).status]).toEqual([401, 400])
  const poll = await service.post(client, '/token', { grant_type: deviceGrant, device_code: String(deviceCode) })
  expect([poll.status, poll.body.error]).toEqual([400, 'invalid_grant'])
  await expectGood(given)
  await service.stop()
  await bank.close()
})

test('what an earlier version kept as it was stays good, and is there no more', async () => {
  const given = await used()
  const { data, bank, service, tokens, device, code } = given
  const port = Number(new URL(bank.issuer).port)
  await bank.close()
  const store = openSqlite(join(data, 'bank.sqlite'))
  const plain = store.prepare(
    "UPDATE provider_records SET id = @id, payload = json_set(payload, '$.jti', @id) WHERE model = @model AND consumed_at IS NULL",
  )
  const newest = { AccessToken: tokens.access_token, RefreshToken: tokens.refresh_token, AuthorizationCode: code }
  for (const [model, id] of Object.entries({ ...newest, DeviceCode: device.device_code })) plain.run({ model, id })
  const userCode = device.user_code.replace('-', '')
  store
    .prepare(
      "UPDATE provider_records SET user_code = @code, payload = json_set(payload, '$.userCode', @code) WHERE model = 'DeviceCode'",
    )
    .run({ code: userCode })
  // What later versions added.
  store.exec(`DROP TRIGGER redirect_uris_insert; DROP TRIGGER redirect_uris_update; DROP TRIGGER redirect_uris_delete;
    DROP TABLE redirect_uris; DROP TABLE audit_seal; DROP TABLE password_tries; DROP TABLE waiting_logins; DROP TABLE made_people;
    DROP TABLE shared_state; DROP TABLE changes; DROP TABLE throttles; DROP TABLE refresh_requests; DROP TABLE shared_files;
    DROP INDEX provider_records_account_id;
    ALTER TABLE signing_requests DROP COLUMN authentication;
    ALTER TABLE provider_records DROP COLUMN account_id; ALTER TABLE provider_records DROP COLUMN ends_at;
    CREATE INDEX provider_records_account ON provider_records (json_extract(payload, '$.accountId'));
    DELETE FROM kysely_migration WHERE name >= '0023-hashed-tokens'`)
  store.close()
  rmSync(join(data, 'audit.seal'))
  const again = await createBank({ data, port })
  await again.listen()
  await expectGood(given)
  for (const secret of [...Object.values(newest), device.device_code, userCode])
    expect(onDisk(data, secret)).toBe(false)
  await service.stop()
  await again.close()
})
