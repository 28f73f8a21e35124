import { compactJwe } from '../bank/user-data.js'
import { toLogIn } from '../harness/needs.js'
import { rule } from '../harness/rule.js'

export const signed = rule({
  id: 'userinfo/signed',
  requirement: 'DATA-1',
  title: 'userinfo is a JWT of content type application/jwt, signed with the registered algorithm by a published key',
  needs: toLogIn,
  async check({ bank, expect }) {
    const login = await bank.login()
    const response = await bank.userinfo(login)
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/jwt')
    const { content } = await bank.open(response, login.application)
    const { header, payload } = await bank.verify(content, 'userinfo', response)
    const registered = login.application.metadata.userinfo_signed_response_alg
    expect<unknown>(header.alg, 'alg of the signed userinfo', response).toBe(registered)
    expect(payload, 'the payload of userinfo', response).toBeObject()
  },
})

export const encrypted = rule({
  id: 'userinfo/encrypted',
  requirement: 'DATA-13',
  title: 'userinfo is encrypted to a key of the application with the registered alg and enc',
  needs: toLogIn,
  async check({ bank, expect, reading, skip }) {
    const login = await bank.login()
    const { metadata, keys } = login.application
    if (metadata.userinfo_encrypted_response_alg === undefined)
      return skip('the bank declares no encryption of userinfo')
    const response = await bank.userinfo(login)
    expect(response.text.trim(), 'userinfo', response).toMatch(compactJwe, 'a compact JWE')
    const { encryption } = await bank.open(response, login.application)
    expect<unknown>(encryption?.alg, 'alg of the encrypted userinfo', response).toBe(
      metadata.userinfo_encrypted_response_alg,
    )
    expect<unknown>(encryption?.enc, 'enc of the encrypted userinfo', response).toBe(
      metadata.userinfo_encrypted_response_enc,
    )
    const { kid = keys.encryption.kid } = encryption ?? {}
    expect(kid, 'kid of the encrypted userinfo', response).toBe(keys.encryption.kid)

    const plain = { userinfo_encrypted_response_alg: undefined, userinfo_encrypted_response_enc: undefined }
    const { response: refusal } = await bank.registration(plain)
    if (refusal.status === 400) return reading('AMB-48', 3)
    const data = await bank.userinfo(await bank.login({ client: plain }))
    reading('AMB-48', compactJwe.test(data.text.trim()) ? 2 : 1)
  },
})
