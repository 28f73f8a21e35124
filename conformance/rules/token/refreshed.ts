import type { IdToken } from '../../bank/id-token.js'
import { asOwn } from '../../bank/registration.js'
import { replacement } from '../../bank/registration-management.js'
import { inStep, ruleAboutStep } from '../../bank/steps.js'
import { chargedToRule } from '../../evidence/failure.js'
import { rule, type Tools } from '../../harness/rule.js'
import type { HttpResponse } from '../../http/http.js'
import { byKey } from '../../service/algorithms.js'
import { toLogIn, toRegister } from '../../target/needs.js'
import { sampleOf } from '../support/access-token-sample.js'
import {
  expectAccessTokenHash,
  expectAccessTokenLifetime,
  expectIdTokenClaims,
  expectIdTokenLifetime,
  expectNotStored,
  type IssuedIdToken,
  ofTimes,
} from '../support/issued-tokens.js'
import { expectTellsNothing, personalData } from '../support/personal-data.js'
import { hasRefreshTokens } from '../support/proof-endpoints.js'
import { expectRegisteredAlgorithm } from '../support/registered-algorithm.js'
import { expectDead } from '../support/token-state.js'

const signedBy = 'id_token_signed_response_alg'

/** The refreshes that are looked at: the first of a login, and those with what it gave. */
const refreshes = {
  'a refresh with fewer scopes': 'narrowed',
  'a second refresh, for openid': 'least',
  'a third refresh, with all scopes in another order': 'reordered',
  'a fourth refresh, without scope': 'whole',
} as const

/** Looks at the answer of each refresh that gave tokens: that one gave none is what the rules about scopes say. */
async function eachRefresh(
  { bank, inVariation, note, skip }: Tools,
  look: (response: HttpResponse, what: string) => Promise<void> | void,
): Promise<void> {
  const chain = await bank.refreshChain()
  const answered = Object.entries(refreshes).filter(([, name]) => chain[name].status < 300)
  if (answered.length === 0) return skip('no refresh gave tokens (see TOK-19 and TOK-21)')
  for (const [what, name] of Object.entries(refreshes))
    if (chain[name].status >= 300) note(`${what} gave no tokens (see TOK-19 and TOK-21)`)
  for (const [what, name] of answered) await inVariation(what, async () => look(chain[name], what))
}

/**
 * Looks at the id_token of each refresh; a bank may give none (AMB-67).
 * @param open what is wrong with the id_token as a JWT is a step's where it is not the rule's own
 */
async function eachIdToken(
  tools: Tools,
  look: (idToken: IssuedIdToken) => Promise<void> | void,
  open = (work: () => Promise<IdToken>) => inStep('refreshedIdToken', work),
): Promise<void> {
  const { bank, note, skip } = tools
  const { login } = await bank.refreshChain()
  let seen = 0
  await eachRefresh(tools, async (response, when) => {
    if (response.member('id_token') === undefined) return note(`${when} gave no id_token (AMB-67)`)
    seen += 1
    const { claims, header } = await open(() => bank.examineIdToken(response, login.client))
    const accessToken = response.member('access_token')
    await look({
      what: `the id_token of ${when}`,
      claims,
      header,
      client: login.client,
      response,
      ...(typeof accessToken === 'string' && { accessToken }),
      expiresIn: response.member('expires_in'),
    })
  })
  if (seen === 0) skip('the bank gives no id_token on refresh (AMB-67)')
}

