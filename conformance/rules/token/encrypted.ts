import type { Metadata } from '../../bank/client-metadata.js'
import { dressNow } from '../../bank/dress.js'
import type { IdToken } from '../../bank/id-token.js'
import type { Client } from '../../bank/registration.js'
import { inStep } from '../../bank/steps.js'
import type { Login } from '../../bank/token.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { compactJwe } from '../../service/decryption.js'
import { toLogIn } from '../../target/needs.js'
import {
  expectAccessTokenHash,
  expectIdTokenClaims,
  expectIdTokenLifetime,
  type IssuedIdToken,
} from '../support/issued-tokens.js'
import { judgeContentType } from '../support/nested-content.js'
import { expectRegisteredAlgorithm } from '../support/registered-algorithm.js'

const [algMember, encMember] = ['id_token_encrypted_response_alg', 'id_token_encrypted_response_enc'] as const

/** The record of a client whose id_tokens are encrypted, once signed with ES512 if possible. @throws Skip where the bank declares no such thing */
async function encrypting({ bank, skip }: Tools): Promise<Metadata> {
  const discovery = await bank.discovery()
  const declared = (part: 'alg' | 'enc', usual: string) => {
    const values = discovery.declared(`id_token_encryption_${part}_values_supported`) ?? []
    return values.find((name) => name === usual) ?? values[0]
  }
  const [alg, enc] = [declared('alg', 'RSA-OAEP-256'), declared('enc', 'A256GCM')]
  if (alg === undefined) return skip('the bank declares no encryption of id_tokens')
  const signing = discovery.declared('id_token_signing_alg_values_supported')?.includes('ES512')
  return {
    [algMember]: alg,
    ...(enc && { [encMember]: enc }),
    ...(signing && { id_token_signed_response_alg: 'ES512' }),
  }
}

/** TOK-35: that the id_token of an answer is encrypted as its client registered. @param open decrypts it */
async function expectEncrypted(
  { expect, warn }: Tools,
  { client, response }: Pick<Login, 'client' | 'response'>,
  open: (response: HttpResponse, client: Client) => Promise<IdToken>,
): Promise<void> {
  const text = expect(response.member('id_token'), 'id_token of the token response', response).toBeText()
  expect(text, 'id_token of the token response', response).toMatch(compactJwe, 'a compact JWE')
  const { encryption } = await open(response, client)
  expect<unknown>(encryption?.alg, 'alg of the encrypted id_token', response).toBe(client.metadata[algMember])
  if (client.metadata[encMember] !== undefined)
    expect<unknown>(encryption?.enc, 'enc of the encrypted id_token', response).toBe(client.metadata[encMember])
  judgeContentType({ warn }, 'the encrypted id_token', encryption?.cty)
}

export const idTokenEncrypted = rule({
  id: 'token/id-token-encrypted',
  requirement: 'TOK-35',
  places: [
    'token=id-of-code',
    'token=id-of-code part=encryption',
    'token=id-of-code alg=ES512',
    'token=id-of-code part=typ',
    'token=id-of-code alg=none',
  ],
  title: "The id_token is encrypted to the client's key when registered so",
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const clientMetadata = await encrypting(tools)
    await expectEncrypted(tools, await bank.token({ clientMetadata }), bank.idToken)
    const signings = (await bank.discovery()).declared('id_token_signing_alg_values_supported') ?? []
    if (!signings.includes('none') || dressNow() !== undefined) return
    await inVariation('of a client that has its id_tokens unsigned', async () => {
      const unsigned = { ...clientMetadata, id_token_signed_response_alg: 'none' }
      const registered = await bank.registration(unsigned)
      // That a bank has each of the two does not say that it has them together.
      if (registered.response.status >= 300) return note('the bank refuses a client with unsigned, encrypted id_tokens')
      const { response } = await bank.token({ clientMetadata: unsigned })
      const text = expect(response.member('id_token'), 'id_token of the token response', response).toBeText()
      expect(text, 'id_token of the token response', response).toMatch(compactJwe, 'a compact JWE')
    })
  },
})

export const refreshedEncrypted = rule({
  id: 'token/refreshed-id-token-encrypted',
  requirement: 'TOK-35',
  places: ['token=id-of-refresh', 'token=id-of-refresh alg=ES512', 'token=id-of-refresh part=typ'],
  title: "An id_token of a refresh is encrypted to the client's key when registered so",
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, skip } = tools
    const login = await bank.offlineToken.fresh({ clientMetadata: await encrypting(tools) })
    const response = await bank.refresh.try({ login })
    expect(response).toHaveStatus(200)
    if (response.member('id_token') === undefined) return skip('the bank gives no id_token on refresh (AMB-67)')
    await expectEncrypted(tools, { client: login.client, response }, bank.examineIdToken)
  },
})

export const signedWithin = rule({
  id: 'token/encrypted-id-token-signed',
  requirement: 'TOK-7',
  places: ['token=id-of-code part=encryption'],
  title: 'An id_token that is encrypted is signed within, with the registered algorithm by a published key',
  needs: toLogIn,
  async check(tools) {
    const { response, client } = await tools.bank.token({ clientMetadata: await encrypting(tools) })
    const { header } = await tools.bank.examineIdToken(response, client)
    const where = { what: 'the encrypted id_token', member: 'id_token_signed_response_alg', response }
    expectRegisteredAlgorithm(tools, header.alg, client, where)
  },
})

/** The id_token of a login at a client whose id_tokens are encrypted. */
async function encryptedIdToken(tools: Tools): Promise<IssuedIdToken & { login: Login }> {
  const login = await tools.bank.token({ clientMetadata: await encrypting(tools) })
  const { client, response, accessToken } = login
  const { claims, header } = await inStep('idToken', () => tools.bank.examineIdToken(response, client))
  const expiresIn = response.member('expires_in')
  return { what: 'the encrypted id_token', claims, header, client, response, accessToken, expiresIn, login }
}

export const lifetime = rule({
  id: 'token/encrypted-id-token-lifetime',
  requirement: 'TOK-6',
  places: ['token=id-of-code part=encryption'],
  title: 'An id_token that is encrypted is valid at least as long as the access token',
  needs: toLogIn,
  check: async (tools) => expectIdTokenLifetime(tools, await encryptedIdToken(tools)),
})

export const accessTokenHash = rule({
  id: 'token/encrypted-access-token-hash',
  requirement: 'TOK-8',
  places: ['token=id-of-code part=encryption'],
  title: 'at_hash of an id_token that is encrypted, when present, matches the access token',
  needs: toLogIn,
  check: async (tools) => expectAccessTokenHash(tools, await encryptedIdToken(tools)),
})

export const claims = rule({
  id: 'token/encrypted-id-token-claims',
  requirement: 'TOK-34',
  places: ['token=id-of-code part=encryption'],
  title: "An id_token that is encrypted carries sub, iss, aud, exp, iat and the request's nonce",
  needs: toLogIn,
  async check(tools) {
    const idToken = await encryptedIdToken(tools)
    await expectIdTokenClaims(tools, idToken)
    const { authorization, response } = idToken.login
    tools.expect(idToken.claims.nonce, 'nonce of the encrypted id_token', response).toBe(authorization.parameters.nonce)
  },
})
