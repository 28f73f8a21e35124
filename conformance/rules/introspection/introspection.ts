import { isDeepStrictEqual } from 'node:util'
import { codeOf } from '../../bank/authorization.js'
import { anotherClient } from '../../bank/client-metadata.js'
import { dressNow, inLeastDress } from '../../bank/dress.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { toLogIn, toRegister, toSign } from '../../target/needs.js'
import { isUnknownCaller, noneAuthenticates } from '../support/bearer-refusal.js'
import { bySecret, bySecretJwt, declaresMethod, noClientOf } from '../support/client-methods.js'
import { expectRefusal } from '../support/client-refusals.js'
import {
  firstRefreshToken,
  type KnownToken,
  refreshed,
  refreshedTokens,
  tokenOfCode,
  tokenOfFrontChannel,
  tokenOfSecondClient,
  tokenOfSigning,
} from '../support/known-tokens.js'
import { spellings } from '../support/token-hints.js'
import { expectTaken } from '../support/token-state.js'
import { unknownTokens } from '../support/unknown-tokens.js'

type Asked = NonNullable<Parameters<Tools['bank']['introspection']['try']>[0]>

const members = ['active', 'scope', 'client_id', 'token_type', 'exp', 'iat', 'sub', 'aud', 'iss']

/** That a live token is told to be live, and whose it is: the client's and the person's of its login. */
async function expectTold(tools: Tools, { what, client, token, subjects, type }: KnownToken): Promise<HttpResponse> {
  const { bank, expect } = tools
  const response = await bank.introspection.try({ client, token })
  expect(response).toHaveStatus(200)
  expect(response).toHaveMediaType('application/json')
  expect(response.json, 'the introspection response', response).toHaveMembers(members)
  expect(response.member('active'), `active of ${what}`, response).toBe(true)
  expect(response.member('client_id'), `client_id of ${what}`, response).toBe(client.clientId)
  expect(response.member('sub'), `sub of ${what}`, response).toBeOneOf(subjects)
  if (type === 'access_token') expectAccessToken(tools, response)
  return response
}

/** That the same is told of a token as was told before. */
function expectSame({ expect }: Tools, before: HttpResponse, response: HttpResponse): void {
  expect(response).toHaveStatus(200)
  for (const member of members) {
    expect(response.member(member), `${member} of an access token`, response).toEqual(before.member(member))
  }
}

/** The sample's word for an access token; Bearer, as RFC 7662 section 2.2 has it, is taken with a warning. */
function expectAccessToken({ expect, warn }: Tools, response: HttpResponse): void {
  const given = expect(response.member('token_type'), 'token_type of an access token', response).toBeText()
  if (given.toLowerCase() === 'bearer') warn(`token_type of an access token is ${given}, as in RFC 7662`)
  else expect(given, 'token_type of an access token', response).toBe('access_token')
}

