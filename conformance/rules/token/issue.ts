import { createHash } from 'node:crypto'
import { compactJwe } from '../../bank/user-data.js'
import type { Expect } from '../../harness/expect.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { expectInteger } from '../support/integers.js'
import { parseSpaceDelimited } from '../support/parse-space-delimited.js'
import { expectRegisteredAlgorithm } from '../support/registered-algorithm.js'

const hour = 3600
const year = 365 * 24 * hour

export const refreshTokenIssued = rule({
  id: 'token/refresh-token-issued',
  requirement: 'TOK-3',
  title: 'A refresh token comes only with the refresh_token grant registered and offline_access asked for',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const { response, scopes } = await bank.offlineToken()
    expect(response.member('refresh_token'), 'refresh_token of the token response', response).toBeText()
    const clientMetadata = { grant_types: ['authorization_code'] }
    const online = scopes.filter((scope) => scope !== 'offline_access').join(' ')
    const others = {
      'without offline_access': { scope: online },
      'without offline_access and the grant': { clientMetadata, scope: online },
      // A bank may also refuse a scope that means nothing to the client.
      'without the grant': { clientMetadata, scope: scopes.join(' ') },
    }
    for (const [what, options] of Object.entries(others)) {
      await inVariation(what, async () => {
        const { query } = (await bank.authorization(options)).callback
        if (options.scope !== online && query.get('error') === 'invalid_scope') return
        const without = (await bank.token(options)).response
        expect(without.member('refresh_token'), 'refresh_token of the token response', without).toBe(undefined)
      })
    }
  },
})

export const accessTokenLifetime = rule({
  id: 'token/access-token-lifetime',
  requirement: 'TOK-4',
  title: 'An access token is valid for at least 3600 seconds',
  needs: toLogIn,
  async check({ bank, expect }) {
    const { response, client, accessToken } = await bank.token()
    expect(response.member('expires_in'), 'expires_in of the token response', response).toBeAtLeast(hour, 's')
    const introspected = await bank.introspection.fresh({ client, token: accessToken })
    const lifetime = lifetimeOf(expect, introspected, 'the access token')
    expect(lifetime, 'exp - iat of the access token', introspected).toBeAtLeast(hour, 's')
  },
})

export const refreshTokenLifetime = rule({
  id: 'token/refresh-token-lifetime',
  requirement: 'TOK-5',
  title: 'A refresh token issued for a code is valid for at least one year',
  needs: toLogIn,
  async check({ bank, expect }) {
    const { client, refreshToken } = await bank.offlineToken()
    const introspected = await bank.introspection.fresh({ client, token: refreshToken })
    const lifetime = lifetimeOf(expect, introspected, 'the refresh token')
    expect(lifetime, 'exp - iat of the refresh token', introspected).toBeAtLeast(year, 's')
  },
})

export const idTokenLifetime = rule({
  id: 'token/id-token-lifetime',
  requirement: 'TOK-6',
  title: 'The id_token is valid at least as long as the access token',
  needs: toLogIn,
  async check({ bank, expect }) {
    const login = await bank.token()
    const { response } = login
    const claims = await bank.idTokenClaims(login)
    const exp = expectInteger(expect, claims.exp, 'exp of the id_token', response)
    const lifetime = exp - expectInteger(expect, claims.iat, 'iat of the id_token', response)
    const least = Math.max(hour, Number(response.member('expires_in')) || 0)
    expect(lifetime, 'exp - iat of the id_token', response).toBeAtLeast(least, 's')
  },
})

/** What introspection says of how long a token lives, in seconds. */
function lifetimeOf(expect: Expect, introspected: HttpResponse, token: string): number {
  const exp = expectInteger(expect, introspected.member('exp'), `exp of ${token}`, introspected)
  return exp - expectInteger(expect, introspected.member('iat'), `iat of ${token}`, introspected)
}

export const idTokenSigned = rule({
  id: 'token/id-token-signed',
  requirement: 'TOK-7',
  title: 'The id_token is signed with the registered algorithm by a published key',
  needs: toLogIn,
  async check(tools) {
    const { response, client } = await tools.bank.token()
    const { header } = await tools.bank.idToken(response, client)
    const where = { what: 'the id_token', member: 'id_token_signed_response_alg', response }
    expectRegisteredAlgorithm(tools, header.alg, client, where)
  },
})

export const accessTokenHash = rule({
  id: 'token/access-token-hash',
  requirement: 'TOK-8',
  title: 'at_hash, when present, matches the access token',
  needs: toLogIn,
  async check({ bank, expect, note }) {
    const { response, client, accessToken } = await bank.token()
    const { claims, header } = await bank.idToken(response, client)
    if (claims.at_hash === undefined) return note('the id_token has no at_hash')
    const [bits] = /(256|384|512)$/.exec(String(header.alg)) ?? []
    if (!bits) return note(`at_hash cannot be judged: alg ${header.alg} of the id_token names no hash`)
    const digest = createHash(`sha${bits}`).update(accessToken).digest()
    const half = digest.subarray(0, digest.length / 2).toString('base64url')
    expect(claims.at_hash, 'at_hash of the id_token', response).toBe(half)
  },
})