export const accessTokenLifetime = rule({
  id: 'token/refreshed-access-token-lifetime',
  requirement: 'TOK-4',
  places: [
    'token=access-of-refresh member=exp',
    'token=access-of-refresh member=expires_in',
    'use=second-refresh token=access-of-refresh',
    'use=second-refresh token=access-of-code',
  ],
  title:
    'An access token of a refresh is valid for at least 3600 seconds; it and that of the login outlive the refreshes that follow',
  needs: toLogIn,
  async check(tools) {
    const { login, ...chain } = await tools.bank.refreshChain()
    const answers = [chain.repeated, chain.reordered, chain.narrowedOtherwise, chain.whole]
    const latest = answers.map((answer) => answer.member('access_token')).find((token) => typeof token === 'string')
    if (latest !== undefined) await tools.bank.introspection.fresh({ client: login.client, token: latest })
    // The latest was seen to live: an earlier one that does not has died of the refreshes after it.
    const ofEarlier = <Outcome>(look: () => Promise<Outcome>) => chargedToRule([ruleAboutStep.introspection], look)
    await eachRefresh(tools, async (response, when) => {
      const accessToken = tools
        .expect(response.member('access_token'), 'access_token of the refresh response', response)
        .toBeText()
      const what = `the access token of ${when}`
      const expiresIn = response.member('expires_in')
      await ofEarlier(() =>
        expectAccessTokenLifetime(tools, { what, client: login.client, response, accessToken, expiresIn }),
      )
    })
    if (latest === undefined) return
    await tools.inVariation('the access token of the login', () =>
      ofEarlier(() => tools.bank.introspection.fresh({ client: login.client, token: login.accessToken })),
    )
  },
})

export const idTokenLifetime = rule({
  id: 'token/refreshed-id-token-lifetime',
  requirement: 'TOK-6',
  places: ['token=id-of-refresh', 'token=id-of-refresh part=nbf'],
  title: 'An id_token of a refresh is valid at least as long as the access token beside it',
  needs: toLogIn,
  check: (tools) => eachIdToken(tools, (idToken) => expectIdTokenLifetime(tools, idToken)),
})

export const idTokenIssuedLater = rule({
  id: 'token/refreshed-id-token-issued-later',
  requirement: 'TOK-34',
  places: ['first', 'second-refresh'].map((use) => `use=${use} token=id-of-refresh claim=iat`),
  title: 'The id_token of a refresh was issued then, and not with the one before (OpenID Connect Core section 12.2)',
  needs: toLogIn,
  waits: true,
  async check({ bank, expect, inVariation, note, skip }) {
    const { login, refreshes } = await bank.laterRefreshes()
    const issued = async (response: HttpResponse) =>
      Number((await inStep('refreshedIdToken', () => bank.examineIdToken(response, login.client))).claims.iat)
    let before = await issued(login.response)
    const served = refreshes.filter(({ next }) => next !== undefined)
    if (served.length === 0) return skip('no refresh gave tokens (see TOK-22)')
    const withIdToken = served.filter(({ response }) => response.member('id_token') !== undefined)
    if (withIdToken.length === 0) return skip('the bank gives no id_token on refresh (AMB-67)')
    for (const { what } of served.filter((one) => !withIdToken.includes(one))) note(`${what} gave no id_token (AMB-67)`)
    for (const { what, response } of withIdToken) {
      await inVariation(what, async () => {
        const iat = await issued(response)
        const where = `iat of the id_token of ${what}, two seconds after the one before`
        expect(iat, where, response).toBeAtLeast(before + 1, 's')
        before = iat
      })
    }
  },
})

export const idTokenSigned = rule({
  id: 'token/refreshed-id-token-signed',
  requirement: 'TOK-7',
  places: ['token=id-of-refresh'],
  title: 'An id_token of a refresh is signed with the registered algorithm by a published key',
  needs: toLogIn,
  check: (tools) =>
    eachIdToken(
      tools,
      ({ what, header, client, response }) => {
        expectRegisteredAlgorithm(tools, header.alg, client, { what, member: signedBy, response })
      },
      (work) => work(),
    ),
})

export const accessTokenHash = rule({
  id: 'token/refreshed-access-token-hash',
  requirement: 'TOK-8',
  places: ['token=id-of-refresh'],
  title: 'at_hash of an id_token of a refresh, when present, matches the new access token',
  needs: toLogIn,
  check: (tools) => eachIdToken(tools, (idToken) => expectAccessTokenHash(tools, idToken)),
})

