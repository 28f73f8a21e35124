/**
 * A login, and a token that has expired, as tests of Vitest in strict TypeScript.
 *
 *     npm install && npm test
 */
import { createBank } from 'bank-idp-conformance'
import { afterAll, expect, test } from 'vitest'

const bank = await createBank()
const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
afterAll(() => bank.close())

test('jana logs in', async () => {
  const { tokens, claims } = await bank.login(client, 'jana', { scope: 'openid profile.name' })
  expect([claims.iss, tokens.scope]).toEqual([bank.issuer, 'openid profile.name'])
})

test('a token has expired', async () => {
  const { expires_in: seconds } = await bank.mint(client, 'jana', { expiresIn: -60 })
  expect(seconds).toBe(-60)
})
