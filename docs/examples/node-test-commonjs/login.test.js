/**
 * A login as a test in CommonJS: the package is loaded by import() there, and from Node 22.12 by require() as well.
 *
 *     npm install && npm test
 */
const assert = require('node:assert/strict')
const { test } = require('node:test')

test('jana logs in', async () => {
  const { createBank } = await import('bank-idp-conformance')
  const bank = await createBank()
  const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
  const { claims } = await bank.login(client, 'jana')
  assert.equal(claims.iss, bank.issuer)
  await bank.close()
})
