import { parameterOf } from '../../bank/authorization.js'
import type { Bank } from '../../bank/bank.js'
import { inStep } from '../../bank/steps.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister, toSign } from '../../target/needs.js'
import { sampleOf } from '../support/access-token-sample.js'
import { expectRefusal } from '../support/client-refusals.js'
import {
  expectAccessTokenHash,
  expectAccessTokenLifetime,
  expectIdTokenClaims,
  expectIdTokenLifetime,
  expectNotStored,
  type IssuedIdToken,
  ofTimes,
} from '../support/issued-tokens.js'

const idTokenOfSigning = 'the id_token of the signing flow'

/** The id_token that an authorized object gave. */
async function signedIdToken({ bank }: Tools): Promise<IssuedIdToken> {
  const signed = await bank.signing.result()
  const { response, client, accessToken } = signed
  const { claims, header } = await bank.signing.idToken(signed)
  return { what: idTokenOfSigning, claims, header, client, response, accessToken }
}

export const response = rule({
  id: 'token/signing-response',
  requirement: 'TOK-1',
  places: ['grant=signing'],
  title: 'The code of the signing flow is exchanged for a whole token response',
  needs: toSign,
  async check({ bank, expect }) {
    const { response } = await bank.signing.result()
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/json')
    expect(response.told, 'the token response', response).toFitSchema('token-response')
  },
})

export const accessTokenLifetime = rule({
  id: 'token/signing-access-token-lifetime',
  requirement: 'TOK-4',
  places: ['token=access-of-signing member=exp', 'token=access-of-signing member=expires_in'],
  title: 'An access token of the signing flow is valid for at least 3600 seconds',
  needs: toSign,
  async check(tools) {
    const { client, response, accessToken } = await tools.bank.signing.result()
    const what = 'the access token of the signing flow'
    const expiresIn = response.member('expires_in')
    await expectAccessTokenLifetime(tools, { what, client, response, accessToken, expiresIn })
  },
})

export const idTokenLifetime = rule({
  id: 'token/signing-id-token-lifetime',
  requirement: 'TOK-6',
  places: ['token=id-of-signing', 'token=id-of-signing part=nbf'],
  title: 'The id_token of the signing flow is valid for at least 3600 seconds',
  needs: toSign,
  check: async (tools) => expectIdTokenLifetime(tools, await signedIdToken(tools)),
})

export const accessTokenHash = rule({
  id: 'token/signing-access-token-hash',
  requirement: 'TOK-8',
  places: ['token=id-of-signing'],
  title: 'at_hash of the id_token of the signing flow, when present, matches the access token',
  needs: toSign,
  check: async (tools) => expectAccessTokenHash(tools, await signedIdToken(tools)),
})

export const idTokenClaims = rule({
  id: 'token/signing-id-token-claims',
  requirement: 'TOK-34',
  places: ['sub', 'iss', 'aud', 'exp', 'iat', ...ofTimes].map((claim) => `token=id-of-signing claim=${claim}`),
  title: 'The id_token of the signing flow carries sub, iss, aud, exp and iat',
  needs: toSign,
  check: async (tools) => expectIdTokenClaims(tools, await signedIdToken(tools)),
})

export const noStore = rule({
  id: 'token/signing-no-store',
  requirement: 'TOK-18',
  places: ['grant=signing'],
  title: 'Token responses of the signing flow carry Cache-Control: no-store',
  needs: toSign,
  check: async (tools) =>
    expectNotStored(tools, 'the token response of the signing flow', (await tools.bank.signing.result()).response),
})

export const noRefreshToken = rule({
  id: 'token/signing-refresh-token',
  requirement: 'TOK-3',
  places: ['grant=signing'],
  title: 'The signing flow gives no refresh token to whom asked for none',
  needs: toSign,
  async check({ bank, expect }) {
    const { response } = await bank.signing.result()
    expect(response.member('refresh_token'), 'refresh_token of the token response', response).toBe(undefined)
  },
})

export const codeOnce = rule({
  id: 'token/signing-code-once',
  requirement: 'TOK-12',
  places: ['grant=signing'],
  title: 'A code of the signing flow is exchanged once; a second exchange is refused',
  needs: toSign,
  async check({ bank, expect }) {
    const exchange = await bank.signing.result.variations()
    expect(await exchange()).toHaveStatus(200)
    expectRefusal(expect, await exchange(), 400, 'invalid_grant')
  },
})

/** A client of two response types, of which one gives an access token in front of the person (AMB-11). */
const frontChannel = {
  client_name: 'Conformance implicit',
  response_types: ['code', 'token'],
  grant_types: ['authorization_code', 'implicit'],
}

/** What response_type token gave, in the fragment of the callback. */
interface FrontChannelToken {
  accessToken: string
  fragment: URLSearchParams
  response: HttpResponse
}

