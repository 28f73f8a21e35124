import type { Readings } from '../../../schemas/editions/index.js'
import { rule } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn } from '../../target/needs.js'
import { expectRefusal } from '../support/client-refusals.js'

const members = ['active', 'scope', 'client_id', 'token_type', 'exp', 'iat', 'sub', 'aud', 'iss']

export const liveToken = rule({
  id: 'introspection/live-token',
  requirement: 'INTR-1',
  title: 'A live token is active, with scope, client_id, token_type, exp, iat, sub, aud and iss',
  needs: toLogIn,
  async check({ bank, expect, reading }) {
    const { client, accessToken } = await bank.token()
    const response = await bank.introspection.try({ client, token: accessToken })
    expect(response).toHaveStatus(200)
    expect(response).toHaveMediaType('application/json')
    expect(response.json, 'the introspection response', response).toHaveMembers(members)
    expect(response.member('active'), 'active of a live token', response).toBe(true)
    expect(response.member('client_id'), 'client_id of the token', response).toBe(client.clientId)
    const { clientSecret, metadata } = client
    if (clientSecret === undefined || metadata.token_endpoint_auth_method !== 'private_key_jwt') return
    const both = await bank.introspection.try({ client, token: accessToken }, () => ({
      credentials: { client_secret: clientSecret },
    }))
    if (both.status === 400) expectRefusal(expect, both, 400, 'invalid_request')
    else
      expect(both.member('active'), 'active of a live token, with client_secret and client_assertion', both).toBe(true)
    reading('AMB-22', both.status === 400 ? 'refused' : 'accepted')
  },
})

export const deadToken = rule({
  id: 'introspection/dead-token',
  requirement: 'INTR-2',
  title: 'An unknown or revoked token is answered with 200 and active false',
  needs: toLogIn,
  async check({ bank, expect, inVariation, warn }) {
    await bank.revocation.expectBaseline()
    const login = await bank.token.fresh()
    const { client, accessToken } = login
    await bank.introspection.fresh({ client, token: accessToken })
    const revoked = await bank.revocation.try({ client, token: accessToken })
    expect(revoked).toHaveStatus(200, 204)
    const unknown = `${accessToken.slice(0, -8)}${[...accessToken.slice(-8)].reverse().join('')}x`
    for (const [what, token] of Object.entries({ 'a revoked token': accessToken, 'an unknown token': unknown })) {
      await inVariation(what, async () => {
        const response = await bank.introspection.try({ client, token })
        expect(response).toHaveStatus(200)
        expect(response.member('active'), 'active of a dead token', response).toBe(false)
        const further = Object.keys(expect(response.json, 'the introspection response', response).toBeObject())
        if (further.length > 1) warn(`of a dead token more is told than that: ${further.join(', ')}`)
      })
    }
  },
})

/** Hints of a caller who is right, wrong, or spells as the samples do. */
const hints: readonly Record<string, string>[] = [
  {},
  { token_type_hint: 'access_token' },
  { token_type_hint: 'refresh_token' },
  { token_type_hin: 'access_token' },
  { token_type_hin: 'refresh_token' },
]

export const hint = rule({
  id: 'introspection/hint',
  requirement: 'INTR-3',
  title: 'A live token is found whatever the hint, however it is spelled',
  needs: toLogIn,
  async check({ bank, expect, inVariation, reading }) {
    const { client, accessToken, response: tokens } = await bank.token()
    for (const form of hints) {
      await inVariation(`hint ${JSON.stringify(form)}`, async () => {
        const response = await bank.introspection.try({ client, token: accessToken, form })
        expect(response).toHaveStatus(200)
        expect(response.member('active'), 'active of a live token', response).toBe(true)
      })
    }
    const odd = (name: string) =>
      bank.introspection.try({ client, token: accessToken, form: { [name]: 'divining_rod' } })
    const unknown = await odd('token_type_hint')
    reading('AMB-56', readHint(unknown))
    // Whether the other spelling is read at all shows only where a value can be wrong.
    if (readHint(unknown) === 'refused')
      reading('AMB-5', readHint(await odd('token_type_hin')) === 'refused' ? 'both-spellings' : 'token-type-hint-only')
    expect(tokens.member('access_token'), 'the token asked about', tokens).toBe(accessToken)

    function readHint(response: HttpResponse): Readings['AMB-56'] {
      if (response.status !== 400) {
        expect(response.member('active'), 'active of a live token with a hint of unknown value', response).toBe(true)
        return 'ignored'
      }
      const { error } = expect(response.json, 'the refusal', response).toHaveMembers(['error'])
      const known = ['unsupported_token_type', 'invalid_token_type_hint']
      expect(error, 'error of the refusal', response).toBeOneOf(known)
      return 'refused'
    }
  },
})

/** In seconds: what is further away than this is not in Unix seconds. */
const tenYears = 10 * 365 * 86_400

export const types = rule({
  id: 'introspection/types',
  requirement: 'INTR-5',
  title: 'exp and iat are Unix seconds, scope a space-separated string, iss the issuer',
  needs: toLogIn,
  async check({ bank, expect, service }) {
    const { client, accessToken, response: tokens } = await bank.token()
    const response = await bank.introspection.fresh({ client, token: accessToken })
    const near = (name: string) => {
      const value = response.member(name)
      expect(value, `${name} of the token`, response).toSatisfy(Number.isInteger, 'Unix seconds, which are an integer')
      expect(value, `${name} of the token`, response).toBeNear(service.clock(), tenYears, 's')
    }
    near('exp')
    near('iat')
    expect(response.member('scope'), 'scope of the token', response).toBeText()
    const listed = tokens.member('scope')
    if (typeof listed === 'string') {
      const scopes = String(response.member('scope')).split(' ')
      expect(scopes, 'the scopes of the token', response).toBeSetOf(listed.split(' '))
    }
    expect(response.member('iss'), 'iss of the token', response).toBe(bank.issuer)
    expect(response.member('sub'), 'sub of the token', response).toBeText()
  },
})

export const refreshToken = rule({
  id: 'introspection/refresh-token',
  requirement: 'INTR-9',
  title: 'A refresh token is introspected as well, and token_type distinguishes it from an access token',
  needs: toLogIn,
  async check({ bank, expect, inVariation }) {
    const { client, accessToken, refreshToken: token } = await bank.offlineToken()
    for (const form of hints) {
      await inVariation(`hint ${JSON.stringify(form)}`, async () => {
        const response = await bank.introspection.try({ client, token, form })
        expect(response).toHaveStatus(200)
        expect(response.member('active'), 'active of a live refresh token', response).toBe(true)
      })
    }
    const [access, refresh] = [
      await bank.introspection.fresh({ client, token: accessToken }),
      await bank.introspection.fresh({ client, token }),
    ]
    const type = expect(refresh.member('token_type'), 'token_type of a refresh token', refresh).toBeText()
    expect<unknown>(type, 'token_type of a refresh token', refresh).toDiffer(
      access.member('token_type'),
      'that of an access token',
    )
  },
})