export const liveToken = rule({
  id: 'introspection/live-token',
  requirement: 'INTR-1',
  places: [
    'token=access-of-code',
    ...['client_id', 'sub', 'token_type'].map((member) => `token=access-of-code member=${member}`),
    'client-auth=client_secret_post value=both',
    'caller=bearer token=access-of-code',
    'token=access-of-code parameter=token_type_hint',
    'token=access-of-code parameter=token_type_hint value=wrong',
    'caller=client use=second-call token=access-of-code',
  ],
  title:
    'A live token is active, with scope, client_id, token_type, exp, iat, sub, aud and iss, however it is asked about',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, note, reading } = tools
    const known = await tokenOfCode(bank)
    const { client, token } = known
    const response = await expectTold(tools, known)
    expect(response.member('aud'), 'aud of an access token', response).toSatisfy(
      (aud) => typeof aud === 'string' && (aud === client.clientId || !bank.hasRegistered(aud)),
      `a text, and no other client than ${client.clientId}`,
    )
    for (const token_type_hint of ['access_token', 'refresh_token']) {
      await inVariation(`hint ${token_type_hint}`, async () => {
        const hinted = await bank.introspection.try({ client, token, form: { token_type_hint } })
        // That a wrong hint keeps it from being found is for INTR-3 to say.
        if (token_type_hint === 'access_token' || hinted.member('active') === true) expectSame(tools, response, hinted)
      })
    }
    await inVariation('as Bearer', async () => {
      const byToken = await bank.introspection.try({ client, token }, () => ({ authentication: { bearer: token } }))
      if (isUnknownCaller(byToken)) note(noneAuthenticates)
      else expectSame(tools, response, byToken)
    })
    if (dressNow() === undefined && bank.client.canBe(anotherClient)) {
      const asking = await bank.client(anotherClient)
      await inVariation('once another client asked about it', async () => {
        await bank.introspection.try({ client: asking, token })
        expectSame(tools, response, await bank.introspection.try({ client, token }))
      })
    }
    const { clientSecret, metadata } = client
    if (clientSecret === undefined || metadata.token_endpoint_auth_method !== 'private_key_jwt')
      return note('the client has no client_secret beside an assertion by its key: both at once were not sent (AMB-22)')
    const both = await bank.introspection.try({ client, token }, () => ({
      credentials: { client_secret: clientSecret },
    }))
    if (both.status === 400) expectRefusal(expect, both, 400, 'invalid_request')
    else
      expect(both.member('active'), 'active of a live token, with client_secret and client_assertion', both).toBe(true)
    reading('AMB-22', both.status === 400 ? 'refused' : 'accepted')
  },
})

export const liveRefreshed = rule({
  id: 'introspection/live-refreshed',
  requirement: 'INTR-1',
  places: ['token=access-of-refresh', 'token=refresh', 'use=second-refresh token=access-of-refresh'],
  title: 'A refresh token and the access tokens of refreshes are told of as an access token of a code is',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation } = tools
    for (const known of [await firstRefreshToken(bank), ...(await refreshedTokens(bank))]) {
      await inVariation(known.what, () => expectTold(tools, known))
    }
  },
})

export const liveFrontChannel = rule({
  id: 'introspection/live-front-channel',
  requirement: 'INTR-1',
  places: ['token=access-of-front-channel'],
  title: 'An access token of the front channel is told of as one of a code is',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const known = await tokenOfFrontChannel(tools.bank)
    if (!known) return tools.skip('the bank does not declare response type token and grant implicit')
    await expectTold(tools, known)
  },
})

export const liveSigning = rule({
  id: 'introspection/live-signing',
  requirement: 'INTR-1',
  places: ['token=access-of-signing'],
  title: 'An access token of the signing flow is told of as one of a login is',
  needs: toSign,
  async check(tools) {
    await expectTold(tools, await tokenOfSigning(tools.bank))
  },
})

export const secondClient = rule({
  id: 'introspection/second-client',
  requirement: 'INTR-1',
  places: [
    'use=second-client token=access-of-code',
    'token=access-of-code member=aud',
    'client-auth=client_secret_jwt token=access-of-code',
  ],
  title: "Each client is told of its own token: its client_id, its person's sub, and no other client in aud",
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    const [first, second] = [await tokenOfCode(bank), await tokenOfSecondClient(bank)]
    for (const [which, known, other] of [
      ['the first client', first, second],
      ['the second client', second, first],
    ] as const) {
      await inVariation(which, async () => {
        const response = await expectTold(tools, known)
        const audience = [response.member('aud')].flat()
        expect<unknown[]>(audience, 'aud of an access token', response).toLack(other.client.clientId)
      })
    }
    const clientMetadata = bySecretJwt('HS512')
    if (!(await declaresMethod(tools, 'client_secret_jwt')) || !bank.client.canBe(clientMetadata))
      return note(noClientOf('client_secret_jwt'))
    await inVariation('a client of client_secret_jwt', async () =>
      expectTold(tools, await tokenOfCode(bank, { clientMetadata })),
    )
  },
})

