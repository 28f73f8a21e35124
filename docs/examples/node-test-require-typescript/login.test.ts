/**
 * A login as a test of node:test in strict TypeScript, which becomes CommonJS: its import is a require() of the package, from Node.js 22.12,
 * and 20.19 of 20.
 *
 *     npm install && npm test
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Bank, createBank } from 'bank-idp-conformance'

let bank: Bank
before(async () => {
  bank = await createBank()
})
after(() => bank.close())

test('jana logs in', async () => {
  const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
  const { claims } = await bank.login(client, 'jana')
  assert.equal(claims.iss, bank.issuer)
})
