import { decodeJwt } from 'jose'
import { advanceClock } from '../clock.js'
import { bankForFile } from '../testing/banks.js'
import { door } from '../testing/control-door.js'
import type { Cookies } from '../testing/pages.js'
import { requestClaims } from '../testing/request-objects.js'

const year = 31_536_000

const { bank, service, client } = await bankForFile({ control: true }, { scope: 'openid authorization profile.name' })
/** An id_token of jana's. */
let hint: string

beforeAll(async () => {
  hint = (await service.login(client, 'openid')).body.id_token
})

const approve = { action: 'approve', scope: ['authorization', 'profile.name'] }
const authorizing = { action: 'authorize' }

/** What comes of /auth for the person who signs in, with the hint and prompt=none after that. */
async function silently(person: string, id_token_hint: string) {
  const cookies: Cookies = new Map()
  await service.authorize(client, 'openid', [{ person }, approve], { prompt: 'login consent' }, cookies)
  return service.authorize(client, 'openid', [], { prompt: 'none', id_token_hint }, cookies)
}

/** What /ros says to the hint. */
async function object(id_token_hint: string) {
  const { body } = await service.registerRequestObject(requestClaims(client, { acr_values: 'loa2', id_token_hint }))
  return body
}

async function expectTaken(id_token_hint: string): Promise<void> {
  expect(await silently('jana', id_token_hint)).toMatchObject({ code: expect.any(String) })
  expect(await silently('petr', id_token_hint)).toMatchObject({ error: 'login_required' })
  // The person is known: asked for the password alone, not who it is.
  const { request_uri } = await object(id_token_hint)
  const password = { action: 'confirm', password: 'jana-secret' }
  const forms = [password, authorizing]
  expect(await service.authorizeObject(request_uri, client.redirect_uri, forms)).toMatchObject({
    code: expect.any(String),
  })
}

test('SIGN-4, AUTH-28: an id_token is a hint as it is, encrypted to the bank, expired, and under a key that was rotated out', async () => {
  await expectTaken(hint)
  await expectTaken(await service.encryptToBank(hint))
  advanceClock(30 * 86_400)
  await expectTaken(hint)
  const encrypted = [await service.encryptToBank(hint), await service.encryptToBank(hint, { named: false })]
  await door(bank, '/keys/rotate', {})
  // What was encrypted to a key that is published still is read, whether or not it names the key.
  for (const jwe of encrypted) await expectTaken(jwe)
  await expectTaken(hint)
})

test('an id_token whose key is not published any more, or that was changed, is no hint', async () => {
  const fresh = (await service.login(client, 'openid')).body.id_token
  const [header, , signature] = fresh.split('.')
  const payload = JSON.parse(Buffer.from(fresh.split('.')[1], 'base64url').toString())
  const changed = [header, Buffer.from(JSON.stringify({ ...payload, sub: 'x' })).toString('base64url'), signature]
  advanceClock(year + 1)
  for (const bad of [hint, changed.join('.')]) {
    expect(await silently('jana', bad)).toMatchObject({ error: 'invalid_request' })
    expect(await object(bad)).toMatchObject({
      error: 'invalid_request_object',
      error_description: expect.stringMatching(/^id_token_hint is not an id_token that this bank issued/),
    })
  }
})

test.each(['/userinfo', '/profile'])('what %s replies is signed by the same keys, and is no hint', async (path) => {
  const { body } = await service.login(client, 'openid profile.name')
  const reply = await service.http('get', path).set('authorization', `Bearer ${body.access_token}`)
  const { text } = reply
  const jwt = text.split('.').length === 5 ? await service.decrypt(text) : text
  expect(decodeJwt(jwt).sub).toBe(decodeJwt(body.id_token).sub)
  expect(await silently('jana', jwt)).toMatchObject({ error: 'invalid_request' })
  expect(await object(jwt)).toMatchObject({
    error: 'invalid_request_object',
    error_description: expect.stringMatching(/^id_token_hint is not an id_token that this bank issued/),
  })
})
