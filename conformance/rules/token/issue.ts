import { type LoginOptions, parameterOf } from '../../bank/authorization.js'
import { dressNow, inLeastDress } from '../../bank/dress.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { rule } from '../../harness/rule.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import {
  expectAccessTokenHash,
  expectAccessTokenLifetime,
  expectIdTokenClaims,
  expectIdTokenLifetime,
  expectNotStored,
  lifetimeOf,
  ofTimes,
  yearSeconds,
} from '../support/issued-tokens.js'
import { expectRegisteredAlgorithm } from '../support/registered-algorithm.js'

/** Why no token response is looked at: no refresh token can come then. */
const refusesTheScope = 'a client without grant refresh_token is refused scope offline_access (invalid_scope)'

export const refreshTokenIssued = rule({
  id: 'token/refresh-token-issued',
  requirement: 'TOK-3',
  places: ['both', 'first', 'second', 'missing', 'subset'].map((value) => `scope=offline_access value=${value}`),
  title: 'A refresh token comes only with the refresh_token grant registered and offline_access asked for',
  needs: toLogIn,
  async check({ bank, expect, inVariation, note }) {
    const { scopes } = inLeastDress() ? { scopes: [] } : await bank.offlineToken()
    if ((await bank.offlineParameters()).prompt)
      note('a refresh token comes where prompt=consent is asked for, and not otherwise')
    const clientMetadata = { grant_types: ['authorization_code'] }
    const online = scopes.filter((scope) => scope !== 'offline_access').join(' ')
    const others: Record<string, LoginOptions> = {
      'without offline_access': { scope: online },
      'without offline_access and the grant': { clientMetadata, scope: online },
      // A bank may also refuse a scope that means nothing to the client.
      'without the grant': { clientMetadata, scope: scopes.join(' ') },
    }
    const granting = { grant_types: ['authorization_code', 'refresh_token'], scope: online }
    // A bank may take the two for one, and refuse a record that has the grant alone.
    if (online !== '' && dressNow() === undefined) {
      if ((await bank.registration(granting)).response.status < 300)
        others['with the grant, and the scope not registered'] = { clientMetadata: granting, scope: online }
      else note('the bank refuses a client of grant refresh_token without the scope offline_access')
    }
    // Who registers nothing of it asks for nothing of it.
    const tried = inLeastDress() ? { 'without offline_access and the grant': {} } : others
    for (const [what, options] of Object.entries<LoginOptions>(tried)) {
      await inVariation(what, async () => {
        const { query } = (await bank.authorization(options)).callback
        if (options.scope?.includes('offline_access') && query.get('error') === 'invalid_scope')
          return note(refusesTheScope)
        const without = (await bank.token(options)).response
        expect(without.member('refresh_token'), 'refresh_token of the token response', without).toBe(undefined)
      })
    }
  },
})

export const refreshTokenOfOpenid = rule({
  id: 'token/refresh-token-beside-openid',
  requirement: 'TOK-3',
  places: ['scope=openid value=both'],
  title: 'A refresh token comes with offline_access where nothing but openid is asked for beside it',
  needs: toLogIn,
  async check({ bank, expect }) {
    await bank.offlineToken()
    const parameters = await bank.offlineParameters()
    const { response } = await bank.token({ scope: 'openid offline_access', parameters })
    expect(response.member('refresh_token'), 'refresh_token of the token response', response).toBeText()
  },
})

export const refreshTokenSilently = rule({
  id: 'token/refresh-token-issued-silently',
  requirement: 'TOK-3',
  places: ['use=session-login parameter=prompt'],
  title: 'A login by prompt=none gives a refresh token where offline_access is asked for, and else none',
  needs: toLogIn,
  async check({ bank, expect, inVariation, skip }) {
    const { scopes } = await bank.offlineToken()
    const parameters = await bank.offlineParameters()
    if (parameters.prompt) return skip('a refresh token comes where prompt=consent is asked for, and not otherwise')
    const session = bank.session({ clientMetadata: { client_name: 'A client of silent logins' } })
    await session.signIn({ scope: scopes.join(' ') })
    for (const asked of [scopes, scopes.filter((scope) => scope !== 'offline_access')]) {
      const authorization = await session.ask({ scope: asked.join(' '), parameters: { prompt: 'none' } })
      const error = parameterOf(authorization, 'error')
      if (error !== null) return skip(`the bank answers prompt=none with ${error}, though everything was consented`)
      await inVariation(`scope ${asked.join(' ')}`, async () => {
        const { response } = await bank.token.fresh({ authorization })
        const refreshToken = expect(response.member('refresh_token'), 'refresh_token of the token response', response)
        if (asked.includes('offline_access')) refreshToken.toBeText()
        else refreshToken.toBe(undefined)
      })
    }
  },
})

