/**
 * A login, and what it gave, as a test of node:test in strict TypeScript, which checks the declarations of packages too.
 *
 *     npm install && npm test
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Bank, createBank } from 'bank-idp-conformance'

const bank: Bank = await createBank()
const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
after(() => bank.close())

test('jana logs in', async () => {
  const { tokens, claims } = await bank.login(client, 'jana', { scope: 'openid profile.name' })
  assert.deepEqual([claims.iss, tokens.scope], [bank.issuer, 'openid profile.name'])
})

test('a token has expired', async () => {
  const { expires_in: seconds } = await bank.mint(client, 'jana', { expiresIn: -60 })
  assert.equal(seconds, -60)
})
