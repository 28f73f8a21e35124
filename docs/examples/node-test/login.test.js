/**
 * A login, and what it gave, as a test of node:test.
 *
 *     npm install && npm test
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBank } from 'bank-idp-conformance'

test('jana logs in', async () => {
  const bank = await createBank()
  const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
  const { claims } = await bank.login(client, 'jana', { scope: 'openid profile.name' })
  assert.equal(claims.iss, bank.issuer)
  await bank.close()
})