export const refreshTokenOfDroppedGrant = rule({
  id: 'token/refresh-token-of-dropped-grant',
  requirement: 'TOK-3',
  places: ['use=after-put scope=offline_access'],
  title: 'A client that has registered the refresh_token grant no longer gets no refresh token',
  needs: [...toLogIn, ...toRegister],
  async check({ bank, expect, skip }) {
    const clientMetadata = { client_name: 'A client that drops the refresh_token grant' }
    const { scopes } = await bank.offlineToken.fresh({ clientMetadata })
    const client = await asOwn(await bank.registration(clientMetadata))
    await bank.replaceRecord(client, replacement(client, { grant_types: ['authorization_code'] }))
    const parameters = await bank.offlineParameters()
    const authorization = await bank.authorization.fresh({ clientMetadata, scope: scopes.join(' '), parameters })
    // A bank may also refuse a scope that means nothing to the client.
    const error = parameterOf(authorization, 'error')
    if (error === 'invalid_scope') return skip(refusesTheScope)
    const { response } = await bank.token.fresh({ authorization })
    expect(response.member('refresh_token'), 'refresh_token of the token response', response).toBe(undefined)
  },
})

export const accessTokenLifetime = rule({
  id: 'token/access-token-lifetime',
  requirement: 'TOK-4',
  places: [
    'token=access-of-code member=exp',
    'token=access-of-code member=expires_in',
    'token=access-of-code member=expires_in value=other-unit',
  ],
  title: 'An access token is valid for at least 3600 seconds',
  needs: toLogIn,
  async check(tools) {
    const { response, client, accessToken } = await tools.bank.token()
    const what = 'the access token'
    const expiresIn = response.member('expires_in')
    await expectAccessTokenLifetime(tools, { what, client, response, accessToken, expiresIn })
  },
})

export const refreshTokenLifetime = rule({
  id: 'token/refresh-token-lifetime',
  requirement: 'TOK-5',
  places: ['use=first'],
  title: 'A refresh token issued for a code is valid for at least one year',
  needs: toLogIn,
  async check({ bank, expect }) {
    const { client, refreshToken } = await bank.offlineToken()
    const introspected = await bank.introspection.fresh({ client, token: refreshToken })
    const lifetime = await lifetimeOf(expect, introspected, 'the refresh token')
    expect(lifetime, 'exp - iat of the refresh token', introspected).toBeAtLeast(yearSeconds, 's')
  },
})

export const idTokenLifetime = rule({
  id: 'token/id-token-lifetime',
  requirement: 'TOK-6',
  places: ['token=id-of-code', 'token=id-of-code part=nbf'],
  title: 'The id_token is valid at least as long as the access token',
  needs: toLogIn,
  async check(tools) {
    const login = await tools.bank.token()
    const claims = await tools.bank.idTokenClaims(login)
    const { response } = login
    expectIdTokenLifetime(tools, { what: 'the id_token', claims, response, expiresIn: response.member('expires_in') })
  },
})

export const idTokenSigned = rule({
  id: 'token/id-token-signed',
  requirement: 'TOK-7',
  places: ['token=id-of-code'],
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
  places: ['token=id-of-code'],
  title: 'at_hash, when present, matches the access token',
  needs: toLogIn,
  async check(tools) {
    const { response, client, accessToken } = await tools.bank.token()
    const { claims, header } = await tools.bank.idToken(response, client)
    expectAccessTokenHash(tools, { what: 'the id_token', claims, header, response, accessToken })
  },
})

export const noStore = rule({
  id: 'token/no-store',
  requirement: 'TOK-18',
  places: ['grant=code'],
  title: 'Token responses carry Cache-Control: no-store',
  needs: toLogIn,
  async check(tools) {
    expectNotStored(tools, 'the token response', (await tools.bank.token()).response)
  },
})

export const idTokenClaims = rule({
  id: 'token/id-token-claims',
  requirement: 'TOK-34',
  places: [
    ...['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', ...ofTimes].map((claim) => `token=id-of-code claim=${claim}`),
    ...['missing', 'other-type', 'unknown'].map((value) => `token=id-of-code claim=amr value=${value}`),
    'token=id-of-code claim=jti',
    'token=id-of-code claim=jti value=other-type',
  ],
  title:
    "The id_token carries sub, iss, aud, exp, iat and the request's nonce, an acr of those declared and an amr of those published if any",
  needs: toLogIn,
  async check(tools) {
    const { bank, expect } = tools
    const login = await bank.token()
    const { response, client, authorization } = login
    const claims = await bank.idTokenClaims(login)
    await expectIdTokenClaims(tools, { what: 'the id_token', claims, client, response })
    expect(claims.nonce, 'nonce of the id_token', response).toBe(authorization.parameters.nonce)
  },
})