export const secondPerson = rule({
  id: 'introspection/second-person',
  requirement: 'INTR-1',
  places: ['use=second-person token=access-of-code'],
  title: 'Of each person whose token it is the own sub is told',
  needs: [...toLogIn, 'person:second'],
  async check(tools) {
    const { bank, inVariation } = tools
    for (const person of ['full', 'second']) {
      const known = await tokenOfCode(bank, { person, scope: 'openid' })
      await inVariation(`person ${person}`, () => expectTold(tools, known))
    }
  },
})

export const deadToken = rule({
  id: 'introspection/dead-token',
  requirement: 'INTR-2',
  places: [
    'use=after-revocation token=access-of-code',
    'use=after-revocation token=access-of-code parameter=token_type_hint',
    ...['unknown', 'long', 'encoded', 'prefix', 'superset', 'upper-case'].map((value) => `value=${value}`),
    'member=jwt',
    'token=code',
    'parameter=token_type_hint value=unknown',
    'caller=bearer value=unknown',
    ...['client_secret_post', 'client_secret_jwt'].map((method) => `client-auth=${method} value=unknown`),
  ],
  title: 'An unknown or revoked token is answered with 200 and active false, whoever asks',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation, note } = tools
    await bank.revocation.expectBaseline()
    const login = await bank.token.fresh()
    const { client, accessToken } = login
    const live = await bank.token()
    await bank.introspection.fresh({ client, token: accessToken })
    expectTaken(expect, await bank.revocation.try({ client, token: accessToken }))
    await inVariation('a revoked token', () => expectNothingTold(tools, { client, token: accessToken }))
    await inVariation('a revoked token, with its hint', () =>
      expectCalledDead(tools, { client, token: accessToken, form: { token_type_hint: 'access_token' } }),
    )
    const others = inLeastDress() ? {} : { 'a code that was not used': await codeOf(await bank.authorization.try({})) }
    for (const [what, token] of Object.entries({ ...unknownTokens(live.accessToken), ...others })) {
      await inVariation(what, () => expectCalledDead(tools, { client: live.client, token }))
    }
    if (inLeastDress()) return
    for (const token_type_hint of ['access_token', 'refresh_token']) {
      const token = `${accessToken.slice(0, -8)}${[...accessToken.slice(-8)].reverse().join('')}x`
      await inVariation(`an unknown token, hint ${token_type_hint}`, () =>
        expectCalledDead(tools, { client, token, form: { token_type_hint } }),
      )
    }
    const [token = ''] = Object.values(unknownTokens(live.accessToken))
    for (const [method, clientMetadata] of Object.entries(bySecret)) {
      if (!(await declaresMethod(tools, method)) || !bank.client.canBe(clientMetadata)) {
        note(noClientOf(method))
        continue
      }
      const caller = await bank.client(clientMetadata)
      await inVariation(`an unknown token, by ${method}`, () => expectCalledDead(tools, { client: caller, token }))
    }
    await inVariation('an unknown token, as Bearer', async () => {
      const authentication = { bearer: live.accessToken }
      const response = await bank.introspection.try({ client: live.client, token }, () => ({ authentication }))
      if (isUnknownCaller(response)) note(noneAuthenticates)
      else expectDeadAnswer(tools, response)
    })
  },
})

export const deadRefreshed = rule({
  id: 'introspection/dead-refreshed',
  requirement: 'INTR-2',
  places: ['access-of-refresh', 'refresh'].flatMap((token) => [
    `use=after-revocation token=${token}`,
    `use=after-revocation token=${token} parameter=token_type_hint`,
  ]),
  title: 'A revoked refresh token, and a revoked access token of a refresh, are answered with 200 and active false',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, inVariation } = tools
    await bank.revocation.expectBaseline()
    // A login each: with one of them a bank may take back the other (RFC 7009 section 2.1).
    for (const [what, which] of [
      ['a revoked access token of a refresh', 'second'],
      ['a revoked refresh token', 'refreshToken'],
    ] as const) {
      const { client, [which]: token } = await refreshed(bank, await bank.offlineToken.fresh())
      await bank.introspection.fresh({ client, token })
      await inVariation(what, async () => {
        expectTaken(expect, await bank.revocation.try({ client, token }))
        await expectNothingTold(tools, { client, token })
      })
      for (const token_type_hint of ['access_token', 'refresh_token']) {
        await inVariation(`${what}, hint ${token_type_hint}`, () =>
          expectCalledDead(tools, { client, token, form: { token_type_hint } }),
        )
      }
    }
  },
})