export const accessTokenOpaque = rule({
  id: 'token/refreshed-access-token-opaque',
  requirement: 'TOK-9',
  places: ['token=access-of-refresh', 'token=access-of-refresh claim=email'],
  title: 'Access tokens of refreshes tell nothing of the person, and vary in a part long enough for 160 random bits',
  needs: toLogIn,
  async check(tools) {
    const { expect, reading } = tools
    const tokens: string[] = []
    await eachRefresh(tools, (response) => {
      tokens.push(expect(response.member('access_token'), 'access_token of the refresh response', response).toBeText())
    })
    const { duplicates, varying, bits } = sampleOf(tokens)
    const { whole } = await tools.bank.refreshChain()
    expect(duplicates, `how many of ${tokens.length} access tokens of refreshes came before`, whole).toBe(0)
    const where = `what the varying part of the access tokens of refreshes, of ${varying} characters, can hold`
    expect(Math.floor(bits), where, whole).toBeAtLeast(128, 'bits')
    reading('AMB-37', bits >= 160 ? 'bits-160' : 'bits-128')
    const personal = await personalData(tools)
    for (const token of tokens) expectTellsNothing(tools, token, personal, whole)
  },
})

export const noStore = rule({
  id: 'token/refreshed-no-store',
  requirement: 'TOK-18',
  places: ['grant=refresh', 'grant=refresh member=content-type'],
  title: 'Refresh responses are JSON, and carry Cache-Control: no-store',
  needs: toLogIn,
  check: (tools) =>
    eachRefresh(tools, (response, what) => {
      // RFC 6749 section 5.1, as for a code; what has another status than 200 gave no tokens.
      tools.expect(response).toHaveMediaType('application/json')
      expectNotStored(tools, `the response of ${what}`, response)
    }),
})

export const idTokenClaims = rule({
  id: 'token/refreshed-id-token-claims',
  requirement: 'TOK-34',
  places: [
    ...['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'auth_time'].map((claim) => `token=id-of-refresh claim=${claim}`),
    ...['acr', 'jti value=repeated', ...ofTimes].map((claim) => `token=id-of-refresh claim=${claim}`),
  ],
  title: "An id_token of a refresh carries sub, iss, aud, exp and iat as the login's, and no other nonce or auth_time",
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, warn } = tools
    const { login } = await bank.refreshChain()
    const first = await bank.idTokenClaims(login)
    const known = new Set<unknown>([first.jti])
    await eachIdToken(tools, async (idToken) => {
      const { what, claims, response } = idToken
      await expectIdTokenClaims(tools, idToken)
      // OpenID Connect Core section 12.2.
      expect<unknown>(claims.sub, `sub of ${what}`, response).toBe(first.sub)
      if (claims.nonce !== undefined) expect<unknown>(claims.nonce, `nonce of ${what}`, response).toBe(first.nonce)
      // Nothing of the interface specification says so.
      if (claims.auth_time !== undefined && claims.auth_time !== first.auth_time)
        warn(`${what} tells another time of authentication than the login (OpenID Connect Core section 12.2)`)
      if (claims.acr !== undefined && first.acr !== undefined && claims.acr !== first.acr)
        warn(`${what} tells another acr than the login, ${claims.acr} (OpenID Connect Core section 12.2)`)
      if (claims.jti !== undefined && known.has(claims.jti))
        warn(`jti of ${what} is that of another one (RFC 7519 section 4.1.7)`)
      known.add(claims.jti)
    })
  },
})

/** What ends so names a hash, by which at_hash is made; EdDSA does not. */
const namesHash = /(256|384|512)$/

/** An algorithm by key that the bank declares for id_tokens, other than that of the default record; one that names a hash, if there is one. */
async function otherAlgorithm({ bank, skip }: Pick<Tools, 'bank' | 'skip'>): Promise<string> {
  const { metadata } = await bank.client()
  const declared = (await bank.discovery()).declared('id_token_signing_alg_values_supported') ?? []
  const others = declared.filter((name) => name !== metadata[signedBy] && byKey.includes(name))
  return (
    others.find((name) => namesHash.test(name)) ??
    others[0] ??
    skip('the bank declares one algorithm to sign id_tokens with')
  )
}

export const otherAccessTokenHash = rule({
  id: 'token/access-token-hash-es512',
  requirement: 'TOK-8',
  places: ['token=id-of-code alg=ES512'],
  title:
    'at_hash, when present, matches the access token where the id_token is signed with another algorithm than most',
  needs: toLogIn,
  async check(tools) {
    const { bank } = tools
    const clientMetadata = { [signedBy]: await otherAlgorithm(tools) }
    const { response, client, accessToken } = await bank.token({ clientMetadata })
    const { claims, header } = await bank.idToken(response, client)
    expectAccessTokenHash(tools, { what: 'the id_token', claims, header, response, accessToken })
  },
})

