import { createHash, X509Certificate } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { bankForFile, bankForTest } from '../testing/banks.js'
import type { Form } from '../testing/pages.js'
import { requestClaims, signObject } from '../testing/request-objects.js'
import { authorizing, signingPages, text } from '../testing/signing-pages.js'

const { bank, service, client } = await bankForFile(
  {},
  { scope: 'openid authorization profile.name profile.birthdate' },
)
const { requestUri, authorize } = signingPages(service, client)

test.each([
  [{}, 400],
  [{ 'AMB-29': 'unauthorized' } as const, 401],
])(
  'at /token the signing flow is refused without a client certificate, as any client is (readings %j)',
  async (readings, status) => {
    const { service: played } = await bankForTest({ readings })
    const signer = await played.client({ scope: 'openid authorization' })
    const { body: object } = await played.registerRequestObject(requestClaims(signer, text))
    const forms = [{ person: 'jana' }, authorizing]
    const { code } = await played.authorizeObject(object.request_uri, signer.redirect_uri, forms)
    const answer = await played.redeemSigned(signer, String(code), { mutualTls: false })
    const error_description = 'the signing flow requires a client certificate that the bank trusts'
    expect([answer.status, answer.body]).toEqual([status, { error: 'invalid_client', error_description }])
  },
)

test('the signing flow asks a client certificate and an assertion by PS256 or ES256 at /token', async () => {
  const codeOf = async () => String((await authorize(await requestUri(), { person: 'jana' }, authorizing)).code)
  const byPs512 = await service.redeem(client, await codeOf())
  expect([byPs512.status, byPs512.body.error_description]).toEqual([
    400,
    'client_assertion is signed with PS512, not with one of PS256, ES256',
  ])
  const { body: tokens } = await service.redeemSigned(client, await codeOf())
  const userinfo = (mutualTls: boolean) =>
    service.http('get', '/userinfo', { mutualTls }).set('authorization', `Bearer ${tokens.access_token}`)
  expect((await userinfo(true)).status).toBe(200)
  expect((await userinfo(false)).status).toBe(401)
  const { body: introspected } = await service.post(client, '/token-info', { token: tokens.access_token })
  const { raw } = new X509Certificate(bank.identity.service.certificate.cert)
  expect(introspected.cnf).toEqual({ 'x5t#S256': createHash('sha256').update(raw).digest('base64url') })
  const { body: unbound } = await service.login(client, 'openid')
  const { body: other } = await service.post(client, '/token-info', { token: unbound.access_token })
  expect([other.active, other.cnf]).toEqual([true, undefined])
})

test.each([{}, { 'AMB-12': 'sha512-too' }] as const)(
  'SIGN-41: the id_tokens of the signing flow are signed for a client that registered none, too, with the readings %j',
  async (readings) => {
    const { service: played } = await bankForTest({ readings })
    const unsigned = await played.client({ id_token_signed_response_alg: 'none', scope: 'openid authorization' })
    expect(decodeProtectedHeader((await played.login(unsigned, 'openid')).body.id_token).alg).toBe('none')
    const claims = requestClaims(unsigned, { ...text, response_type: 'code id_token' })
    const { body: object } = await played.registerRequestObject(claims)
    const forms: Form[] = [{ person: 'jana' }, authorizing]
    await played.authorizeObject(object.request_uri, unsigned.redirect_uri, forms)
    const callback = new URLSearchParams(played.lastCallback?.hash.slice(1))
    const { body } = await played.redeemSigned(unsigned, String(callback.get('code')))
    const { body: keys } = await played.http('get', '/.well-known/jwks.json')
    for (const idToken of [callback.get('id_token'), body.id_token]) {
      const jws = await played.decrypt(idToken)
      const { protectedHeader, payload } = await jwtVerify(jws, createLocalJWKSet(keys))
      expect([protectedHeader.alg, payload.structured_scope]).toEqual(['ES256', { signObject: signObject() }])
    }
  },
)