export const noStore = rule({
  id: 'token/no-store',
  requirement: 'TOK-18',
  title: 'Token responses carry Cache-Control: no-store',
  needs: toLogIn,
  async check({ bank, expect }) {
    const { response } = await bank.token()
    expect(response.header('cache-control'), 'cache-control of the token response', response).toSatisfy(
      (directives) =>
        directives
          .toLowerCase()
          .split(/\s*,\s*/)
          .includes('no-store'),
      'a list with no-store',
    )
  },
})

export const idTokenClaims = rule({
  id: 'token/id-token-claims',
  requirement: 'TOK-34',
  title: "The id_token carries sub, iss, aud, exp, iat and the request's nonce, and an acr of those declared if any",
  needs: toLogIn,
  async check({ bank, expect, warn }) {
    const login = await bank.token()
    const { response, client, authorization } = login
    const claims = await bank.idTokenClaims(login)
    expect(claims.sub, 'sub of the id_token', response).toBeText()
    expect(claims.iss, 'iss of the id_token', response).toBe(bank.issuer)
    expect([claims.aud].flat(), 'aud of the id_token', response).toEqual([client.clientId])
    expect(claims.exp, 'exp of the id_token', response).toSatisfy(Number.isInteger, 'an integer')
    expect(claims.iat, 'iat of the id_token', response).toSatisfy(Number.isInteger, 'an integer')
    expect(claims.nonce, 'nonce of the id_token', response).toBe(authorization.parameters.nonce)
    const declared = (await bank.discovery()).declared('acr_values_supported') ?? ['loa2', 'loa3']
    const { acr } = claims
    if (acr !== undefined && !declared.includes(String(acr)))
      warn(`acr of the id_token is ${JSON.stringify(acr)}, which is not among ${declared.join(', ')}`)
  },
})

export const idTokenEncrypted = rule({
  id: 'token/id-token-encrypted',
  requirement: 'TOK-35',
  title: "The id_token is encrypted to the client's key when registered so",
  needs: toLogIn,
  async check({ bank, expect, skip }) {
    const declared = (await bank.discovery()).declared('id_token_encryption_alg_values_supported') ?? []
    const alg = declared.find((name) => name === 'RSA-OAEP-256') ?? declared[0]
    if (alg === undefined) return skip('the bank declares no encryption of id_tokens')
    const { response, client } = await bank.token({ clientMetadata: { id_token_encrypted_response_alg: alg } })
    const text = expect(response.member('id_token'), 'id_token of the token response', response).toBeText()
    expect(text, 'id_token of the token response', response).toMatch(compactJwe, 'a compact JWE')
    const { encryption } = await bank.idToken(response, client)
    expect(encryption?.alg, 'alg of the encrypted id_token', response).toBe(alg)
  },
})

/** Two logins of a client that nobody else uses: for two data scopes, then for another. */
async function logins({ bank, skip }: Tools) {
  const { dataScopes } = await bank.client()
  const [first, second, third = second] = dataScopes
  if (!first || !second) return skip('the client has fewer than two data scopes')
  const clientMetadata = { client_name: 'A client of several logins' }
  const login = async (scopes: string[]) => ({
    scopes,
    login: await bank.token.fresh({ clientMetadata, scope: scopes.join(' ') }),
  })
  return {
    earlier: await login(['openid', second, first]),
    later: () => login(['openid', String(third)]),
  }
}

export const laterLogin = rule({
  id: 'token/later-login',
  requirement: 'TOK-10',
  title: 'A later login changes neither validity nor scopes of the tokens issued before',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const { earlier, later } = await logins(tools)
    const { client, accessToken } = earlier.login
    const before = await bank.introspection.fresh({ client, token: accessToken })
    await later()
    const after = await bank.introspection.try({ client, token: accessToken })
    for (const member of ['active', 'scope', 'exp']) {
      expect(after.member(member), `${member} of the earlier access token`, after).toBe(before.member(member))
    }
  },
})

export const independentLogins = rule({
  id: 'token/independent-logins',
  requirement: 'TOK-27',
  title: 'Each login yields just its own scopes, and the tokens of two logins live side by side',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    const { earlier, later } = await logins(tools)
    const both = { 'the earlier login': earlier, 'the later login': await later() }
    for (const [which, { scopes, login }] of Object.entries(both)) {
      await inVariation(which, async () => {
        const introspected = await bank.introspection.try({ client: login.client, token: login.accessToken })
        expect(introspected.member('active'), 'active of the access token of one of two logins', introspected).toBe(
          true,
        )
        expect(
          parseSpaceDelimited(introspected.member('scope')),
          'the scopes of the access token',
          introspected,
        ).toBeSetOf(scopes)
      })
    }
  },
})
