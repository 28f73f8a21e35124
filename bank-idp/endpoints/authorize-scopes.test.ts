import { decodeJwt } from 'jose'
import { bankForFile, bankForTest } from '../testing/banks.js'
import type { Form } from '../testing/pages.js'
import { requestClaims } from '../testing/request-objects.js'
import { authorizing, signingPages, text } from '../testing/signing-pages.js'

const { service, client } = await bankForFile({}, { scope: 'openid authorization profile.name profile.birthdate' })
const { requestUri, authorize } = signingPages(service, client)

test('with an access token and without scope no scope comes out that was not asked for', async () => {
  const { body: login } = await service.login(client, 'openid authorization profile.name')
  const password = { action: 'confirm', password: 'jana-secret' }
  const scopeOf = async (claims: Record<string, unknown>) => {
    const { code } = await authorize(await requestUri(claims, login.access_token), password, authorizing)
    const { body } = await service.redeemSigned(client, String(code))
    return [body.scope, decodeJwt(await service.decrypt(body.id_token)).nonce]
  }
  expect(await scopeOf({ scope: undefined })).toEqual(['openid', 'N-1'])
  expect(await scopeOf({ scope: '' })).toEqual(['openid', 'N-1'])
  expect(await scopeOf({ scope: 'openid profile.name' })).toEqual(['openid profile.name', 'N-1'])
  expect(await scopeOf({ scope: 'openid authorization' })).toEqual(['openid authorization', 'N-1'])
})

test('who unticks every new scope has refused them, whatever was approved before', async () => {
  const other = await service.client({ scope: 'openid authorization profile.name profile.birthdate profile.email' })
  await service.login(other, 'openid profile.name', 'petr')
  const scope = 'openid authorization profile.name profile.birthdate profile.email'
  const approving = async (...ticked: string[]) => {
    const { body } = await service.registerRequestObject(requestClaims(other, { ...text, scope }))
    const forms: Form[] = [{ person: 'petr' }, { action: 'approve', scope: ticked }, authorizing]
    return service.authorizeObject(body.request_uri, other.redirect_uri, forms)
  }
  const declined = { error: 'access_denied', error_description: 'User declined consent', state: 'S-1' }
  expect(await approving()).toMatchObject(declined)
  expect(await approving('profile.name')).toMatchObject(declined)
  const { code } = await approving('profile.email')
  expect((await service.redeemSigned(other, String(code))).body.scope).toBe('openid authorization profile.email')
})

test('scopes that are new are asked for before, and refusing them is access_denied', async () => {
  const scope = 'openid authorization profile.birthdate'
  const uri = await requestUri({ scope })
  expect(await authorize(uri, { person: 'petr' }, { action: 'refuse' })).toMatchObject({
    error: 'access_denied',
    error_description: 'User declined consent',
  })
  const again = await requestUri({ scope })
  const consent = { action: 'approve', scope: 'profile.birthdate' }
  const { code } = await authorize(again, { person: 'petr' }, consent, authorizing)
  const tokens = await service.redeemSigned(client, String(code))
  expect(tokens.body.scope).toBe('openid authorization profile.birthdate')
})

test.each([
  ['address-too', 201],
  ['addresses-only', 400],
] as const)(
  'AMB-8 bears on /ros alone: with %s profile.address is no scope of /auth or of a record',
  async (reading, status) => {
    const { service: played } = await bankForTest({ readings: { 'AMB-8': reading } })
    const scope = 'openid authorization profile.addresses'
    const signer = await played.client({ scope })
    const claims = requestClaims(signer, { ...text, scope: 'openid authorization profile.address' })
    expect((await played.registerRequestObject(claims)).status).toBe(status)
    const atAuth = await played.authorize(signer, 'openid profile.address', [])
    expect(atAuth).toMatchObject({
      error: 'invalid_scope',
      error_description: 'scope profile.address is not supported',
    })
    const record = await played.register({ scope: `${scope} profile.address` })
    expect([record.status, record.body.error]).toEqual([400, 'invalid_client_metadata'])
  },
)
