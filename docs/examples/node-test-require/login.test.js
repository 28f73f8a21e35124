/**
 * A login as a test in CommonJS that requires the package: from Node.js 22.12, and 20.19 of 20.
 *
 *     npm install && npm test
 */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { createBank } = require('bank-idp-conformance')

test('jana logs in', async () => {
  const bank = await createBank()
  const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
  const { claims } = await bank.login(client, 'jana')
  assert.equal(claims.iss, bank.issuer)
  await bank.close()
})
