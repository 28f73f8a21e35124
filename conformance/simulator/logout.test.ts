import { CompactEncrypt, type CryptoKey, generateKeyPair, importJWK, UnsecuredJWT } from 'jose'
import { clientKeys } from '../service/client-keys.js'
import { logoutClaims, seconds, signedByUntrustedKey } from '../testing/bank-messages.js'
import { json } from '../testing/https-server.js'
import { bankAndSimulator, simulatorForTest, temporary } from '../testing/simulator-for-test.js'

describe('POST /back-channel/logout', () => {
  test('SVC-1[value=right]: takes a logout_token in once, answers 200 and tells what it took in', async () => {
    const { bank, service, journal } = await bankAndSimulator()
    const answer = await service.form('/back-channel/logout', { logout_token: await bank.sign(logoutClaims(bank)) })
    expect([answer.status, answer.text, answer.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect(journal.of('logout')).toEqual([
      {
        kind: 'logout',
        at: expect.stringMatching(/^\d{4}-.*Z$/),
        issuer: bank.url,
        jti: 'jti-1',
        clientIds: ['app-1'],
        sub: 'somebody',
        sid: 's-1',
      },
    ])
    expect(service.lines).toEqual(['logout at app-1: sub somebody, sid s-1 (jti jti-1)'])
  })

  test('SVC-1[value=right]: takes one in that is encrypted as id_tokens are, and refuses one that is encrypted to somebody else', async () => {
    const { bank, service, journal } = await bankAndSimulator()
    const jwt = new TextEncoder().encode(await bank.sign(logoutClaims(bank)))
    const { encryption } = await clientKeys()
    const other = await generateKeyPair('RSA-OAEP-256')
    const sendTo = async (key: CryptoKey) =>
      service.form('/back-channel/logout', {
        logout_token: await new CompactEncrypt(jwt)
          .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT' })
          .encrypt(key),
      })
    const refusal = await sendTo(other.publicKey)
    expect([refusal.status, refusal.json]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.stringMatching(/^logout_token cannot be decrypted: /) },
    ])
    const ours = (await importJWK(encryption.publicJwk, 'RSA-OAEP-256')) as CryptoKey
    expect((await sendTo(ours)).status).toBe(200)
    expect(journal.of('logout')).toHaveLength(1)
  })

  const refused: [string, Record<string, unknown>, RegExp][] = [
    [
      'of another issuer',
      { iss: 'https://other.example' },
      /^iss of logout_token names a bank that the service does not know/,
    ],
    ['for another audience', { aud: 'app-2' }, /^aud: the service has no such client/],
    ['without events', { events: undefined }, /events/],
    ['with another event', { events: { 'https://example.org/event': {} } }, /events/],
    ['with a nonce', { nonce: 'n' }, /nonce/],
    ['with neither sub nor sid', { sub: undefined, sid: undefined }, /sub or sid/],
    ['without iat', { iat: undefined }, /iat/],
    ['without jti', { jti: undefined }, /jti/],
    ['from the future', { iat: seconds() + 3600 }, /^iat: lies in the future/],
    ['made days ago', { iat: seconds() - 3 * 86_400 }, /^iat: is more than a day ago/],
    ['that has expired', { exp: seconds() - 3600 }, /exp/],
  ]
  test.each(refused)(
    'SVC-1[part=iss], SVC-1[part=aud], SVC-1[part=iat], SVC-1[part=exp], SVC-1[part=jti], SVC-1[member=events], SVC-1[member=nonce], SVC-1[member=sub]: a logout_token %s is refused with 400, and nothing is taken in',
    async (_what, changes, reason) => {
      const { bank, service, journal } = await bankAndSimulator()
      const answer = await service.form('/back-channel/logout', {
        logout_token: await bank.sign(logoutClaims(bank, changes)),
      })
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual({ error: 'invalid_request', error_description: expect.stringMatching(reason) })
      expect(journal.of('logout')).toEqual([])
    },
  )

  test('SVC-1[part=signature], SVC-1[part=alg]: an unsigned one, one signed by an untrusted key and what is no JWT are refused', async () => {
    const { bank, service, journal } = await bankAndSimulator()
    const claims = logoutClaims(bank)
    for (const logout_token of [new UnsecuredJWT(claims).encode(), await signedByUntrustedKey(claims), 'no-jwt']) {
      expect(await service.form('/back-channel/logout', { logout_token })).toMatchObject({ status: 400 })
    }
    expect(journal.of('logout')).toEqual([])
  })

  test('SVC-1[part=replay]: a jti that was received before is refused, after a restart too', async () => {
    const data = temporary()
    const { bank, service } = await bankAndSimulator(undefined, data)
    const logout_token = await bank.sign(logoutClaims(bank))
    expect(await service.form('/back-channel/logout', { logout_token })).toMatchObject({ status: 200 })
    await service.close()
    const again = await simulatorForTest([bank], { data })
    const answer = await again.form('/back-channel/logout', { logout_token })
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'jti: jti-1 was already received' },
    ])
    expect(again.simulator.journal.of('logout')).toHaveLength(1)
  })

  test('SVC-1[parameter=logout_token]: only the form field is taken: no JSON, no two tokens, no body without end', async () => {
    const { bank, service } = await bankAndSimulator()
    const token = await bank.sign(logoutClaims(bank))
    const asJson = await service.send('POST', '/back-channel/logout', JSON.stringify({ logout_token: token }), {
      'content-type': 'application/json',
    })
    const twice = await service.form('/back-channel/logout', [
      ['logout_token', token],
      ['logout_token', token],
    ])
    const large = await service.form('/back-channel/logout', { logout_token: 'x'.repeat(300_000) })
    expect([asJson.status, twice.status, large.status]).toEqual([400, 400, 400])
    expect(asJson.json).toMatchObject({ error_description: expect.stringMatching(/x-www-form-urlencoded/) })
  })

  test('SVC-1: a bank whose keys cannot be read is told so with 500, for it to try again', async () => {
    const { bank, service, journal } = await bankAndSimulator(() => ({
      'GET /.well-known/jwks.json': () => json({}, 500),
    }))
    const answer = await service.form('/back-channel/logout', { logout_token: await bank.sign(logoutClaims(bank)) })
    expect([answer.status, journal.of('logout')]).toEqual([500, []])
  })
})
