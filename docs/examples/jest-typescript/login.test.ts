/**
 * A login, and a bank that breaks a sentence of the specification, as tests of Jest in strict TypeScript.
 *
 *     npm install && npm test
 */
import { createBank } from 'bank-idp-conformance'

const bank = await createBank()
const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
afterAll(() => bank.close())

test('jana logs in', async () => {
  const { tokens, claims } = await bank.login(client, 'jana', { scope: 'openid profile.name' })
  expect([claims.iss, tokens.scope]).toEqual([bank.issuer, 'openid profile.name'])
})

test('a bank that leaves scope out', async () => {
  bank.faults.on('token/scope-missing')
  const { tokens } = await bank.login(client, 'jana')
  expect(tokens.scope).toBeUndefined()
})
