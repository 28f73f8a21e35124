import { isObject } from '../../bank/claims.js'
import { replacement } from '../../bank/registration-management.js'
import { rule } from '../../harness/rule.js'
import { assertionClaims } from '../../service/assertions.js'
import { clientKeys, foreignSigner, publishedKeys } from '../../service/client-keys.js'
import { mismatchedCurve } from '../../service/mismatched-curve.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { assertionAlgorithm, byPost, bySecretJwt, needMethod } from '../support/client-methods.js'
import { expectAllGranted } from '../support/granted-scopes.js'
import {
  type Asserted,
  expectBelieved,
  hasRefreshTokens,
  proofEndpoints,
  refuseEach,
} from '../support/proof-endpoints.js'
import { answerTo } from '../support/refusals.js'
import { byOtherSecret, expectBelievedBySecretOfPut, expectStillBelieved } from '../support/still-believed.js'

/** The places of what does not end that a client is believed. */
const stillBelieved = ['use=after-refusal', 'use=after-put']

/** The place of a secret that the client is told once a PUT has it authenticate by one. */
const secretOfPut = 'use=after-put member=client_secret'

/** To log in at a client that this rule registers. */
const toLogInAtOwn = [...toRegister, ...toLogIn]

export const secretPost = rule({
  id: 'client-authentication/secret-post',
  requirement: 'REG-21',
  places: [
    ...['token', 'token-info', 'revoke'].map((one) => `endpoint=${one}`),
    'endpoint=token grant=refresh',
    ...stillBelieved,
    secretOfPut,
  ],
  title:
    'client_secret_post can be registered and used, also where the client was not believed before, or authenticated by its key',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await needMethod(tools, 'client_secret_post')
    const client = await bank.client(byPost)
    const scope = (await hasRefreshTokens(tools, byPost)) ? 'openid offline_access' : 'openid'
    const response = await bank.token.try({ clientMetadata: byPost, scope })
    expect(response).toHaveStatus(200)
    const refreshToken = response.member('refresh_token')
    if (typeof refreshToken === 'string')
      await inVariation('with a refresh token', async () =>
        expect(await bank.refresh.try({ login: { client, refreshToken } })).toHaveStatus(200),
      )
    await expectBelieved(tools, byPost)
    await expectStillBelieved(tools, byPost, byOtherSecret)
    await expectBelievedBySecretOfPut(tools, byPost)
  },
})

export const secretJwt = rule({
  id: 'client-authentication/secret-jwt',
  requirement: 'REG-35',
  places: [
    ...['HS256', 'HS384', 'HS512'].map((alg) => `endpoint=token alg=${alg}`),
    ...['token-info', 'revoke'].map((one) => `endpoint=${one}`),
    ...stillBelieved,
    secretOfPut,
  ],
  title:
    'client_secret_jwt can be registered and used, also where the client was not believed before, or authenticated by its key',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect, inVariation, reading, warn } = tools
    await needMethod(tools, 'client_secret_jwt')
    await expectStillBelieved(tools, bySecretJwt('HS512'), byOtherSecret)
    await expectBelievedBySecretOfPut(tools, bySecretJwt('HS512'))
    for (const alg of ['HS512', 'HS256', 'HS384']) {
      const registered = await answerTo(bank, bySecretJwt(alg))
      if (alg !== 'HS512' && registered.status === 400) return reading('AMB-10', 'hs512-only')
      await inVariation(`client_secret_jwt with ${alg}`, async () => {
        // A client by HS512 was believed before.
        if (alg !== 'HS512') expect(registered.status, 'the status of the registration', registered).toBeAtMost(399)
        const response = await bank.token.try({ clientMetadata: bySecretJwt(alg) })
        expect(response).toHaveStatus(200)
        await expectBelieved(tools, bySecretJwt(alg))
      })
      const octets = Buffer.byteLength(String(registered.member('client_secret')))
      const least = Number(alg.slice(2)) / 8
      if (octets < least) {
        warn(
          `client_secret has ${octets} octets: for ${alg} a strict library refuses fewer than ${least} (RFC 7518 section 3.2)`,
        )
      }
    }
    reading('AMB-10', 'any-hmac')
  },
})