export const signedAsRegistered = rule({
  id: 'token/id-token-signed-es512',
  requirement: 'TOK-7',
  places: ['token=id-of-code alg=ES512', 'token=id-of-refresh alg=ES512'],
  title: 'A client that registered another algorithm than most gets its id_tokens signed with that, of a refresh too',
  needs: toLogIn,
  async check(tools) {
    const { bank, expect, note } = tools
    const alg = await otherAlgorithm(tools)
    const login = await bank.offlineToken.fresh({ clientMetadata: { [signedBy]: alg } })
    const ofCode = await bank.examineIdToken(login.response, login.client)
    expect(ofCode.header.alg, 'alg of the id_token', login.response).toBe(alg)
    const response = await bank.refresh.try({ login })
    expect(response).toHaveStatus(200)
    if (response.member('id_token') === undefined) return note('the bank gives no id_token on refresh (AMB-67)')
    const ofRefresh = await bank.examineIdToken(response, login.client)
    expect(ofRefresh.header.alg, 'alg of the id_token of a refresh', response).toBe(alg)
  },
})

export const signedAfterChange = rule({
  id: 'token/id-token-signed-after-put',
  requirement: 'TOK-7',
  places: ['use=after-put token=id-of-code', 'use=after-put token=id-of-refresh'],
  title:
    'The id_token of a login after a PUT, and of a refresh of one before, is signed with the algorithm that the client registers now',
  needs: [...toLogIn, ...toRegister],
  async check(tools) {
    const { bank, expect, note } = tools
    const alg = await otherAlgorithm(tools)
    const clientMetadata = { client_name: 'A client that changes its algorithm' }
    const client = await asOwn(await bank.registration(clientMetadata))
    // Which algorithm was registered when the bank signed for the client first.
    const offline = (await hasRefreshTokens(tools, clientMetadata))
      ? await bank.offlineToken.fresh({ clientMetadata })
      : undefined
    if (!offline) await bank.token.fresh({ clientMetadata })
    await bank.replaceRecord(client, replacement(client, { [signedBy]: alg }))
    const login = await bank.token.fresh({ clientMetadata })
    const { header } = await bank.examineIdToken(login.response, login.client)
    expect(header.alg, 'alg of the id_token', login.response).toBe(alg)
    if (!offline) return
    const refreshed = await bank.refresh.try({ login: offline })
    // Whether a refresh gives one is left to the bank (AMB-67).
    if (refreshed.status >= 300 || refreshed.member('id_token') === undefined)
      return note('the refresh of a login before the PUT gave no id_token')
    const ofRefresh = await bank.examineIdToken(refreshed, login.client)
    expect(ofRefresh.header.alg, 'alg of the id_token of a refresh', refreshed).toBe(alg)
  },
})

export const discardedForGood = rule({
  id: 'token/refresh-old-discarded-later',
  requirement: 'TOK-44',
  places: ['use=second-refresh', 'value=subset', 'client-auth=client_secret_post'],
  title: 'Of several refresh tokens in a row the last alone is good, also where the refresh was narrowed',
  needs: toLogIn,
  async check(tools) {
    const { bank, inVariation, note, skip } = tools
    const { login, narrowed, least, refreshTokens } = await bank.refreshChain()
    await inStep('refresh', async () => {
      for (const response of [narrowed, least]) tools.expect(response).toHaveStatus(200)
    })
    const last = refreshTokens.at(-1)
    if (last === login.refreshToken) skip('the bank issues no new refresh token on refresh (AMB-42)')
    // Those that gave way to another at a narrowed refresh.
    for (const [i, token] of refreshTokens.slice(0, 2).entries()) {
      if (token === last) {
        note(`refresh token ${i + 1} of ${refreshTokens.length} is still the one that is good`)
        continue
      }
      await inVariation(`refresh token ${i + 1} of ${refreshTokens.length}`, () =>
        expectDead(tools, { client: login.client, token }, 'a refresh token that was replaced'),
      )
    }
  },
})
