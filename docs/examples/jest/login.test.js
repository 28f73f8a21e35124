/**
 * What an integrator tests every day, as tests of Jest.
 *
 *     npm install && npm test
 */
import { createBank } from 'bank-idp-conformance'

const bank = await createBank()
const client = await bank.registerClient({ redirectUris: ['https://app.example/cb'] })
const clean = await bank.snapshot()
afterEach(() => bank.restore(clean))
afterAll(() => bank.close())

test('jana logs in', async () => {
  const { tokens, claims } = await bank.login(client, 'jana', { scope: 'openid profile.name' })
  expect([claims.iss, tokens.scope]).toEqual([bank.issuer, 'openid profile.name'])
})

test('jana turns back', async () => {
  await expect(bank.login(client, 'jana', { decline: 'consent' })).rejects.toMatchObject({ code: 'access_denied' })
})

test('a token has expired', async () => {
  const { access_token } = await bank.mint(client, 'jana', { expiresIn: -60 })
  const answer = await fetchFromBank('/userinfo', access_token)
  expect(answer).toContain('the access token has expired')
})

test('a login told by what the bank got', async () => {
  await bank.login(client, 'jana')
  const { form, jwts, answer } = bank.requests.last('POST /token')
  expect(form.grant_type).toBe('authorization_code')
  expect(jwts[0].claims.aud).toBe(`${bank.issuer}/token`)
  expect(answer.json.token_type).toBe('Bearer')
})

test('a bank that leaves scope out', async () => {
  bank.faults.on('token/scope-missing')
  const { tokens } = await bank.login(client, 'jana')
  expect(tokens.scope).toBeUndefined()
})

/** Your application would ask so; the certificate of the bank's authority is bank.identity.authority.cert. */
async function fetchFromBank(path, token) {
  const { Agent, fetch } = await import('undici')
  const dispatcher = new Agent({ connect: { ca: bank.identity.authority.cert } })
  await bank.listen()
  const answer = await fetch(bank.issuer + path, { dispatcher, headers: { authorization: `Bearer ${token}` } })
  const text = await answer.text()
  await dispatcher.close()
  return text
}
