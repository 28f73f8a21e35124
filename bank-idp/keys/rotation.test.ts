import { X509Certificate } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, type JWK, jwtVerify } from 'jose'
import { advanceClock } from '../clock.js'
import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'

const year = 31_536_000

const { bank, service, client } = await bankForFile({ control: true }, { scope: 'openid profile.name' })

async function published(): Promise<JWK[]> {
  return (await service.http('get', '/.well-known/jwks.json')).body.keys
}

async function idToken(): Promise<string> {
  return (await service.login(client, 'openid')).body.id_token
}

test('JWKS-6: after a rotation new tokens use the new key, and old tokens stay verifiable', async () => {
  const before = await idToken()
  const [oldKid] = (await published()).filter(({ alg }) => alg === 'PS512').map(({ kid }) => kid)
  await door(bank, '/keys/rotate', {})
  const after = await idToken()
  const [newKid, ...others] = (await published()).filter(({ alg }) => alg === 'PS512').map(({ kid }) => kid)
  expect(decodeProtectedHeader(before).kid).toBe(oldKid)
  expect(decodeProtectedHeader(after).kid).toBe(newKid)
  expect(newKid).not.toBe(oldKid)
  expect(others).toEqual([oldKid])
  const keySet = createLocalJWKSet({ keys: await published() })
  for (const token of [before, after]) await expect(jwtVerify(token, keySet)).resolves.toBeDefined()
})

test('an id_token under a key that was rotated out is taken as a hint', async () => {
  const hint = await idToken()
  await door(bank, '/keys/rotate', { alg: 'PS512' })
  const callback = await service.authorize(client, 'openid', [{ person: 'jana' }, { action: 'approve' }], {
    id_token_hint: hint,
  })
  expect(callback).toMatchObject({ code: expect.any(String) })
})

test('each key has a certificate of its own, from the day it was made', async () => {
  for (const key of await published()) {
    const certificate = new X509Certificate(Buffer.from(key.x5c?.[0] ?? '', 'base64'))
    const { n, x } = certificate.publicKey.export({ format: 'jwk' })
    expect({ n, x }).toEqual({ n: key.n, x: key.x })
    expect(Date.parse(certificate.validFrom)).toBeLessThanOrEqual(Date.now())
  }
})

test('JWKS-5: over three years with a rotation each month, a key stays published for a year after it stopped signing, and no longer', async () => {
  const retiredAt = new Map<string, number>()
  const kids = async () => (await published()).filter(({ alg }) => alg === 'ES512').map(({ kid }) => String(kid))
  let [current = ''] = await kids()
  for (let month = 0; month < 36; month += 1) {
    await door(bank, '/clock', { advance_seconds: 30 * 86_400 })
    await door(bank, '/keys/rotate', { alg: 'ES512' })
    const now = Math.floor(Date.now() / 1000)
    retiredAt.set(current, now)
    const [newest = '', ...older] = await kids()
    current = newest
    const due = [...retiredAt].filter(([, at]) => at + year > now).map(([kid]) => kid)
    expect(older.filter((kid) => retiredAt.has(kid))).toEqual(due.reverse())
  }
})

test('keys are rotated when their lifetime is over', async () => {
  const kids = async () => Object.fromEntries((await published()).reverse().map(({ alg, kid }) => [alg, kid]))
  const before = await kids()
  advanceClock(90 * 86_400)
  await door(bank, '/clock', { advance_seconds: 1 })
  const after = await kids()
  for (const alg of ['PS512', 'ES512', 'RSA-OAEP-256']) expect(after[alg]).not.toBe(before[alg])
})

test('the control door lists the keys, and refuses to rotate what is no key', async () => {
  const { body: keys } = await door<object[]>(bank, '/keys')
  expect(keys[0]).toEqual({
    kid: expect.any(String),
    alg: expect.any(String),
    use: expect.any(String),
    made: expect.stringMatching(/Z$/),
    retired: null,
    published_until: null,
  })
  expect((await door(bank, '/keys/rotate', { alg: 'RS256' })).body).toEqual({
    error: 'invalid_request',
    error_description: 'alg must be one of PS512, ES512, ES256, RSA-OAEP-256.',
  })
})
