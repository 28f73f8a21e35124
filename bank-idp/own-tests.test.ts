import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BankOptions, createBank } from './bank.js'
import { bankForTest } from './testing/banks.js'

test('an option that there is not is refused, and the one that was meant, or those that there are, are named', async () => {
  await expect(createBank({ prot: 1 } as BankOptions)).rejects.toThrow(
    /^option prot does not exist: did you mean port\?$/,
  )
  await expect(createBank({ frobnicate: 1 } as BankOptions)).rejects.toThrow(
    /^option frobnicate does not exist; the options are host, data, /,
  )
})

test('what is known of a person is changed, and the target file tells it', async () => {
  const data = mkdtempSync(join(tmpdir(), 'own-tests-'))
  const { bank, close } = await bankForTest({ data })
  const target = () => readFileSync(join(data, 'target.yaml'), 'utf8')
  expect(target()).not.toContain('new@example.org')
  const { claims } = await bank.setClaims('jana', { email: 'new@example.org' })
  expect(claims.email).toBe('new@example.org')
  expect(bank.people.byLogin('jana')?.claims.email).toBe('new@example.org')
  expect(target()).toContain('email: new@example.org')
  await expect(bank.setClaims('nobody', {})).rejects.toThrow("no person has the login name 'nobody'")
  await close()
  rmSync(data, { recursive: true })
})

// Comes last: time does not go back.
test('time is moved, and an assertion that has expired by it is told the bank’s time', async () => {
  const { bank, service } = await bankForTest()
  const client = await service.client()
  const { code } = await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }])
  const assertion = await service.clientAssertion(client.client_id)
  const before = bank.clock.now().getTime()
  await bank.clock.advance('30d')
  expect(bank.clock.now().getTime() - before).toBeGreaterThanOrEqual(2_592_000_000)
  await expect(bank.clock.advance(-1)).rejects.toThrow('the clock moves forward only')
  const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirect_uri }
  const late = await service
    .http('post', '/token')
    .type('form')
    .send({ ...form, ...assertion })
  expect([late.status, late.body]).toEqual([
    400,
    {
      error: 'invalid_client',
      error_description: expect.stringMatching(
        /^client_assertion has expired: the bank's clock was moved to \d{4}-\d\d-\d\dT\S+Z$/,
      ),
    },
  ])
})