/** An access token of the front channel. @throws Skip where the bank does not declare response_type token */
async function frontChannelToken({ bank, expect, skip }: Tools): Promise<FrontChannelToken> {
  const declared = (await bank.discovery()).declared('response_types_supported') ?? []
  if (!declared.includes('token')) return skip('the bank does not declare response_type token (AMB-11)')
  const authorized = await bank.authorization.try({
    clientMetadata: frontChannel,
    parameters: { response_type: 'token' },
  })
  const { response, fragment } = authorized.callback
  const accessToken = expect(
    parameterOf(authorized, 'access_token'),
    'access_token of the callback',
    response,
  ).toBeText()
  return { accessToken, fragment, response }
}

const frontChannelClient = (bank: Bank) => bank.client(frontChannel)

export const frontChannelLifetime = rule({
  id: 'token/front-channel-access-token-lifetime',
  requirement: 'TOK-4',
  places: ['token=access-of-front-channel member=exp', 'token=access-of-front-channel member=expires_in'],
  title: 'An access token of the front channel is valid for at least 3600 seconds',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { accessToken, fragment, response } = await frontChannelToken(tools)
    const client = await frontChannelClient(tools.bank)
    const what = 'the access token of the front channel'
    const told = fragment.get('expires_in')
    // A text, as all of a fragment is.
    const expiresIn = told === null ? undefined : Number(told)
    await expectAccessTokenLifetime(tools, { what, client, response, accessToken, expiresIn })
  },
})

export const frontChannelOpaque = rule({
  id: 'token/front-channel-access-token-opaque',
  requirement: 'TOK-9',
  places: ['token=access-of-front-channel'],
  title: 'Access tokens of the front channel vary in a part long enough for 160 random bits, and none comes twice',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { expect, reading } = tools
    const first = await frontChannelToken(tools)
    const { accessToken, response } = await frontChannelToken(tools)
    const { duplicates, varying, bits } = sampleOf([first.accessToken, accessToken])
    expect(duplicates, 'how many of 2 access tokens of the front channel came before', response).toBe(0)
    const where = `what the varying part of the access tokens of the front channel, of ${varying} characters, can hold`
    expect(Math.floor(bits), where, response).toBeAtLeast(128, 'bits')
    reading('AMB-37', bits >= 160 ? 'bits-160' : 'bits-128')
  },
})

export const frontChannelRefreshToken = rule({
  id: 'token/front-channel-refresh-token',
  requirement: 'TOK-3',
  places: ['grant=implicit'],
  title: 'The front channel gives no refresh token',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { fragment, response } = await frontChannelToken(tools)
    tools.expect(fragment.get('refresh_token'), 'refresh_token of the callback', response).toBe(null)
  },
})

/** The id_token of the hybrid flow, with the access token that came beside it. */
async function hybridIdToken({ bank }: Tools): Promise<IssuedIdToken> {
  const { client, fragment, response } = await bank.hybrid()
  const text = String(fragment.get('id_token'))
  const { claims, header } = await inStep('hybridIdToken', () => bank.examineIdToken(response, client, text))
  const accessToken = fragment.get('access_token') ?? undefined
  const what = 'the id_token of the callback'
  return { what, claims, header, client, response, ...(accessToken && { accessToken }) }
}

export const hybrid = rule({
  id: 'token/hybrid-id-token',
  requirement: 'TOK-34',
  places: ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', ...ofTimes].map(
    (claim) => `token=id-of-front-channel claim=${claim}`,
  ),
  title: 'An id_token of the front channel carries sub, iss, aud, exp, iat and the nonce of its request',
  needs: [...toSign, 'redirect'],
  async check(tools) {
    const { bank, expect } = tools
    const { nonce } = await bank.hybrid()
    const { claims, ...idToken } = await hybridIdToken(tools)
    await expectIdTokenClaims(tools, { claims, ...idToken })
    expect<unknown>(claims.nonce, `nonce of ${idToken.what}`, idToken.response).toBe(nonce)
  },
})

export const hybridLifetime = rule({
  id: 'token/hybrid-id-token-lifetime',
  requirement: 'TOK-6',
  places: ['token=id-of-front-channel', 'token=id-of-front-channel part=nbf'],
  title: 'An id_token of the front channel is valid for at least 3600 seconds',
  needs: [...toSign, 'redirect'],
  check: async (tools) => expectIdTokenLifetime(tools, await hybridIdToken(tools)),
})

export const hybridHash = rule({
  id: 'token/hybrid-access-token-hash',
  requirement: 'TOK-8',
  places: ['token=id-of-front-channel'],
  title: 'at_hash of an id_token of the front channel, when present, matches the access token beside it',
  needs: [...toSign, 'redirect'],
  check: async (tools) => expectAccessTokenHash(tools, await hybridIdToken(tools)),
})

export const hybridSigned = rule({
  id: 'token/hybrid-id-token-signed',
  requirement: 'TOK-7',
  places: ['token=id-of-front-channel'],
  title: 'An id_token of the front channel is signed by a published key',
  needs: [...toSign, 'redirect'],
  async check({ bank, expect }) {
    const { client, fragment, response } = await bank.hybrid()
    const jwt = expect(fragment.get('id_token') ?? '', 'id_token of the callback', response).toBeText()
    await bank.examineIdToken(response, client, jwt)
  },
})