export const privateKeyJwt = rule({
  id: 'client-authentication/private-key-jwt',
  requirement: 'REG-36',
  places: [
    ...['PS512', 'ES512'].map((alg) => `endpoint=token alg=${alg}`),
    ...['token-info', 'revoke'].map((one) => `endpoint=${one}`),
    ...stillBelieved,
  ],
  title:
    'private_key_jwt can be registered and used, with a key of each type, also where the client was not believed before',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await needMethod(tools, 'private_key_jwt')
    const declared = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported')
    for (const alg of ['PS512', 'ES512'].filter((one) => declared?.includes(one) ?? true)) {
      const clientMetadata = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: alg }
      await inVariation(`private_key_jwt with ${alg}`, async () => {
        const response = await bank.token.try({ clientMetadata })
        expect(response).toHaveStatus(200)
        await expectBelieved(tools, clientMetadata)
      })
    }
    const byKey = { token_endpoint_auth_method: 'private_key_jwt' }
    const { metadata } = await bank.client(byKey)
    const signer = await foreignSigner(assertionAlgorithm({ metadata }))
    await expectStillBelieved(tools, byKey, () => ({ authentication: { signer } }))
  },
})

export const ownKeys = rule({
  id: 'client-authentication/keys-at-jwks-uri',
  requirement: 'REG-18',
  places: ['token', 'token-info', 'revoke'].map((one) => `endpoint=${one}`),
  title: 'Client assertions are verified by the keys at jwks_uri',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect } = tools
    await needMethod(tools, 'private_key_jwt')
    const own = await clientKeys()
    const { alg: usual } = own.ecSigning ?? own.signing
    // Behind another: each key of the set is good, and not the first alone.
    const other = await foreignSigner(usual)
    const keys = await bank.hostKeys([other.publicJwk, ...publishedKeys(own)])
    const clientMetadata = { jwks_uri: keys.url }
    expect(await bank.token.try({ clientMetadata })).toHaveStatus(200)
    const alg = assertionAlgorithm(await bank.client(clientMetadata))
    const { kid } = own.ecSigning?.alg === alg ? own.ecSigning : own.signing
    const signer = await foreignSigner(alg, kid)
    await refuseEach(tools, () => ({ 'of a key that is not at jwks_uri': { signer } }), { clientMetadata })
    expect(keys.fetches(), 'the number of times that the bank fetched jwks_uri').toBeAtLeast(1)
  },
})

export const addedKey = rule({
  id: 'client-authentication/key-added',
  requirement: 'REG-32',
  places: ['token', 'token-info', 'revoke'].map((one) => `endpoint=${one}`),
  title: 'A key added at jwks_uri is used as soon as an assertion names its kid, at each endpoint',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await needMethod(tools, 'private_key_jwt')
    const published = publishedKeys(await clientKeys())
    const added = await foreignSigner(assertionAlgorithm(await bank.client()))
    for (const { at, open } of proofEndpoints.filter((one) => one.at !== '/token with a refresh token')) {
      const keys = await bank.hostKeys(published)
      const send = await open(tools, { jwks_uri: keys.url })
      keys.replace([...published, added.publicJwk])
      await inVariation(`a key that was added, at ${at}`, async () => {
        const answer = await send(() => ({ authentication: { signer: added } }))
        expect(answer.status, 'the status of a good request', answer).toBeAtMost(299)
      })
    }
  },
})

export const otherCurve = rule({
  id: 'client-authentication/other-curve',
  requirement: 'REG-27',
  places: ['token', 'token-info', 'revoke', 'jwks'].map((one) => `endpoint=${one}`),
  title: 'An assertion under ES512 with a P-256 key is refused; published EC keys have 256 bits or more',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, service, expect, skip } = tools
    // A key set that is none is the failure of the rule about it (JWKS-1).
    const published = (await bank.keySetResponse()).member('keys')
    for (const key of Array.isArray(published) ? published.filter(isObject) : []) {
      // The name of a curve tells its bits. One that does not is not known here, and may be as strong as any (RFC 7517 section 5).
      const bits = /\d+/.exec(String(key.crv))?.[0]
      if (key.kty !== 'EC' || bits === undefined) continue
      expect(Number(bits), `crv of the published EC key ${key.kid}, ${key.crv}`).toBeAtLeast(256, 'bits')
    }
    await needMethod(tools, 'private_key_jwt')
    const declared = (await bank.discovery()).declared('token_endpoint_auth_signing_alg_values_supported')
    if (declared && !declared.includes('ES512')) return skip('the bank does not declare ES512')
    const { encryption, ecSigning } = await clientKeys()
    const small = await mismatchedCurve()
    const keys = await bank.hostKeys([
      small.publicJwk,
      encryption.publicJwk,
      ...(ecSigning ? [ecSigning.publicJwk] : []),
    ])
    const clientMetadata = {
      jwks_uri: keys.url,
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'ES512',
    }
    const flaws = ({ client: { clientId }, endpoint }: Asserted) => {
      const claims = assertionClaims({ iss: clientId, sub: clientId, aud: endpoint }, service.clock())
      return { 'under ES512 with a P-256 key': { jwt: small.sign(claims) } }
    }
    await refuseEach(tools, flaws, { clientMetadata })
  },
})