/** That a token is called dead. @returns the whole answer */
async function expectCalledDead(tools: Tools, asked: Asked): Promise<Readonly<Record<string, unknown>>> {
  return expectDeadAnswer(tools, await tools.bank.introspection.try(asked))
}

function expectDeadAnswer({ expect }: Tools, response: HttpResponse): Readonly<Record<string, unknown>> {
  expect(response).toHaveStatus(200)
  expect(response).toHaveMediaType('application/json')
  expect(response.member('active'), 'active of a dead token', response).toBe(false)
  return Object(response.json)
}

/**
 * That a token is called dead, and that no more is told of it than of one that the bank never gave: else it warns (RFC 7662 section 2.2).
 * A bank may have members of its own that are about no token, such as the number of an answer.
 */
async function expectNothingTold(tools: Tools, asked: Asked & { token: string }): Promise<void> {
  const first = await expectCalledDead(tools, asked)
  const [token = ''] = Object.values(unknownTokens(asked.token))
  const ofUnknown = Object((await tools.bank.introspection.try({ ...asked, token })).json)
  // Asked last, so that what goes by the time is the same in all three, or in no two.
  const again = await expectCalledDead(tools, asked)
  const told = Object.keys(first).filter(
    (name) =>
      first[name] !== null &&
      isDeepStrictEqual(first[name], again[name]) &&
      !isDeepStrictEqual(first[name], ofUnknown[name]),
  )
  if (told.length > 0) tools.warn(`of a dead token more is told than that: ${told.join(', ')}`)
}

export const refreshToken = rule({
  id: 'introspection/refresh-token',
  requirement: 'INTR-9',
  places: [
    'use=first token=refresh',
    'use=second-refresh token=refresh',
    ...spellings.map((parameter) => `token=refresh parameter=${parameter} value=wrong`),
  ],
  title:
    'A refresh token is introspected as well, and token_type distinguishes it from an access token, whatever the hint',
  needs: toLogIn,
  async check({ bank, expect, inVariation, warn }) {
    const first = await firstRefreshToken(bank)
    const access = await bank.introspection.fresh(await tokenOfCode(bank))
    const ofRefresh = (await refreshedTokens(bank)).filter(({ type }) => type === 'refresh_token')
    const asked = [
      ...[first, ...ofRefresh].map((known) => ({ ...known, form: {} })),
      ...spellings.map((name) => ({
        ...first,
        what: `${first.what}, ${name} access_token`,
        form: { [name]: 'access_token' },
      })),
    ]
    for (const { what, client, token, form } of asked) {
      await inVariation(what, async () => {
        const response = await bank.introspection.try({ client, token, form })
        // That a wrong hint keeps it from being found is for INTR-3 to say.
        const isHinted = Object.keys(form).length > 0
        if (isHinted && response.member('active') !== true) return
        expect(response).toHaveStatus(200)
        if (!isHinted) expect(response.member('active'), 'active of a live refresh token', response).toBe(true)
        const type = expect(response.member('token_type'), 'token_type of a refresh token', response).toBeText()
        expect<unknown>(type, 'token_type of a refresh token', response).toDiffer(
          access.member('token_type'),
          'that of an access token',
        )
        // The hint's word, of which the specification gives the example; others call it Refresh or Offline.
        expect(type, 'token_type of a refresh token', response).toMatch(/refresh|offline/i, 'refresh_token')
        if (type !== 'refresh_token') warn(`token_type of a refresh token is ${type}`)
      })
    }
  },
})
