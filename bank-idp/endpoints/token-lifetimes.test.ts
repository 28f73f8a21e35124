import { decodeProtectedHeader, type JWK } from 'jose'
import { createBank } from '../bank.js'
import { advanceClock } from '../clock.js'
import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'

const day = 24 * 3600
const scope = 'openid profile.name offline_access'

const { bank, service, client } = await bankForFile(
  { control: true },
  { scope, grant_types: ['authorization_code', 'refresh_token'] },
)

async function rotateKeys(): Promise<void> {
  const { status } = await door(bank, '/keys/rotate', {})
  expect(status).toBe(200)
}

async function publishedKids(): Promise<(string | undefined)[]> {
  const { body } = await service.http('get', '/.well-known/jwks.json')
  return (body.keys as JWK[]).map(({ kid }) => kid)
}

const active = async (token: string) => (await service.post(client, '/token-info', { token })).body.active

// In this order: the clock moves forward only.
test('TOK-37 a code past its expiry is refused with invalid_grant', async () => {
  const { code } = await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }])
  advanceClock(601)
  const { status, body } = await service.redeem(client, String(code))
  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test.each([
  ['TOK-33: a code that was used, past its expiry', 601, 'authorization_code'],
  ['a code that was used, months later', 300 * day, 'authorization_code'],
  ['a refresh token that was used, months later', 300 * day, 'refresh_token'],
])('%s, ends what came of it', async (_what, seconds, grant) => {
  const { code } = await service.authorize(client, scope, [
    { person: 'jana' },
    { action: 'approve', scope: scope.split(' ') },
  ])
  const { body: first } = await service.redeem(client, String(code))
  const { body: second } = await service.refresh(client, first.refresh_token)
  advanceClock(seconds)
  expect(await active(second.refresh_token)).toBe(true)
  const replay = () =>
    grant === 'refresh_token' ? service.refresh(client, first.refresh_token) : service.redeem(client, String(code))
  expect((await replay()).body).toEqual({
    error: 'invalid_grant',
    error_description: expect.stringMatching(/was already used$/),
  })
  expect(await active(second.refresh_token)).toBe(false)
})

test('a refresh token that was used ends what came of it, though it would have expired by now', async () => {
  const { body: first } = await service.login(client, scope)
  advanceClock(365 * day - 10)
  const { body: second } = await service.refresh(client, first.refresh_token)
  advanceClock(20)
  expect([await active(second.access_token), await active(second.refresh_token)]).toEqual([true, false])
  expect((await service.refresh(client, first.refresh_token)).status).toBe(400)
  expect(await active(second.access_token)).toBe(false)
})

test('INTR-7[token=access-of-code value=below], INTR-7[token=access-of-code value=above]: a token is active until its last seconds', async () => {
  const { body } = await service.login(client, scope)
  advanceClock(3590)
  expect(await active(body.access_token)).toBe(true)
  advanceClock(10)
  expect(await active(body.access_token)).toBe(false)
})

test('INTR-7[token=access-of-refresh]: so is the access token of a refresh, from the refresh on', async () => {
  const { body: first } = await service.login(client, scope)
  advanceClock(3590)
  const { body: second } = await service.refresh(client, first.refresh_token)
  advanceClock(3590)
  expect([await active(first.access_token), await active(second.access_token)]).toEqual([false, true])
  advanceClock(10)
  const { status, body } = await service.post(client, '/token-info', { token: second.access_token })
  expect([status, body]).toEqual([200, { active: false }])
})

test('TOK-5, INTR-7[token=refresh]: a refresh token of eleven months refreshes and its first key is published; past the year it does not', async () => {
  const { body: first } = await service.login(client, scope)
  const firstKid = decodeProtectedHeader(first.id_token).kid
  // As a bank does that runs: its keys are replaced every three months.
  for (const days of [90, 90, 90, 64]) {
    advanceClock(days * day)
    await rotateKeys()
  }
  expect(await publishedKids()).toContain(firstKid)
  const { body: second, status } = await service.refresh(client, first.refresh_token)
  expect([status, await active(second.refresh_token)]).toEqual([200, true])
  expect(decodeProtectedHeader(second.id_token).kid).not.toBe(firstKid)
  advanceClock(31 * day)
  expect(await active(second.refresh_token)).toBe(false)
  const late = await service.refresh(client, second.refresh_token)
  expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
})

test('TOK-32 access tokens are 43 characters of base64url, as 256 bits of a cryptographic source give, none twice', async () => {
  const { body } = await service.login(client, scope)
  const tokens = [body.access_token]
  for (let refresh = body.refresh_token; tokens.length < 20; ) {
    const { body: next } = await service.refresh(client, refresh)
    tokens.push(next.access_token)
    refresh = next.refresh_token
  }
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/)
  expect(new Set(tokens).size).toBe(20)
})

test('lifetimes below what the specification asks are refused when the bank is set up', async () => {
  const refused = (lifetimes: Record<string, number>) => createBank({ lifetimes }).then((b) => b.close())
  await expect(refused({ AccessToken: 3599 })).rejects.toThrow('AccessToken must be 3600 seconds or more')
  await expect(refused({ RefreshToken: 31_535_999 })).rejects.toThrow('RefreshToken must be 31536000 seconds')
  await expect(refused({ AccessToken: 7200 })).rejects.toThrow('IdToken must be as long as AccessToken')
})