export const authTime = rule({
  id: 'client-authentication/require-auth-time',
  requirement: 'REG-33',
  places: ['use=first', 'use=session-login', 'token=id-of-refresh', 'token=id-of-refresh value=other-unit'],
  title: 'require_auth_time puts auth_time into the id_token, of a login by session and of a refresh too',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, service, expect, inVariation, warn } = tools
    // Without max_age nothing else asks for auth_time.
    const plain = { require_auth_time: true, default_max_age: undefined }
    const without = await bank.registration(plain)
    const clientMetadata = without.response.status < 300 ? plain : { require_auth_time: true }
    // A session of somebody who logs in by hand may be as old as the run.
    const session = bank.session({ clientMetadata })
    const offline = await hasRefreshTokens(tools, clientMetadata)
    const scope = offline ? 'openid offline_access' : 'openid'
    const { response, client } = await session.signIn({ scope, parameters: { prompt: 'login' } })
    const { claims } = await bank.idToken(response, client)
    expect(claims.auth_time, 'auth_time of the id_token', response).toBeNear(service.clock(), 600, 's')
    const refreshToken = response.member('refresh_token')
    const refreshed = typeof refreshToken === 'string' && (await bank.refresh.try({ login: { client, refreshToken } }))
    // Whether a refresh gives an id_token is the bank's choice, and that auth_time is in it too nothing says in as many words (OpenID
    // Connect Core section 12.2).
    if (refreshed && refreshed.member('id_token') !== undefined) {
      const { claims: again } = await bank.idToken(refreshed, client)
      if (again.auth_time === undefined) warn('the id_token of a refresh has no auth_time, which the client requires')
      else
        expect(again.auth_time, 'auth_time of the id_token of a refresh', refreshed).toBeNear(service.clock(), 600, 's')
    }
    await inVariation('a login by session', async () => {
      const login = await bank.token.fresh({ authorization: await session.ask({}) })
      const later = await bank.idToken(login.response, login.client)
      expect(later.claims.auth_time, 'auth_time of the id_token', login.response).toBeNear(service.clock(), 600, 's')
    })
  },
})

export const furtherScopes = rule({
  id: 'registration/further-scopes',
  requirement: 'REG-25',
  places: ['openid', 'offline_access', 'authorization', 'notification.claims_updated']
    .map((scope) => `scope=${scope}`)
    .concat('method=PUT'),
  title: 'openid, offline_access, authorization and notification.claims_updated can be registered and requested',
  needs: toLogInAtOwn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await bank.registration.expectBaseline()
    const discovery = await bank.discovery()
    // A bank without a signing flow has no use for its scope.
    const ofSigning = bank.signing.offered() ? ['authorization'] : []
    const declares = (list: string, value: string) => discovery.declared(list)?.includes(value) ?? false
    const offline = declares('grant_types_supported', 'refresh_token') && declares('scopes_supported', 'offline_access')
    const further = [...ofSigning, 'notification.claims_updated', ...(offline ? ['offline_access'] : [])]
    const { dataScopes } = await bank.client()
    const scope = ['openid', ...dataScopes.slice(0, 1), ...further].join(' ')
    const { response } = await bank.registration({ scope })
    expect(response.status, `the status of a registration with scope ${scope}`, response).toBeAtMost(299)
    const registered = response.member('scope')
    // What form it has when it comes back is another rule's business (registration/record-echoed).
    if (typeof registered === 'string') {
      const missing = scope.split(' ').filter((one) => !registered.split(' ').includes(one))
      expect(missing, 'the scopes that were not registered', response).toEqual([])
    }
    await expectAllGranted(tools, { clientMetadata: { scope }, scope })
    await inVariation('a PUT of these beside every declared scope', async () => {
      const every = [...new Set([...scope.split(' '), ...(discovery.declared('scopes_supported') ?? [])])].join(' ')
      const client = await bank.readableClient()
      const answer = await bank.manage('PUT', client, () => ({ record: replacement(client, { scope: every }) }))
      expect(answer.status, `the status of a PUT with scope ${every}`, answer).toBeAtMost(299)
    })
  },
})
