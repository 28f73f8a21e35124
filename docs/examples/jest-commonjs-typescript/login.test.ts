/**
 * A login as a test of Jest in strict TypeScript that becomes CommonJS, where the package is loaded by import().
 *
 *     npm install && npm test
 */
test('jana logs in', async () => {
  const { createBank } = await import('bank-idp-conformance')
  const bank = await createBank()
  const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
  const { claims } = await bank.login(client, 'jana')
  expect(claims.iss).toBe(bank.issuer)
  await bank.close()
}, 30_000)
